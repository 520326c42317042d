// Package checkpoint keeps how far one reader of the log came, in the tables that it writes. A checkpoint carries the
// id of its log and is compared and set: a reader notices tables of another log, tables that stepped back, and a
// second reader that writes.
package checkpoint

import (
	"context"
	"errors"
	"fmt"

	"folio/events"
	"folio/tables"
)

// Checkpoint is how far one reader came. It is used by one goroutine at a time.
type Checkpoint struct {
	Store tables.Store
	Log   string // the id of the log that the positions belong to
	Name  string // in the tables
	Of    string // whose it is, in errors: "read model invoices"

	saved events.Position
	known bool // saved is what is stored
}

// OtherLogError says that what was folded came from another event log, so that neither it nor its positions mean
// anything here. It is tables.ErrOtherLog.
type OtherLogError struct {
	Of     string // what was folded
	Theirs string // the log that it came from
	Ours   string
}

// Error names both logs and the two ways out.
func (e *OtherLogError) Error() string {
	return fmt.Sprintf("%s belongs to event log %s, but this is event log %s: start with the data that belongs together, "+
		"or have everything built anew from this log with `folio projections rebuild --all`", e.Of, e.Theirs, e.Ours)
}

// Is makes the error known as tables.ErrOtherLog.
func (e *OtherLogError) Is(target error) bool { return target == tables.ErrOtherLog }

// Read is what is stored: zero for a reader that never saved. A checkpoint of another log is an *OtherLogError.
func (c *Checkpoint) Read(ctx context.Context) (events.Position, error) {
	stored, err := c.Store.Checkpoint(ctx, c.Name)
	if errors.Is(err, tables.ErrNotFound) {
		return events.Position{}, nil
	}
	if err != nil {
		return events.Position{}, fmt.Errorf("read the checkpoint of %s: %w", c.Of, err)
	}
	if stored.Store != c.Log {
		return events.Position{}, &OtherLogError{Of: c.Of, Theirs: stored.Store, Ours: c.Log}
	}
	return stored.At, nil
}

// Load is Read for a reader that goes on from there: the next Apply must find what Load found.
func (c *Checkpoint) Load(ctx context.Context) (events.Position, error) {
	at, err := c.Read(ctx)
	if err == nil {
		c.saved, c.known = at, true
	}
	return at, err
}

// Saved is what was loaded or applied last.
func (c *Checkpoint) Saved() events.Position { return c.saved }

// Apply writes b together with the checkpoint at a position. tables.ErrCheckpointMoved says that the tables do not
// hold what was saved last; then nothing was written.
func (c *Checkpoint) Apply(ctx context.Context, b tables.Batch, at events.Position) error {
	b.Checkpoint = &tables.Checkpoint{Name: c.Name, Store: c.Log, At: at, After: c.saved}
	err := c.Store.Apply(ctx, b)
	if err == nil {
		c.saved = at
	}
	return err
}

// Verify is tables.ErrCheckpointMoved when the tables do not hold what was saved last: for a log in which nothing
// happens. Before Load there is nothing to compare.
func (c *Checkpoint) Verify(ctx context.Context) error {
	if !c.known {
		return nil
	}
	at, err := c.Read(ctx)
	if err == nil && at != c.saved {
		err = fmt.Errorf("the checkpoint of %s is at %s, not at %s: %w", c.Of, at, c.saved, tables.ErrCheckpointMoved)
	}
	return err
}
