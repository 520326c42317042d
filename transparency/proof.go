package transparency

import (
	"context"
	"errors"
	"fmt"
	"sort"

	"filippo.io/torchwood"
	"golang.org/x/mod/sumdb/tlog"

	"folio/events"
)

// Inclusion proves that an entry is in the published tree.
type Inclusion struct {
	Index int64
	Entry Entry
	Path  tlog.RecordProof // RFC 6962 §2.1.1
	Head  Head             // the checkpoint that it is a proof for
}

// ErrNotIncluded: the published tree has no leaf of that place. Of an event that was recorded just now: not yet.
var ErrNotIncluded = errors.New("the published tree does not have that event yet")

// Prove proves the event at a place of the log; ErrNone or ErrNotIncluded.
func (s *Store) Prove(ctx context.Context, at events.Position) (p Inclusion, err error) {
	if p.Head, err = s.Head(ctx); err != nil {
		return p, err
	}
	if p.Index, p.Entry, err = s.find(ctx, p.Head.TreeHead, at); err != nil {
		return p, err
	}
	p.Path, err = tlog.ProveRecord(p.Head.Size, p.Index, s.reader(ctx, p.Head.Tree))
	if err != nil {
		return p, fmt.Errorf("prove leaf %d: %w", p.Index, err)
	}
	return p, nil
}

// find looks for the leaf of a place. The leaves are in order of their places, except for the first one.
func (s *Store) find(ctx context.Context, h events.TreeHead, at events.Position) (int64, Entry, error) {
	var failed error
	read := func(n int64) Bundle {
		b, err := s.Bundle(ctx, h.Tree, n, min(torchwood.TileWidth, h.Size-n*torchwood.TileWidth))
		failed = errors.Join(failed, err)
		return b
	}
	bundles := int((h.Size + torchwood.TileWidth - 1) / torchwood.TileWidth)
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
	p, err := tlog.ProveTree(size, old, s.reader(ctx, tree))
	if err != nil {
		return nil, fmt.Errorf("prove that size %d continues size %d: %w", size, old, err)
	}
	return p, nil
}

// Root is that of the tree at a size which it had.
func (s *Store) Root(ctx context.Context, tree string, size int64) (tlog.Hash, error) {
	h, err := tlog.TreeHash(size, s.reader(ctx, tree))
	if err != nil {
		return h, fmt.Errorf("find the root at size %d: %w", size, err)
	}
	return h, nil
}

// reader finds the nodes of a tree in its tiles. It reads each tile once.
func (s *Store) reader(ctx context.Context, tree string) tlog.HashReader {
	known := map[tlog.Tile][]byte{}
	return tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		out := make([]tlog.Hash, len(indexes))
		for i, index := range indexes {
			t := tlog.TileForIndex(torchwood.TileHeight, index)
			if known[t] == nil {
				data, err := s.Tile(ctx, tree, t)
				if err != nil {
					return nil, err
				}
				known[t] = data
			}
			var err error
			if out[i], err = tlog.HashFromTile(t, known[t], index); err != nil {
				return nil, err
			}
		}
		return out, nil
	})
}
