package reactor

import (
	"context"
	"errors"
	"fmt"

	"folio/events"
	"folio/tables"
)

// AskRebuild asks for the worklist of a processor to be made anew from the log. Its owner does so within seconds, in
// whatever process it runs, or the next owner when there is none now. Log is the id of the event log.
func AskRebuild(ctx context.Context, store tables.Store, log, processor string) error {
	name := rebuildRequest(processor)
	err := store.ResetCheckpoint(ctx, name) // one of another log would refuse ours
	if err == nil {
		err = store.Apply(ctx, tables.Batch{Checkpoint: &tables.Checkpoint{Name: name, Store: log,
			At: events.Position{Commit: 1}}})
	}
	if err != nil {
		return fmt.Errorf("ask for the worklist of %s to be made anew: %w", processor, err)
	}
	return nil
}

// RebuildAsked says whether a worklist still waits to be made anew.
func RebuildAsked(ctx context.Context, store tables.Store, processor string) (bool, error) {
	_, err := store.Checkpoint(ctx, rebuildRequest(processor))
	if errors.Is(err, tables.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// rebuildRequest is the checkpoint that stands for the request: every store keeps those, and forgets them at a word.
func rebuildRequest(processor string) string { return "rebuild-" + processor }

// startOver carries out a request: everything folded is forgotten, the request last, so that a crash repeats it.
func (c *Checkpoints) startOver(ctx context.Context, group string) error {
	asked, err := RebuildAsked(ctx, c.Store, group)
	if err != nil || !asked {
		return err
	}
	if err := errors.Join(c.Forget(ctx), c.Store.ResetCheckpoint(ctx, group)); err != nil {
		return fmt.Errorf("make the worklist of %s anew: %w", group, err)
	}
	return c.Store.ResetCheckpoint(ctx, rebuildRequest(group))
}
