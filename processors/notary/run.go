package notary

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strconv"
	"sync"
	"time"

	"folio/commands"
	decide "folio/commands/transparency"
	"folio/events"
	"folio/processors/reactor"
	"folio/tables"
	"folio/transparency"
)

// run is one ownership of the tree.
type run struct {
	*Processor
	checkpoints *reactor.Checkpoints
	salts       transparency.Salts
	courier     *courier

	mu        sync.Mutex
	state     decide.State // as it was recorded last
	builder   *transparency.Builder
	at        events.Position // up to here the log was heard
	saved     events.Position
	skip      events.Position   // leaves up to here are in the tree already
	kept      time.Time         // when leaves were last written
	keptSize  int64             // how many leaves the tables have
	pending   int               // leaves since the last checkpoint that deserve one
	live      bool              // the past was heard
	compared  int64             // size of the recorded checkpoint that was found right
	mark      transparency.Mark // what was signed last
	published int64
}

var errOlderCopy = errors.New("the event log ends before a checkpoint that was signed: it is an older copy of the log. " +
	"Give Folio the newer one; or, if this one is to go on: folio notary begin --reason WHY")

// signedBefore refuses a log that lacks a checkpoint which was signed. Each is recorded before it is signed, so a log
// that is read after the mark has it; the one that was read before may lack what another notary recorded since.
func (r *run) signedBefore(ctx context.Context) (err error) {
	r.mark, err = transparency.ReadMark(ctx, r.c.Secrets, r.state.Tree)
	if err == nil && r.lacksMark() {
		r.state, err = r.begun(ctx, r.salts)
	}
	if err == nil && r.lacksMark() {
		err = errOlderCopy
	}
	return err
}

func (r *run) lacksMark() bool {
	return r.mark.Size > r.state.Size || r.mark.Size == r.state.Size && r.mark.Root != r.state.Root
}

// resume opens the tree as it is kept in the tables, or begins to build it anew.
func (r *run) resume(ctx context.Context, after events.Position) (_ events.Position, err error) {
	if !after.IsZero() {
		r.builder, r.pending, err = r.c.Store.Resume(ctx, r.state.Tree)
	}
	if after.IsZero() || errors.Is(err, transparency.ErrIncomplete) {
		return r.anew(ctx)
	}
	if err != nil {
		return after, err
	}
	if r.state.Size >= r.builder.Size() {
		r.pending = 0
	}
	if err := r.compare(ctx); err != nil {
		return after, err
	}
	r.at, r.saved, r.skip = after, after, r.builder.Last()
	r.kept, r.keptSize = r.Clock.Now(), r.builder.Size()
	head, err := r.c.Store.Head(ctx)
	if errors.Is(err, transparency.ErrNone) {
		err = nil
	}
	r.published = head.Size
	return after, err
}

// anew begins with the first leaf, which is the event that the tree begins with.
func (r *run) anew(ctx context.Context) (events.Position, error) {
	if err := errors.Join(r.c.Store.Forget(ctx), r.Tables.ResetCheckpoint(ctx, Name)); err != nil {
		return events.Position{}, fmt.Errorf("build the tree anew: %w", err)
	}
	if _, err := r.checkpoints.Load(ctx, Name); err != nil {
		return events.Position{}, err
	}
	first, err := FirstLeaf(ctx, r.Executor, r.Log, r.state.Tree)
	if err != nil {
		return events.Position{}, err
	}
	r.builder = transparency.NewBuilder(r.state.Tree)
	r.pending = 1
	return events.Position{}, r.builder.Add(r.salts.Entry(first), first.Position)
}

// FirstLeaf is the event that a tree begins with, as the log keeps it.
func FirstLeaf(ctx context.Context, x interface {
	Read(ctx context.Context, stream string, from uint64) iter.Seq2[events.Recorded, error]
}, log, tree string) (events.Recorded, error) {
	for e, err := range x.Read(ctx, decide.Decider.Stream(log), 0) {
		if err != nil {
			return e, fmt.Errorf("read how the tree began: %w", err)
		}
		if begun, ok := e.Event.(events.TreeBegun); ok && begun.Tree == tree {
			return e, nil
		}
	}
	return events.Recorded{}, fmt.Errorf("the log does not say how the tree %s began", tree)
}

var errDiffers = errors.New("the log is not the one that a checkpoint was recorded of: run folio verify")

// compare holds the tree against the checkpoint that was recorded last, once it is as large.
func (r *run) compare(ctx context.Context) error {
	if r.state.Size == r.compared || r.state.Size > r.builder.Size() {
		return nil
	}
	root, err := r.builder.Root()
	if r.state.Size < r.builder.Size() {
		root, err = r.c.Store.Root(ctx, r.state.Tree, r.state.Size)
	}
	if err == nil && root.String() != r.state.Root {
		err = errDiffers
	}
	if err == nil {
		r.compared = r.state.Size
	}
	return err
}

// take folds a batch.
func (r *run) take(ctx context.Context, b Batch) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, e := range b.Events {
		if !transparency.Counts(e) || !r.skip.Before(e.Position) {
			continue
		}
		own, first, err := r.own(e)
		if err != nil {
			return err
		}
		if first {
			continue
		}
		if err := r.builder.Add(r.salts.Entry(e), e.Position); err != nil {
			return err
		}
		if !own && r.builder.Size() > r.state.Size { // another notary's checkpoint may be ahead of us
			r.pending++
		}
	}
	r.at = b.Position
	if b.CaughtUp && !r.live {
		r.live = true
		r.CaughtUp()
	}
	err := r.settle(ctx)
	kick(r.wake)
	return err
}

// own says whether an event is the notary's, for which no checkpoint is made, and whether it is the first leaf of
// the tree, which stands at its beginning. Another tree that begins now ends the run.
func (r *run) own(e events.Recorded) (own, first bool, err error) {
	if e.Stream != decide.Decider.Stream(r.Log) {
		return false, false, nil
	}
	switch e.Type {
	case events.Name[events.CheckpointRecorded](), events.Name[events.CheckpointCosigned]():
		return true, false, nil
	case events.Name[events.TreeBegun]():
		opened, err := events.Open(e)
		begun, ok := opened.Event.(events.TreeBegun)
		if err != nil || !ok {
			return false, false, nil
		}
		if first = begun.Tree == r.state.Tree; !first && r.live {
			return false, false, decide.ErrOtherTree
		}
	}
	return false, first, nil
}

// tick looks at what is due by the clock, and ends the run when that fails.
func (r *run) tick(ctx context.Context, fail context.CancelCauseFunc) {
	for ctx.Err() == nil {
		r.mu.Lock()
		err := r.settle(ctx)
		next := r.next()
		r.mu.Unlock()
		if err != nil && ctx.Err() == nil {
			fail(err)
			return
		}
		select {
		case <-ctx.Done():
		case <-r.wake:
		case <-r.Clock.At(next):
		}
	}
}

// next is when there is something to do if nothing happens.
func (r *run) next() time.Time {
	next := r.Clock.Now().Add(time.Hour)
	if r.unkept() {
		next = r.kept.Add(keepEvery)
	}
	if due := r.state.RecordedAt.Add(r.c.Every); r.live && r.pending > 0 && due.Before(next) {
		next = due
	}
	return next
}

func (r *run) unkept() bool { return r.saved.Before(r.at) }

// due says whether a checkpoint is.
func (r *run) due(now time.Time) bool {
	return r.live && (r.pending >= r.c.Most || r.pending > 0 && !now.Before(r.state.RecordedAt.Add(r.c.Every)))
}

// settle writes leaves that waited long enough or whose checkpoint waits for them, and records and signs a checkpoint
// that is due.
func (r *run) settle(ctx context.Context) error {
	now := r.Clock.Now()
	due := r.due(now)
	recorded := r.live && r.published < r.state.Size && r.state.Size <= r.builder.Size()
	if r.unkept() && (due || recorded || !now.Before(r.kept.Add(keepEvery))) {
		if err := r.keepLeaves(ctx, now); err != nil {
			return err
		}
	}
	if due {
		if err := r.record(ctx, now); err != nil {
			return err
		}
	}
	return r.publish(ctx)
}

func (r *run) keepLeaves(ctx context.Context, now time.Time) error {
	w, kept, err := r.c.Store.Writes(r.builder, r.pending)
	if err != nil {
		return err
	}
	err = r.checkpoints.Apply(ctx, tables.Batch{Writes: []tables.Write{w}}, r.at)
	if err != nil {
		return fmt.Errorf("keep the leaves: %w", err)
	}
	kept()
	r.saved, r.kept, r.keptSize = r.at, now, r.builder.Size()
	return nil
}

// record makes a checkpoint of all leaves a fact. Whoever was quicker is believed if its checkpoint is right: then what
// came since is due again.
func (r *run) record(ctx context.Context, now time.Time) error {
	if err := r.compare(ctx); err != nil {
		return err
	}
	root, err := r.builder.Root()
	if err != nil {
		return err
	}
	size := r.builder.Size()
	c := decide.Record{Tree: r.state.Tree, After: r.state.Size, Size: size, Root: root.String()}
	out, err := commands.Bind(r.Executor, decide.Decider).Execute(ctx, r.Log, decide.Command(c),
		// The root is in the id of the request: a log takes an event whose id it has for the one that it has.
		request(now, "checkpoint", r.state.Tree, strconv.FormatInt(size, 10), c.Root))
	switch {
	case errors.Is(err, decide.ErrForked):
		return errDiffers
	case err != nil:
		return fmt.Errorf("record a checkpoint: %w", err)
	}
	r.state = out.State
	if out.State.Tree != c.Tree {
		return decide.ErrOtherTree
	}
	if out.State.Size >= size {
		r.pending = 0
	}
	return r.compare(ctx)
}

// publish signs the checkpoint that was recorded last and publishes it, once the tiles reach so far.
func (r *run) publish(ctx context.Context) error {
	if !r.live || r.published >= r.state.Size || r.keptSize < r.state.Size {
		return nil
	}
	if err := r.compare(ctx); err != nil {
		return err
	}
	if err := r.remember(ctx); err != nil {
		return err
	}
	signed, err := transparency.SignHead(ctx, r.c.Secrets, r.state.TreeHead)
	if err != nil {
		return err
	}
	head := transparency.Head{TreeHead: r.state.TreeHead, Note: signed, PublishedAt: r.Clock.Now().UTC(),
		Rotations: r.state.Rotations}
	if len(r.c.Witnesses) == 0 {
		if err := r.c.Store.Publish(ctx, head, publication(head, 0)); err != nil {
			return err
		}
	}
	r.published = r.state.Size
	r.courier.send(head)
	return nil
}

// publication orders what is published: by size, and the same size by its signatures.
func publication(h transparency.Head, cosigned int) events.Position {
	return events.Position{Commit: uint64(h.Size), Prepare: uint64(cosigned)}
}

// remember keeps in the vault what is about to be signed.
func (r *run) remember(ctx context.Context) error {
	next := transparency.Mark{Size: r.state.Size, Root: r.state.Root}
	if next == r.mark {
		return nil
	}
	if err := next.Keep(ctx, r.c.Secrets, r.state.Tree); err != nil {
		return err
	}
	r.mark = next
	return nil
}
