package quarantine_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"folio/commands"
	"folio/commands/company"
	"folio/events"
)

// A command may never read a stream again. What it held must end with the decision all the
// same, or the operator is told of trouble that is over.
func TestWhatACommandHeldEndsWithTheDecision(t *testing.T) {
	held := func(t *testing.T) *world {
		w := newWorld(t)
		w.write("company-A", "CompanyRegistered", `{"company":7}`, 1)
		x := commands.NewExecutor(w.log, time.Now).Guarded(w.room)
		if _, _, err := commands.Bind(x, company.Decider).Load(t.Context(), "A"); !errors.Is(err, commands.Held()) {
			t.Fatalf("got %v", err)
		}
		w.wants("company-A from 0: unreadable")
		return w
	}
	t.Run("heard while the process runs", func(t *testing.T) {
		w := held(t)
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- w.room.Follow(ctx) }()
		w.decides("company-A", skip(w, "company-A"))
		for len(w.held()) > 0 && t.Context().Err() == nil {
			select {
			case err := <-done:
				t.Fatal(err)
			case <-time.After(time.Millisecond):
			}
		}
		stop()
		<-done
	})
	t.Run("made while no process ran", func(t *testing.T) {
		w := held(t)
		w.decides("company-A", skip(w, "company-A"))
		w.restart()
		w.wants()
	})
}

// What the tables take in no state of theirs is the event's own trouble: tried again, it
// would stand in everybody's way.
func TestAnEventThatTheTablesCannotTakeHoldsItsStream(t *testing.T) {
	w := newWorld(t)
	w.logo("A", "a0")
	w.logo("B", "b0")
	r := &reader{w: w, feed: w.room.Feed("reader", types...)}
	list := w.tables.Worklist("submission")
	r.does = func(e events.Recorded) error {
		if e.Stream == "company-A" {
			return list.Remove(t.Context(), "", e.Position)
		}
		return nil
	}
	r.hears("b0")
	w.wants("company-A from 0: unappliable")
}
