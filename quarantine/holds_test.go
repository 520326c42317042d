package quarantine_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"folio/commands"
	"folio/commands/company"
	decide "folio/commands/quarantine"
	"folio/events"
	"folio/eventstore"
)

func TestABrokenEventHoldsItsStreamUntilItIsSkipped(t *testing.T) {
	w := newWorld(t)
	r := w.reader()
	w.logo("A", "a0")
	w.write("company-A", "LogoUploaded", `{"sha256":7}`, 1)
	w.logo("A", "a2")
	w.logo("B", "b0")
	r.hears("a0", "b0")
	w.wants("company-A from 1: unreadable")

	w.logo("A", "a3")
	w.logo("B", "b1")
	r.hears("b1")

	w.restart() // with what an earlier owner held
	again := w.reader()
	again.at = r.at
	w.logo("A", "a4")
	again.hears()
	w.decides("company-A", decide.Retry{Stream: "company-A", Reason: "hoping"})
	again.hears()
	w.wants("company-A from 1: unreadable")

	w.decides("company-A", skip(w, "company-A"))
	w.logo("A", "a5")
	again.hears("a2", "a3", "a4", "a5")
	w.wants()

	w.restart() // a reader that lost its tables hears everything but the event that was skipped
	w.reader().hears("a0", "a2", "b0", "a3", "b1", "a4", "a5")
}

func TestTwoBrokenEventsAreTwoDecisions(t *testing.T) {
	w := newWorld(t)
	r := w.reader()
	w.write("company-A", "LogoUploaded", `[]`, 1)
	w.logo("A", "a1")
	w.write("company-A", "LogoUploaded", `{}`, 9)
	w.logo("A", "a3")
	r.hears()
	w.decides("company-A", skip(w, "company-A"))
	r.hears("a1")
	w.wants("company-A from 2: unreadable")
	w.decides("company-A", skip(w, "company-A"))
	r.hears("a3")
	w.wants()
}

func TestAPanicIsTheTroubleOfOneStreamAndEndsWithTheProgram(t *testing.T) {
	w := newWorld(t)
	r := w.reader()
	r.does = func(e events.Recorded) error {
		if e.Stream == "company-A" && e.Revision == 0 {
			panic("nobody thought of that")
		}
		return nil
	}
	w.logo("A", "a0")
	w.logo("A", "a1")
	w.logo("B", "b0")
	r.hears("b0")
	w.wants("company-A from 0: unappliable")
	w.restart() // with a program that thought of it
	if better := w.reader(); !slices.Equal(better.heard, []string{"a0", "a1"}) {
		t.Errorf("a better program hears %q", better.heard)
	}
}

func TestTroubleOfAnotherStreamHoldsTheOneThatNeedsIt(t *testing.T) {
	w := newWorld(t)
	r := w.reader()
	troubled := true
	r.does = func(e events.Recorded) error {
		if e.Stream == "company-A" && e.Revision == 1 && troubled {
			return fmt.Errorf("look up: %w", &events.Trouble{Kind: events.Deleted, Stream: "webhook-A"})
		}
		return nil
	}
	w.logo("A", "a0")
	w.logo("A", "a1")
	r.hears("a0")
	w.wants("company-A from 1: deleted")
	troubled = false
	w.decides("webhook-A", decide.Retry{Stream: "webhook-A", Reason: "restored"})
	r.hears("a1")
}

func TestAFailureThatIsNobodysFaultHoldsNothing(t *testing.T) {
	w := newWorld(t)
	away := errors.New("tables are away")
	f := w.room.Feed("reader", types...)
	w.logo("A", "a0")
	for e, err := range w.log.All(t.Context(), events.Position{}, eventstore.Filter{Types: types}) {
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Deliver(t.Context(), e, func(context.Context, events.Recorded) error { return away }); !errors.Is(err,
			away) {
			t.Errorf("got %v", err)
		}
	}
	w.wants()
}

func TestWhatIsNotFoliosIsPassedOverAndCounted(t *testing.T) {
	w := newWorld(t)
	r := w.reader()
	w.write("shop-1", "LogoUploaded", `{"sha256":"x"}`, 1)
	w.write("invoice-1", "LogoUploaded", `{"sha256":"x"}`, 1)
	w.logo("A", "a0")
	r.hears("a0")
	if got := w.room.PassedOver()["reader"]; got != 2 {
		t.Errorf("%d were passed over, want 2", got)
	}
	w.wants()
}

func TestCommandsAreRefusedUntilTheStreamIsSound(t *testing.T) {
	w := newWorld(t)
	x := commands.NewExecutor(w.log, time.Now).Guarded(w.room)
	load := func() (company.State, error) {
		s, _, err := commands.Bind(x, company.Decider).Load(t.Context(), "A")
		return s, err
	}
	w.write("company-A", "CompanyRegistered", `{"company":"A","legal_name":"One"}`, 1)
	w.write("company-A", "Visited", `{"by":"crm"}`, 0) // another application's
	if s, err := load(); err != nil || s.LegalName != "One" {
		t.Fatalf("%+v, %v", s, err)
	}
	x = commands.NewExecutor(w.log, time.Now).Guarded(w.room) // that remembers nothing
	w.write("company-A", "FiscalProfileSet", `{"profile":7}`, 1)
	w.logo("A", "a3")
	var trouble *events.Trouble
	if _, err := load(); !errors.Is(err, commands.Held()) || !errors.As(err, &trouble) || trouble.Revision != 2 {
		t.Fatalf("got %v", err)
	}
	w.wants("company-A from 2: unreadable")
	w.decides("company-A", skip(w, "company-A"))
	w.restart()
	x = commands.NewExecutor(w.log, time.Now).Guarded(w.room)
	if s, err := load(); err != nil || s.LegalName != "One" {
		t.Errorf("after the decision: %+v, %v", s, err)
	}
	w.wants()
}

func TestTheCompanyOfAnInvoiceThatCannotBeReadIsKnown(t *testing.T) {
	w := newWorld(t)
	f := w.room.Feed("reader", "InvoiceCreated")
	w.write("invoice-1", "InvoiceCreated", `{"company":"A","document":7}`, 1)
	for e, err := range w.log.All(t.Context(), events.Position{}, eventstore.Filter{Types: []string{"InvoiceCreated"}}) {
		if err == nil {
			err = f.Deliver(t.Context(), e, func(context.Context, events.Recorded) error { return nil })
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if f.Company("A") == nil || f.Company("B") != nil {
		t.Errorf("A: %v, B: %v", f.Company("A"), f.Company("B"))
	}
	for stream, want := range map[string]bool{"invoice-1": true, "invoice-": true, "invoice-2": false, "invoice": false} {
		if got, err := w.room.Holds(t.Context(), stream); err != nil || got != want {
			t.Errorf("%s is held: %v, %v", stream, got, err)
		}
	}
}

func TestTablesThatAreGoneHoldNothing(t *testing.T) {
	w := newWorld(t)
	w.logo("A", "a0")
	for _, table := range []string{"logos_v1", "logos_v1_g2", "others_v1"} {
		f, err := w.room.Table(t.Context(), table, types...)
		if err == nil {
			r := events.Recorded{Stream: "company-A", Type: "LogoUploaded"}
			err = f.Hold(t.Context(), r, r.About(events.Unappliable, errors.New("no")))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.room.Keep(t.Context(), "logos_v", "logos_v1_g2"); err != nil {
		t.Fatal(err)
	}
	w.wants("company-A from 0: unappliable", "company-A from 0: unappliable")
}

func TestAStreamThatSomebodyDeletesIsHeldAtOnce(t *testing.T) {
	w := newWorld(t)
	w.logo("A", "a0")
	forgotten := make(chan string, 1)
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- w.room.Watch(ctx, events.Position{}, func(stream string) { forgotten <- stream }) }()
	w.operator.delete(t, "shop-1")
	w.operator.delete(t, "company-A")
	w.operator.delete(t, "company-B") // once it is forgotten, the one before was dealt with
	for _, want := range []string{"company-A", "company-B"} {
		if got := <-forgotten; got != want {
			t.Errorf("%s is forgotten, want %s", got, want)
		}
	}
	stop()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if got := w.held(); !slices.Contains(got, "company-A from 0: deleted") {
		t.Errorf("held: %q", got)
	}
}
