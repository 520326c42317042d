package reactor_test

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"folio/clock"
	"folio/events"
	"folio/eventstore"
	"folio/processors/reactor"
	"folio/tables/sqlite"
)

// A processor whose run failed is no healthy standby: its work is done nowhere. When another process has its lease, it
// is.
func TestAProcessorThatRefusesItsWorklistSaysSo(t *testing.T) {
	store, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "tables.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	theirs := &reactor.Checkpoints{Store: store, Log: "their log"}
	if _, err := theirs.Load(t.Context(), "p"); err != nil {
		t.Fatal(err)
	}
	if err := theirs.Save(t.Context(), "p", position(7)); err != nil {
		t.Fatal(err)
	}
	b := reactor.Base{Tables: store, Log: "our log", Clock: clock.Real{}, Logger: slog.New(slog.DiscardHandler),
		Source: quiet{}}
	p := b.New("p", reactor.On(func(context.Context, events.Recorded, events.InvoiceCreated) error { return nil }))
	synctest.Test(t, func(t *testing.T) {
		l := &leases{}
		ctx, cancel := context.WithCancel(context.Background())
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			reactor.Own(ctx, slog.New(slog.DiscardHandler), l, "a", p)
		}()
		for range 4 { // in the pauses between its runs, too
			time.Sleep(2 * time.Second)
			if s := p.Status(); s.CaughtUp || s.Fault == "" {
				t.Errorf("it refuses its worklist and says %+v", s)
			}
		}
		l.give("b", 20*time.Second)
		time.Sleep(5 * time.Second)
		if s := p.Status(); s.Fault != "" || s.Owner {
			t.Errorf("another process works and it says %+v", s)
		}
		if err := reactor.AskRebuild(ctx, store, "our log", "p"); err != nil {
			t.Fatal(err)
		}
		time.Sleep(30 * time.Second) // the other's lease is over
		if s := p.Status(); !s.CaughtUp || s.Fault != "" || !s.Owner {
			t.Errorf("made anew it says %+v", s)
		}
		cancel()
		<-ended
		if s := p.Status(); s.Owner || s.Fault != "" {
			t.Errorf("at its end it says %+v", s)
		}
	})
}

// quiet is a log in which nothing happens.
type quiet struct{}

func (quiet) Follow(ctx context.Context, _ events.Position, _ eventstore.Filter, _ eventstore.FollowOptions,
	handle func(context.Context, eventstore.Batch) error) error {
	if err := handle(ctx, eventstore.Batch{CaughtUp: true}); err != nil {
		return err
	}
	<-ctx.Done()
	return ctx.Err()
}

// Whoever asks for new worklists must not take the process out of its load balancer.
func TestARebuildThatWasAskedForIsNoFault(t *testing.T) {
	store, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "tables.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	synctest.Test(t, func(t *testing.T) {
		source := slow{read: make(chan struct{}, 1)}
		b := reactor.Base{Tables: store, Log: "our log", Clock: clock.Real{}, Logger: slog.New(slog.DiscardHandler),
			Source: source}
		p := b.New("p", reactor.On(func(context.Context, events.Recorded, events.InvoiceCreated) error { return nil }))
		ctx, cancel := context.WithCancel(context.Background())
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			reactor.Own(ctx, slog.New(slog.DiscardHandler), &leases{}, "a", p)
		}()
		time.Sleep(time.Second)
		if s := p.Status(); s.Anew || s.CaughtUp {
			t.Errorf("at the start it says %+v", s)
		}
		source.read <- struct{}{}
		time.Sleep(time.Second)
		if err := reactor.AskRebuild(ctx, store, "our log", "p"); err != nil {
			t.Fatal(err)
		}
		time.Sleep(30 * time.Second)
		if s := p.Status(); !s.Anew || s.CaughtUp || s.Fault != "" {
			t.Errorf("while its worklist is made anew it says %+v", s)
		}
		source.read <- struct{}{}
		time.Sleep(time.Second)
		if s := p.Status(); s.Anew || !s.CaughtUp {
			t.Errorf("made anew it says %+v", s)
		}
		cancel()
		<-ended
	})
}

// slow is a log that is read to its end when the test says so.
type slow struct{ read chan struct{} }

func (l slow) Follow(ctx context.Context, _ events.Position, _ eventstore.Filter, _ eventstore.FollowOptions,
	handle func(context.Context, eventstore.Batch) error) error {
	select {
	case <-l.read:
	case <-ctx.Done():
		return ctx.Err()
	}
	return quiet{}.Follow(ctx, events.Position{}, eventstore.Filter{}, eventstore.FollowOptions{}, handle)
}

func TestAFaultIsShownUntilItIsOver(t *testing.T) {
	var p reactor.Reactor
	now := time.Date(2026, 11, 27, 15, 0, 0, 0, time.UTC)
	p.Failed(now, reactor.Listing, errors.New("the lists cannot be written"))
	p.Failed(now, reactor.Folding, errors.New("an event cannot be folded"))
	p.Failed(now, reactor.Folding, nil)
	if s := p.Status(); s.Fault != "the lists cannot be written" {
		t.Errorf("one of two faults is over: %+v", s)
	}
}

func TestOneReactionATypeOfEvent(t *testing.T) {
	b := reactor.Base{Tables: noTables{}, Clock: clock.Real{}}
	ignore := func(context.Context, events.Recorded) error { return nil }
	p := b.New("p", reactor.Also[events.InvoiceCreated](ignore), reactor.Also[events.NoteReserved](ignore))
	if types := p.Types(); len(types) != 2 || types[0] != "InvoiceCreated" || types[1] != "NoteReserved" {
		t.Errorf("the filter is %v", types)
	}
	defer func() {
		if recover() == nil {
			t.Error("two reactions to one type were taken")
		}
	}()
	b.New("p", reactor.Also[events.InvoiceCreated](ignore), reactor.Also[events.InvoiceCreated](ignore))
}
