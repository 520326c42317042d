package verify

import (
	"context"
	"errors"
	"slices"

	"filippo.io/torchwood"

	"folio/events"
	"folio/tables"
	"folio/transparency"
)

// What to do: where it is certain that what differs is in the tables, which are made from the log, and where it is not.
const (
	anew = "; the tables were changed or damaged, not the log: keep a copy of them if you look for who did it, and " +
		"build them anew: folio projections rebuild notary"
	either = "; the tables or the log were changed: hold the log against a checkpoint that somebody else kept " +
		"(--checkpoint) before the tables are built anew (folio projections rebuild notary)"
)

// edge is what tells of the root that the tiles are gone on from.
const edge = "that the tiles are gone on from"

// published adds what the tables have of the present tree.
func (r *run) published(ctx context.Context, t *tree) error {
	store, err := transparency.OpenStore(ctx, r.Tables)
	if err != nil {
		return err
	}
	head, err := store.Head(ctx)
	switch {
	case errors.Is(err, transparency.ErrNone):
		r.report.note("the tiles of the tree %s: no checkpoint is published (if no service is about to: folio "+
			"projections rebuild notary)", t.Tree)
		return nil
	case errors.Is(err, transparency.ErrDamaged):
		return differs(t.first, "what is published of the tree %s cannot be read: %v%s", t.Tree, err, anew)
	case err != nil:
		return err
	case head.Tree != t.Tree:
		r.report.note("the tiles of the tree %s: those that are published are of the tree %.80q", t.Tree, head.Tree)
		return nil
	}
	if err := r.signed(ctx, t, head); err != nil {
		return err
	}
	// What is signed is remembered before: whoever takes that away hides that the end of the log is.
	m, err := transparency.ReadMark(ctx, r.Secrets, t.Tree)
	if err != nil {
		return err
	}
	if m.Size == 0 {
		return differs(t.first, "a checkpoint of the tree %s is published, and the vault does not remember that one was "+
			"signed: that was removed, or it is an older copy of the vault", t.Tree)
	}
	t.say("that is published", head.Size, head.Root)
	t.signed = max(t.signed, head.Size)
	b, _, err := store.Resume(ctx, t.Tree)
	if errors.Is(err, transparency.ErrDamaged) {
		return differs(t.first, "what is published of the tree %s cannot be read: %v%s", t.Tree, err, anew)
	}
	if errors.Is(err, transparency.ErrIncomplete) || errors.Is(err, tables.ErrNotFound) {
		r.report.note("the tiles of the tree %s: they are being built anew, or some are missing (%v; if no service "+
			"is building them: folio projections rebuild notary)", t.Tree, err)
		return nil
	}
	if err != nil {
		return err
	}
	t.store, t.kept = store, b.Size()
	if b.Size() > 1 { // leaf 0 is there before anything is compared
		root, err := b.Root()
		if err != nil {
			return err
		}
		t.say(edge, b.Size(), root.String())
	}
	err = t.entry(ctx, 0, t.first, t.salts.Entry(t.first))
	t.bundle = transparency.Bundle{} // a run that goes on from elsewhere needs another one
	return err
}

// say adds a checkpoint that the log is held against.
func (t *tree) say(who string, size int64, root string) {
	t.said = append(t.said, said{who, size, root})
	slices.SortStableFunc(t.said, func(a, b said) int { return int(min(max(a.size-b.size, -1), 1)) })
}

// signed verifies the signature of the published checkpoint by the key that the log has for it.
func (r *run) signed(ctx context.Context, t *tree, head transparency.Head) error {
	key := t.Key
	handed := head.Rotations
	for e, err := range r.Log.Read(ctx, t.stream, t.first.Revision+1) {
		if len(handed) == 0 {
			break
		}
		if err != nil {
			return troubled(err, e)
		}
		if e.Type != events.Name[events.NotaryKeyRotated]() {
			continue
		}
		opened, err := events.Open(e)
		if err != nil {
			return differs(e, "it cannot be read: %v", err)
		}
		rotated, ok := opened.Event.(events.NotaryKeyRotated)
		if !ok || rotated.Tree != t.Tree {
			continue
		}
		if err := transparency.CheckRotation(t.Tree, key, rotated); err != nil {
			return differs(e, "%v", err)
		}
		if handed[0] != rotated {
			return differs(e, "the rotation of the key that is published is another one%s", either)
		}
		key, handed = rotated.Key, handed[1:]
	}
	if len(handed) > 0 || head.Key != key || head.Origin != t.Origin {
		return differs(t.first, "the published checkpoint names a key, a rotation or an origin that the log does not have "+
			"for the tree %s%s", t.Tree, either)
	}
	c, err := transparency.OpenHead(head.Note, key)
	if err != nil {
		return differs(t.first, "the published checkpoint of the tree %s is not signed by its key: %v%s", t.Tree, err,
			either)
	}
	if c.Origin != head.Origin || c.N != head.Size || c.Hash.String() != head.Root {
		return differs(t.first, "what is signed of the tree %s is not the checkpoint that is published: %s of size %d%s",
			t.Tree, c.Origin, c.N, anew)
	}
	return nil
}

// entry compares what is published of the n-th leaf, from 0, and of its place in the log. Of one that is another one
// the checkpoints say whether the event was changed or the entry, so the difference is kept until they are looked at.
func (t *tree) entry(ctx context.Context, n int64, e events.Recorded, entry transparency.Entry) error {
	if t.store == nil || n >= t.kept || t.doubt != nil {
		return nil
	}
	within := n % torchwood.TileWidth
	if within >= int64(len(t.bundle.Entries)) || within == 0 {
		var err error
		t.bundle, err = t.store.Bundle(ctx, t.Tree, n/torchwood.TileWidth,
			min(torchwood.TileWidth, t.kept-n/torchwood.TileWidth*torchwood.TileWidth))
		if errors.Is(err, transparency.ErrIncomplete) {
			return differs(e, "its entry as leaf %d of the tree %s cannot be read: %v%s", n, t.Tree, err, anew)
		}
		if err != nil {
			return err
		}
	}
	if t.bundle.Entries[within] != entry {
		t.doubt = &doubt{n, e}
		return nil
	}
	if was := t.bundle.Places[within]; was != e.Position {
		return differs(e, "it was published as leaf %d of the tree %s with the place %s", n, t.Tree, was)
	}
	return nil
}

// tiles compares the hashes above the entries, which were compared one by one.
func (t *tree) tiles(ctx context.Context) error {
	if t.store == nil || t.doubt != nil {
		return nil
	}
	wrong, err := t.store.WrongTile(ctx, t.Tree, t.kept)
	if errors.Is(err, transparency.ErrIncomplete) {
		return differs(t.first, "the published tree %s has holes: %v%s", t.Tree, err, anew)
	}
	if err == nil && wrong != "" {
		return differs(t.first, "%s of the tree %s is not what its entries make%s", wrong, t.Tree, anew)
	}
	return err
}

// doubt is an event that is not what was published of it.
type doubt struct {
	leaf  int64
	event events.Recorded
}

// doubted is why reading ends where the first difference is an entry. Where the log
// has the root of each checkpoint that was signed, and one of them covers the event, it is the entry that was changed.
func (r *run) doubted(err error) error {
	for _, t := range r.trees {
		switch d := t.doubt; {
		case d == nil:
		case err == nil && d.leaf < t.signed:
			return differs(d.event, "it is published as leaf %d of the tree %s otherwise than the signed checkpoint of size "+
				"%d has it, which the log agrees with%s", d.leaf, t.Tree, t.signed, anew)
		default:
			return differs(d.event, "it is not the event that was published as leaf %d of the tree %s: it was changed, or one "+
				"before it is missing, was added or stands elsewhere", d.leaf, t.Tree)
		}
	}
	return err
}

// doubts says that a difference is known, of which the rest of the log says what it is.
func (r *run) doubts() bool {
	return slices.ContainsFunc(r.trees, func(t *tree) bool { return t.doubt != nil })
}
