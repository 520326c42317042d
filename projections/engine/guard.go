package engine

import (
	"context"
	"errors"
	"strings"

	"folio/events"
)

// Quarantine keeps the trouble of one stream to that stream.
type Quarantine interface {
	// Table is the guard of the documents in one table; it knows what was held before.
	Table(ctx context.Context, table string, types ...string) (Guard, error)
	// Keep forgets what was held for tables whose names begin with prefix, except these.
	Keep(ctx context.Context, prefix string, tables ...string) error
}

// Guard stands before one table. *quarantine.Feed is one.
type Guard interface {
	// Admits says whether an event counts: it is Folio's, and its stream is not held.
	Admits(r events.Recorded) bool
	// Hold holds the stream of r from r on.
	Hold(ctx context.Context, r events.Recorded, t *events.Trouble) error
}

// guarded gives the feed its guard, as it begins.
func (f *feed) guarded(ctx context.Context) error {
	if f.w.o.Quarantine == nil {
		return nil
	}
	g, err := f.w.o.Quarantine.Table(ctx, f.table, f.w.p.types...)
	f.folder.guard = g
	return err
}

// hold holds the stream of an event that cannot be folded. Documents that disagree with the
// log as such are no one stream's trouble and stop the projection; so does every event that
// cannot be folded where there is no quarantine.
func (f *feed) hold(ctx context.Context, stop *StoppedError) error {
	if f.folder.guard == nil || errors.Is(stop, ErrInconsistent) {
		return stop
	}
	var t *events.Trouble
	if !errors.As(stop.Err, &t) {
		t = stop.Event.About(events.Unappliable, stop.Err)
	}
	return f.retry(ctx, func() error { return f.folder.guard.Hold(ctx, stop.Event, t) })
}

// forgetHeld forgets what was held for generations that nobody looks for any more: an operator who mended something
// is not told of it for as long as the documents of before wait to be dropped.
func (w *worker) forgetHeld(ctx context.Context, b build) error {
	if w.o.Quarantine == nil {
		return nil
	}
	var live []string
	for _, g := range b.readable() {
		live = append(live, w.p.table(g))
	}
	return w.o.Quarantine.Keep(ctx, tablesOf(w.p.name), live...)
}

// Keeps says whether a table is one of the projection's.
func (p Projection) Keeps(table string) bool { return strings.HasPrefix(table, tablesOf(p.name)) }

// tablesOf is what the names of all tables of a projection begin with.
func tablesOf(name string) string { return name + "_v" }
