package verify

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"filippo.io/torchwood"

	decide "folio/commands/transparency"
	"folio/events"
	"folio/transparency"
	"folio/vault"
)

// Held is a checkpoint that somebody kept, whose signature was verified.
type Held struct {
	Name string // where it is from
	torchwood.Checkpoint
}

// tree is one of the log's trees, computed anew.
type tree struct {
	events.TreeBegun
	stream    string
	salts     transparency.Salts
	first     events.Recorded // leaf 0
	roots     *transparency.Roots
	said      []said // of it, in order of their sizes; not those in the log
	next      func() (events.Recorded, error, bool)
	stop      func()
	signed    int64                      // size of the last checkpoint that was signed or published
	newest    int64                      // size of the last one that the log has, as far as it was read
	recorded  *events.CheckpointRecorded // the next one of the log, nil after the last
	place     events.Recorded            // of recorded
	confirmed int64                      // size of the last checkpoint that was right
	sure      events.Recorded            // the last event that it covers
	store     *transparency.Store        // has the published entries; nil: they are another tree's, or none
	kept      int64                      // how many entries the store had at the start
	bundle    transparency.Bundle
	doubt     *doubt // the first entry that is not its event's
}

// said is a checkpoint that somebody else than the log tells of.
type said struct {
	who  string
	size int64
	root string
}

// openTrees finds the trees of the log and what is said of them.
func (r *run) openTrees(ctx context.Context) error {
	begun, err := r.begun(ctx)
	if err != nil {
		return err
	}
	if len(begun) == 0 {
		return r.withoutTree(ctx)
	}
	last := begun[len(begun)-1]
	salts, err := transparency.ReadSalts(ctx, r.Secrets) // they were drawn before a tree began with them
	if errors.Is(err, vault.ErrNotFound) {
		return differs(last.first, "the vault does not have the salts that the tree %s was begun with: they were removed, or "+
			"it is another vault", last.Tree)
	}
	if err != nil {
		return err
	}
	if last.Salts != salts.Fingerprint() && last.Leaf == transparency.LeafVersion {
		return differs(last.first, "the vault has other salts than the tree %s was begun with: they were replaced, or it is "+
			"another vault", last.Tree)
	}
	for _, t := range begun {
		if err := r.openTree(ctx, t, salts); err != nil {
			return err
		}
	}
	if err := r.heldElsewhere(); err != nil {
		return err
	}
	if len(r.trees) > 0 {
		return r.published(ctx, r.trees[len(r.trees)-1])
	}
	return nil
}

// withoutTree is for a log that has no tree. It never had one unless the vault remembers that a checkpoint of it was
// signed: a log's first tree bears the log's id.
func (r *run) withoutTree(ctx context.Context) error {
	for _, id := range r.Logs {
		m, err := transparency.ReadMark(ctx, r.Secrets, id)
		if err != nil {
			return err
		}
		if m.Size > 0 {
			return &Difference{What: fmt.Sprintf("a checkpoint of size %d of the tree %s was signed, as the vault "+
				"remembers, and the tree is missing in the log: its facts were removed, or the vault is of another log",
				m.Size, id)}
		}
	}
	r.report.note("no transparency log was ever kept: nothing is held against checkpoints")
	return r.heldElsewhere()
}

// begun are the trees that the ids of the log have, oldest first.
func (r *run) begun(ctx context.Context) (out []*tree, err error) {
	for _, id := range r.Logs {
		stream := decide.Decider.Stream(id)
		for e, err := range r.Log.Read(ctx, stream, 0) {
			if err != nil {
				return nil, troubled(err, e)
			}
			if e.Type != events.Name[events.TreeBegun]() {
				continue
			}
			opened, err := events.Open(e)
			if err != nil {
				return nil, differs(e, "it cannot be read: %v", err)
			}
			if t, ok := opened.Event.(events.TreeBegun); ok {
				out = append(out, &tree{TreeBegun: t, stream: stream, first: e, roots: transparency.NewRoots()})
			}
		}
	}
	for i := 1; i < len(out); i++ {
		if out[i].stream == out[i-1].stream && out[i].Salts != out[i-1].Salts {
			r.renewed = out[i].first.Position
		}
	}
	return out, nil
}

// openTree opens one whose leaves can be computed.
func (r *run) openTree(ctx context.Context, t *tree, salts transparency.Salts) error {
	if t.Salts != salts.Fingerprint() || t.Leaf != transparency.LeafVersion {
		r.report.note("the tree %s cannot be computed: its salts were in a vault that was given up, or this program does "+
			"not know its leaves (%s)", t.Tree, t.Leaf)
		return nil
	}
	t.salts = salts
	r.trees = append(r.trees, t)
	return r.expect(ctx, t)
}

// expect prepares to read the tree's checkpoints beside its leaves.
func (r *run) expect(ctx context.Context, t *tree) (err error) {
	t.next, t.stop = iter.Pull2(r.Log.Read(ctx, t.stream, t.first.Revision+1))
	if err := t.advance(); err != nil {
		return err
	}
	m, err := transparency.ReadMark(ctx, r.Secrets, t.Tree)
	if err != nil {
		return err
	}
	if t.signed = m.Size; m.Size > 0 {
		t.said = append(t.said, said{"that was signed last, as the vault remembers,", m.Size, m.Root})
	}
	return t.roots.Add(t.salts.Entry(t.first))
}

// advance finds the next checkpoint that the log has of the tree.
func (t *tree) advance() error {
	for {
		e, err, more := t.next()
		if !more {
			t.recorded = nil
			return nil
		}
		if err != nil {
			return troubled(err, e)
		}
		if e.Type != events.Name[events.CheckpointRecorded]() {
			continue
		}
		opened, err := events.Open(e)
		if err != nil {
			return differs(e, "it cannot be read: %v", err)
		}
		if c, ok := opened.Event.(events.CheckpointRecorded); ok && c.Tree == t.Tree {
			if t.recorded != nil && c.Size <= t.recorded.Size {
				return differs(e, "a checkpoint of size %d stands behind one of size %d", c.Size, t.recorded.Size)
			}
			t.recorded, t.place, t.newest = &c, e, c.Size
			return nil
		}
	}
}

// heldElsewhere gives the checkpoints that others hold to their trees.
func (r *run) heldElsewhere() error {
	for _, h := range r.Held {
		i := slices.IndexFunc(r.trees, func(t *tree) bool { return t.Origin == h.Origin })
		if i < 0 {
			return &Difference{What: fmt.Sprintf("the checkpoint %s is of %s, and the log has no such tree", h.Name, h.Origin)}
		}
		r.trees[i].said = append(r.trees[i].said, said{"in " + h.Name, h.N, h.Hash.String()})
	}
	for _, t := range r.trees {
		slices.SortStableFunc(t.said, func(a, b said) int { return int(min(max(a.size-b.size, -1), 1)) })
	}
	return nil
}

// leaf adds an event to every tree and holds them against what is said.
func (r *run) leaf(ctx context.Context, e events.Recorded) error {
	if !transparency.Counts(e) {
		return nil
	}
	for _, t := range r.trees {
		if e.Position == t.first.Position {
			continue
		}
		entry := t.salts.Entry(e)
		if err := t.entry(ctx, t.roots.Size(), e, entry); err != nil {
			return err
		}
		if err := t.roots.Add(entry); err != nil {
			return err
		}
		if err := r.before(t, e); err != nil {
			return err
		}
		if err := r.checkpoint(t, e); err != nil {
			return err
		}
	}
	return nil
}

// before holds the log's own time of an event against the next checkpoint that covers it. The notary had read the event
// when it dated the checkpoint, and that date is in a leaf. A checkpoint that was itself appended much later than it
// was dated is a copy's, whose events all have the time of the copy.
func (r *run) before(t *tree, e events.Recorded) error {
	if t.recorded == nil || !e.When().After(t.place.Meta.At.Add(clockSkew)) {
		return nil
	}
	if t.place.When().After(t.place.Meta.At.Add(clockSkew)) {
		r.report.note("the log's own time of what the checkpoint at revision %d of %s covers: the checkpoint was appended "+
			"at %s and dated %s, as in a log that was copied", t.place.Revision, t.stream, moment(t.place.When()),
			moment(t.place.Meta.At))
		return nil
	}
	return differs(e, "the log says that it was appended at %s, and the checkpoint of size %d that covers it was made "+
		"at %s", moment(e.When()), t.recorded.Size, moment(t.place.Meta.At))
}

// checkpoint compares the root with every checkpoint of the size that the tree has now.
func (r *run) checkpoint(t *tree, e events.Recorded) error {
	size := t.roots.Size()
	due := t.recorded != nil && t.recorded.Size == size || len(t.said) > 0 && t.said[0].size == size
	if !due {
		return nil
	}
	root, err := t.roots.Root()
	if err != nil {
		return err
	}
	for len(t.said) > 0 && t.said[0].size == size {
		switch {
		case t.said[0].root == root.String():
		case t.said[0].who == edge: // each entry up to there was compared
			return differs(e, "the hashes that the tiles of the tree %s are gone on from, at size %d, are not what their "+
				"entries make%s", t.Tree, size, anew)
		default:
			return t.wrong(e, fmt.Sprintf("the checkpoint of size %d %s", size, t.said[0].who))
		}
		t.said = t.said[1:]
		r.report.Checkpoints++
	}
	if t.recorded != nil && t.recorded.Size == size {
		if t.recorded.Root != root.String() {
			return t.wrong(e, fmt.Sprintf("the checkpoint of size %d that is recorded at revision %d of %s, position %s", size,
				t.place.Revision, t.stream, t.place.Position))
		}
		r.report.Checkpoints++
		if err := t.advance(); err != nil {
			return err
		}
	}
	t.confirmed, t.sure = size, e
	return nil
}

// wrong is the difference of a root. It lies between the last checkpoint that was right and this one.
func (t *tree) wrong(e events.Recorded, which string) *Difference {
	d := differs(e, "the log up to here is not the one of %s", which)
	if t.confirmed > 0 {
		d.What += fmt.Sprintf("; it was right up to revision %d of %s, position %s (size %d)", t.sure.Revision, t.sure.Stream,
			t.sure.Position, t.confirmed)
	}
	return d
}

// ended finds what was said of a larger tree than the log has.
func (r *run) ended(ctx context.Context) error {
	for _, t := range r.trees {
		size := t.roots.Size()
		switch {
		case t.recorded != nil && !r.end.Before(t.place.Position):
			return differs(t.place, "it is a checkpoint of %d leaves, and the log has %d", t.recorded.Size, size)
		case t.kept > size:
			return differs(r.last, "the log ends here with %d leaves, and %d were published: the end of the log is missing",
				size, t.kept)
		case len(t.said) > 0:
			return differs(r.last, "the log ends here with %d leaves, and the checkpoint %s has %d: the end of the log is "+
				"missing", size, t.said[0].who, t.said[0].size)
		case t.signed > t.newest:
			return &Difference{Stream: t.stream, Revision: t.place.Revision, Position: t.place.Position,
				What: fmt.Sprintf("the last checkpoint behind here has size %d, and one of size %d was signed, which is "+
					"recorded before: the end of the stream is missing", t.newest, t.signed)}
		}
		if err := t.tiles(ctx); err != nil {
			return err
		}
		r.report.Leaves = size
	}
	return nil
}
