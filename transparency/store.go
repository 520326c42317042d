package transparency

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"filippo.io/torchwood"
	"golang.org/x/mod/sumdb/tlog"

	"folio/events"
	"folio/tables"
)

var schema = tables.Schema{Name: "transparency_v1"}

// Store keeps tiles and the published checkpoint in the tables. All of it follows from the log.
type Store struct{ tables tables.Store }

// OpenStore defines the table.
func OpenStore(ctx context.Context, t tables.Store) (*Store, error) {
	if err := t.Define(ctx, schema); err != nil {
		return nil, fmt.Errorf("define the table of the transparency log: %w", err)
	}
	return &Store{t}, nil
}

// Forget empties the table, for a tree that is built anew.
func (s *Store) Forget(ctx context.Context) error {
	if err := s.tables.Truncate(ctx, schema.Name); err != nil {
		return fmt.Errorf("forget the tiles: %w", err)
	}
	return nil
}

// Head is the published checkpoint.
type Head struct {
	events.TreeHead
	Note        string                    `json:"note"` // signed, and cosigned if there are witnesses
	PublishedAt time.Time                 `json:"published_at"`
	Rotations   []events.NotaryKeyRotated `json:"rotations,omitempty"`
}

// ErrNone: no checkpoint is published yet.
var ErrNone = errors.New("no checkpoint is published yet")

const headID = "head"

// Head reads the published checkpoint; ErrNone, and ErrDamaged.
func (s *Store) Head(ctx context.Context) (h Head, err error) {
	doc, err := s.tables.Get(ctx, schema.Name, headID)
	if errors.Is(err, tables.ErrNotFound) {
		return h, ErrNone
	}
	if err != nil {
		return h, fmt.Errorf("read the published checkpoint: %w", err)
	}
	if err := json.Unmarshal(doc.Body, &h); err != nil {
		return h, fmt.Errorf("the published checkpoint: %w: %w", ErrDamaged, err)
	}
	return h, nil
}

// Publish replaces the published checkpoint by one of a larger tree, or by the same with more signatures. At is the
// number of the publication: what is not larger than the last one changes nothing.
func (s *Store) Publish(ctx context.Context, h Head, at events.Position) error {
	body, err := json.Marshal(h)
	if err == nil {
		err = s.tables.Apply(ctx, tables.Batch{Writes: []tables.Write{{Table: schema.Name,
			Documents: []tables.Document{{ID: headID, At: at, Body: body}}}}})
	}
	if err != nil {
		return fmt.Errorf("publish the checkpoint of size %d: %w", h.Size, err)
	}
	return nil
}

// hashesBody is a tile in the tables; bundleBody a bundle, its places as commit and prepare position in turn.
type (
	hashesBody struct {
		Hashes string `json:"hashes"` // base64
	}
	bundleBody struct {
		Entries string   `json:"entries"` // base64
		Places  []uint64 `json:"places"`
	}
	// stateBody is what a tree is gone on from.
	stateBody struct {
		Size    int64    `json:"size"`
		Edge    [][]byte `json:"edge"`
		Pending int      `json:"pending"`
	}
)

func partID(tree string, level int, number int64) string {
	return fmt.Sprintf("%s#%d/%d", tree, level, number)
}

func stateID(tree string) string { return tree + "#state" }

func (p part) document(tree string, at events.Position) (tables.Document, error) {
	var body any
	if p.level == 0 {
		raw, places := make([]byte, 0, len(p.bundle.Entries)*tlog.HashSize), make([]uint64, 0, 2*len(p.bundle.Places))
		for i, e := range p.bundle.Entries {
			raw, places = append(raw, e[:]...), append(places, p.bundle.Places[i].Commit, p.bundle.Places[i].Prepare)
		}
		body = bundleBody{base64.StdEncoding.EncodeToString(raw), places}
	} else {
		body = hashesBody{base64.StdEncoding.EncodeToString(join(p.hashes))}
	}
	text, err := json.Marshal(body)
	return tables.Document{ID: partID(tree, p.level, p.number), At: at, Body: text}, err
}

func join(hashes []tlog.Hash) []byte {
	out := make([]byte, 0, len(hashes)*tlog.HashSize)
	for _, h := range hashes {
		out = append(out, h[:]...)
	}
	return out
}

// Writes are the documents that keep what b has, to be applied with the checkpoint of whoever feeds it. Kept says
// that they were. Pending is handed back by Resume.
func (s *Store) Writes(b *Builder, pending int) (w tables.Write, kept func(), err error) {
	w.Table = schema.Name
	for _, p := range b.changed() {
		doc, err := p.document(b.tree, b.last)
		if err != nil {
			return w, nil, fmt.Errorf("encode a tile: %w", err)
		}
		w.Documents = append(w.Documents, doc)
	}
	text, err := json.Marshal(stateBody{b.Size(), b.Edge(), pending})
	if err != nil {
		return w, nil, fmt.Errorf("encode the edge of the tree: %w", err)
	}
	w.Documents = append(w.Documents, tables.Document{ID: stateID(b.tree), At: b.last, Body: text})
	return w, b.forget, nil
}

// ErrIncomplete: what the tables hold of the tree cannot be gone on from. It is built anew.
var ErrIncomplete = errors.New("the tiles in the tables are incomplete")

// ErrDamaged is an ErrIncomplete of what is there and cannot be read.
var ErrDamaged = fmt.Errorf("%w: what is there cannot be read", ErrIncomplete)

// Resume is the builder as it was kept, with the place of its newest leaf; ErrIncomplete.
func (s *Store) Resume(ctx context.Context, tree string) (b *Builder, pending int, err error) {
	doc, err := s.tables.Get(ctx, schema.Name, stateID(tree))
	if errors.Is(err, tables.ErrNotFound) {
		return nil, 0, ErrIncomplete
	}
	if err != nil {
		return nil, 0, fmt.Errorf("read the edge of the tree: %w", err)
	}
	var state stateBody
	if err := json.Unmarshal(doc.Body, &state); err != nil {
		return nil, 0, fmt.Errorf("the edge of the tree: %w: %w", ErrDamaged, err)
	}
	b = NewBuilder(tree)
	if b.Roots, err = ResumeRoots(state.Size, state.Edge); err != nil {
		return nil, 0, fmt.Errorf("%w: %w", ErrIncomplete, err)
	}
	b.last = doc.At
	if width := state.Size % torchwood.TileWidth; width > 0 {
		if b.bundle, err = s.Bundle(ctx, tree, state.Size/torchwood.TileWidth, width); err != nil {
			return nil, 0, err
		}
	}
	for level, hashes := 1, state.Size/torchwood.TileWidth; hashes > 0; level, hashes = level+1,
		hashes/torchwood.TileWidth {
		if width := hashes % torchwood.TileWidth; width > 0 {
			b.buffer[level] = hashes / torchwood.TileWidth
			if b.tiles[level], err = s.hashes(ctx, tree, level, b.buffer[level], width); err != nil {
				return nil, 0, err
			}
		}
	}
	return b, state.Pending, nil
}

// Last is the place of the newest leaf but the first one.
func (b *Builder) Last() events.Position { return b.last }

// body reads a part; ErrIncomplete when it is not there, ErrDamaged.
func (s *Store) body(ctx context.Context, tree string, level int, number int64, into any) error {
	doc, err := s.tables.Get(ctx, schema.Name, partID(tree, level, number))
	if errors.Is(err, tables.ErrNotFound) {
		return fmt.Errorf("tile %d of level %d: %w", number, level, ErrIncomplete)
	}
	if err != nil {
		return fmt.Errorf("read tile %d of level %d: %w", number, level, err)
	}
	if err := json.Unmarshal(doc.Body, into); err != nil {
		return fmt.Errorf("tile %d of level %d: %w: %w", number, level, ErrDamaged, err)
	}
	return nil
}

// Bundle reads the first so many entries of a bundle; ErrIncomplete when there are fewer.
func (s *Store) Bundle(ctx context.Context, tree string, number, width int64) (b Bundle, err error) {
	var body bundleBody
	if err := s.body(ctx, tree, 0, number, &body); err != nil {
		return b, err
	}
	raw, err := base64.StdEncoding.DecodeString(body.Entries)
	if err != nil || int64(len(raw)) < width*tlog.HashSize || int64(len(body.Places)) < 2*width {
		return b, fmt.Errorf("bundle %d: %w", number, ErrIncomplete)
	}
	for i := range width {
		b.Entries = append(b.Entries, Entry(raw[i*tlog.HashSize:]))
		b.Places = append(b.Places, events.Position{Commit: body.Places[2*i], Prepare: body.Places[2*i+1]})
	}
	return b, nil
}

// hashes reads the first so many hashes of a tile; ErrIncomplete when there are fewer.
func (s *Store) hashes(ctx context.Context, tree string, level int, number, width int64) ([]tlog.Hash, error) {
	if level == 0 {
		b, err := s.Bundle(ctx, tree, number, width)
		out := make([]tlog.Hash, len(b.Entries))
		for i, e := range b.Entries {
			out[i] = e.Hash()
		}
		return out, err
	}
	var body hashesBody
	if err := s.body(ctx, tree, level, number, &body); err != nil {
		return nil, err
	}
	raw, err := base64.StdEncoding.DecodeString(body.Hashes)
	if err != nil || int64(len(raw)) < width*tlog.HashSize {
		return nil, fmt.Errorf("tile %d of level %d: %w", number, level, ErrIncomplete)
	}
	out := make([]tlog.Hash, width)
	for i := range out {
		out[i] = tlog.Hash(raw[i*tlog.HashSize:])
	}
	return out, nil
}

// Tile is what is served for a tile of the tree, level -1 being the entries; ErrIncomplete when the tree is not so
// large.
func (s *Store) Tile(ctx context.Context, tree string, t tlog.Tile) ([]byte, error) {
	if t.L >= 0 {
		hashes, err := s.hashes(ctx, tree, t.L, t.N, int64(t.W))
		return join(hashes), err
	}
	b, err := s.Bundle(ctx, tree, t.N, int64(t.W))
	if err != nil {
		return nil, err
	}
	var out []byte
	for _, e := range b.Entries {
		if out, err = torchwood.AppendTileEntry(out, e[:]); err != nil {
			return nil, fmt.Errorf("bundle %d: %w", t.N, err)
		}
	}
	return out, nil
}
