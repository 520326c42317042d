package transparency

import (
	"context"
	"errors"
	"fmt"
	"sort"
	"strconv"

	"filippo.io/torchwood"
	"golang.org/x/mod/sumdb/tlog"

	"folio/cache"
	"folio/events"
)

// Inclusion proves that an entry is in a tree.
type Inclusion struct {
	Index int64
	Entry Entry
	Path  tlog.RecordProof // RFC 6962 §2.1.1
}

// ErrNotIncluded: the published tree has no leaf of that place. Of an event that was recorded just now: not yet.
var ErrNotIncluded = errors.New("the published tree does not have that event yet")

// Prover proves events in the tree that was published when it was made. It keeps the tiles that it read last, so that
// proving many events in their order reads each tile about once. It is not safe for concurrent use.
type Prover struct {
	Head Head
	Last events.Position // place of the last leaf: every event up to it that counts is in the tree

	store   *Store
	reader  tlog.HashReader
	bundles *cache.Cache[Bundle]
}

// proverMemory bounds the bundles, and again the tiles, that a prover keeps.
const proverMemory = 4 << 20

// Prover makes one for the published tree; ErrNone.
func (s *Store) Prover(ctx context.Context) (*Prover, error) {
	head, err := s.Head(ctx)
	if err != nil {
		return nil, err
	}
	p := &Prover{Head: head, store: s, reader: s.reader(ctx, head.Tree, newTiles()),
		bundles: cache.New(proverMemory, func(b Bundle) int { return len(b.Entries) * 48 })}
	last, err := p.bundle(ctx, (head.Size-1)/torchwood.TileWidth)
	if err != nil {
		return nil, err
	}
	p.Last = last.Places[len(last.Places)-1]
	return p, nil
}

// bundle reads a bundle as far as the published tree has it.
func (p *Prover) bundle(ctx context.Context, n int64) (Bundle, error) {
	key := strconv.FormatInt(n, 10)
	if b, ok := p.bundles.Get(key); ok {
		return b, nil
	}
	b, err := p.store.Bundle(ctx, p.Head.Tree, n, min(torchwood.TileWidth, p.Head.Size-n*torchwood.TileWidth))
	if err == nil {
		p.bundles.Add(key, b)
	}
	return b, err
}

// Prove proves the event at a place of the log; ErrNotIncluded.
func (p *Prover) Prove(ctx context.Context, at events.Position) (in Inclusion, err error) {
	if in.Index, in.Entry, err = p.find(ctx, at); err != nil {
		return in, err
	}
	in.Path, err = tlog.ProveRecord(p.Head.Size, in.Index, p.reader)
	if err != nil {
		return in, fmt.Errorf("prove leaf %d: %w", in.Index, err)
	}
	return in, nil
}

// find looks for the leaf of a place. The leaves are in order of their places, except for the first one.
func (p *Prover) find(ctx context.Context, at events.Position) (int64, Entry, error) {
	var failed error
	read := func(n int64) Bundle {
		b, err := p.bundle(ctx, n)
		failed = errors.Join(failed, err)
		return b
	}
	bundles := int((p.Head.Size + torchwood.TileWidth - 1) / torchwood.TileWidth)
	n := sort.Search(bundles, func(n int) bool {
		b := read(int64(n))
		return len(b.Places) == 0 || !b.Places[len(b.Places)-1].Before(at)
	})
	if failed != nil {
		return 0, Entry{}, failed
	}
	for _, n := range []int{n, 0} {
		if n == bundles {
			continue
		}
		b := read(int64(n))
		for i, place := range b.Places {
			if place == at {
				return int64(n)*torchwood.TileWidth + int64(i), b.Entries[i], failed
			}
		}
	}
	return 0, Entry{}, errors.Join(failed, ErrNotIncluded)
}

// Consistency proves that the tree of one size goes on from that of another (RFC 6962 §2.1.2).
func (s *Store) Consistency(ctx context.Context, tree string, old, size int64) (tlog.TreeProof, error) {
	if old == 0 {
		return nil, nil
	}
	p, err := tlog.ProveTree(size, old, s.reader(ctx, tree, newTiles()))
	if err != nil {
		return nil, fmt.Errorf("prove that size %d continues size %d: %w", size, old, err)
	}
	return p, nil
}

// Root is that of the tree at a size which it had.
func (s *Store) Root(ctx context.Context, tree string, size int64) (tlog.Hash, error) {
	h, err := tlog.TreeHash(size, s.reader(ctx, tree, newTiles()))
	if err != nil {
		return h, fmt.Errorf("find the root at size %d: %w", size, err)
	}
	return h, nil
}

// newTiles keeps the tiles that one proof or root needs.
func newTiles() *cache.Cache[[]byte] {
	return cache.New(proverMemory, func(data []byte) int { return len(data) })
}

// reader finds the nodes of a tree in its tiles.
func (s *Store) reader(ctx context.Context, tree string, tiles *cache.Cache[[]byte]) tlog.HashReader {
	return tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		out := make([]tlog.Hash, len(indexes))
		for i, index := range indexes {
			t := tlog.TileForIndex(torchwood.TileHeight, index)
			data, known := tiles.Get(t.Path())
			if !known {
				var err error
				if data, err = s.Tile(ctx, tree, t); err != nil {
					return nil, err
				}
				tiles.Add(t.Path(), data)
			}
			var err error
			if out[i], err = tlog.HashFromTile(t, data, index); err != nil {
				return nil, err
			}
		}
		return out, nil
	})
}
