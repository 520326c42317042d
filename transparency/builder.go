package transparency

import (
	"fmt"

	"github.com/transparency-dev/merkle/compact"
	"github.com/transparency-dev/merkle/rfc6962"
	"golang.org/x/mod/sumdb/tlog"

	"filippo.io/torchwood"

	"folio/events"
)

// factory hashes nodes as RFC 6962 does.
var factory = &compact.RangeFactory{Hash: rfc6962.DefaultHasher.HashChildren}

// Roots is the root of a growing tree, in memory: a hash for each bit of its size.
type Roots struct{ edge *compact.Range }

// NewRoots begins with no leaf.
func NewRoots() *Roots { return &Roots{factory.NewEmptyRange(0)} }

// ResumeRoots goes on from what Edge gave at a size.
func ResumeRoots(size int64, edge [][]byte) (*Roots, error) {
	e, err := factory.NewRange(0, uint64(size), edge)
	if err != nil {
		return nil, fmt.Errorf("resume a tree of %d leaves: %w", size, err)
	}
	return &Roots{e}, nil
}

// Size is how many leaves there are.
func (r *Roots) Size() int64 { return int64(r.edge.End()) }

// Edge is what the tree can be gone on from.
func (r *Roots) Edge() [][]byte { return r.edge.Hashes() }

// Add appends a leaf.
func (r *Roots) Add(e Entry) error { return r.add(e, nil) }

func (r *Roots) add(e Entry, visit compact.VisitFn) error {
	leaf := e.Hash()
	return r.edge.Append(leaf[:], visit)
}

// Root is that of all leaves.
func (r *Roots) Root() (tlog.Hash, error) {
	if r.Size() == 0 {
		return tlog.TreeHash(0, nil)
	}
	var out tlog.Hash
	root, err := r.edge.GetRootHash(nil)
	copy(out[:], root)
	return out, err
}

// Builder grows a tree and hands over the tiles and bundles that changed. Level 0 is not kept: its hashes follow
// from the bundles.
type Builder struct {
	*Roots
	tree   string
	bundle Bundle              // the last one, which is not full; its number follows from the size
	tiles  map[int][]tlog.Hash // the last tile of each level from 1 up, not full
	done   []part              // full ones that were not handed over
	dirty  map[int]bool        // levels whose last tile was not handed over; 0: the bundle
	last   events.Position     // of the newest leaf but the first
	buffer map[int]int64       // number of the last tile of each level
}

// part is a tile, or with level 0 a bundle, on its way to the tables.
type part struct {
	level  int
	number int64
	hashes []tlog.Hash
	bundle Bundle
}

// Bundle is up to 256 entries with their places in the log.
type Bundle struct {
	Entries []Entry
	Places  []events.Position
}

// NewBuilder begins a tree.
func NewBuilder(tree string) *Builder {
	return &Builder{Roots: NewRoots(), tree: tree, tiles: map[int][]tlog.Hash{}, dirty: map[int]bool{},
		buffer: map[int]int64{}}
}

// Add appends the leaf of the event at a place.
func (b *Builder) Add(e Entry, at events.Position) error {
	n := b.Size()
	b.bundle.Entries, b.bundle.Places = append(b.bundle.Entries, e), append(b.bundle.Places, at)
	b.dirty[0] = true
	if n > 0 { // the first leaf stands before those that were recorded before it
		b.last = at
	}
	if len(b.bundle.Entries) == torchwood.TileWidth {
		b.done = append(b.done, part{number: n / torchwood.TileWidth, bundle: b.bundle})
		b.bundle, b.dirty[0] = Bundle{}, false
	}
	return b.add(e, b.visit)
}

// visit takes the nodes that stand in tiles: those of every eighth level.
func (b *Builder) visit(id compact.NodeID, hash []byte) {
	if id.Level == 0 || id.Level%torchwood.TileHeight != 0 {
		return
	}
	level := int(id.Level / torchwood.TileHeight)
	b.tiles[level] = append(b.tiles[level], tlog.Hash(hash))
	b.buffer[level], b.dirty[level] = int64(id.Index)/torchwood.TileWidth, true
	if len(b.tiles[level]) == torchwood.TileWidth {
		b.done = append(b.done, part{level: level, number: b.buffer[level], hashes: b.tiles[level]})
		b.tiles[level], b.dirty[level] = nil, false
	}
}

// changed are the parts that were added to since the last call of forget.
func (b *Builder) changed() []part {
	out := b.done[:len(b.done):len(b.done)]
	for level, dirty := range b.dirty {
		switch {
		case !dirty:
		case level == 0:
			out = append(out, part{number: b.Size() / torchwood.TileWidth, bundle: b.bundle})
		default:
			out = append(out, part{level: level, number: b.buffer[level], hashes: b.tiles[level]})
		}
	}
	return out
}

// forget says that what changed is kept.
func (b *Builder) forget() {
	b.done = nil
	clear(b.dirty)
}
