package projections_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"folio/events"
	"folio/projections"
	"folio/projections/engine"
	"folio/projections/projectiontest"
	"folio/summary"
	"folio/tables"
)

func TestAnEventThatCannotBeReadStopsItsProjectionAlone(t *testing.T) {
	src := newSource(
		given{Stream: "company-C1", Event: events.CompanyRegistered{Company: "C1", Account: "A"}},
		created("C1", "I1", 1), created("C1", "I2", 1), created("C1", "I3", 1))
	good := src.log[2].Raw
	src.log[2].Raw = json.RawMessage(`{"invoice":7}`)
	store := openTables(t)
	r, _ := start(t, options(store, src, "one", projections.Invoices, projections.Companies))
	s := awaitStatus(t, r, "invoices", func(s engine.Status) bool { return s.Condition == engine.Stopped })
	var stopped *engine.StoppedError
	if !errors.As(s.Err, &stopped) || stopped.Event.Stream != "invoice-I2" || s.Since.IsZero() {
		t.Fatalf("the event must be named, got %v since %v", s.Err, s.Since)
	}
	reader := projections.NewReader(store, nil)
	if _, err := reader.GetInvoice(t.Context(), "I1"); err != nil {
		t.Errorf("what came before must be there: %v", err)
	}
	if _, err := reader.GetInvoice(t.Context(), "I3"); !errors.Is(err, engine.ErrNotBuilt) {
		t.Errorf("there must be no hole, yet got %v", err)
	}
	if err := r.WaitFor(within(t), "companies", src.log[0].Position); err != nil {
		t.Errorf("the other projection must go on: %v", err)
	}
	src.change(func() { src.log[2].Raw = good })
	waitFor(t, r, "invoices", src.log[3].Position)
	got := dump(t, store, "invoices_v4", "C1")
	if want := replayed(t, projections.Invoices, src.log, "C1"); got != want {
		t.Fatalf("got\n%s\nwant\n%s", got, want)
	}
}

// Tally counts what happened to a company.
type Tally struct {
	engine.Place

	Names []string `json:"names"`
}

func tally(version int, rules ...engine.Rule[Tally]) engine.Projection {
	return engine.Define("tally", version, append(rules,
		engine.On(engine.ByStream, func(d *Tally, _ events.Recorded, e events.CompanyRegistered) {
			d.Names = append(d.Names, e.LegalName)
			if e.LegalName == "boom" {
				panic("boom")
			}
		}))...)
}

func TestAFoldThatPanicsStopsBeforeTheEventAndLeavesNoTraceOfIt(t *testing.T) {
	named := func(name string) given {
		return given{Stream: "company-C1", Event: events.CompanyRegistered{Company: "C1", LegalName: name}}
	}
	r := engine.NewReplay(tally(1))
	err := r.Fold(t.Context(), projectiontest.Log(named("a"), named("b"), named("boom"), named("c"))...)
	var stopped *engine.StoppedError
	if !errors.As(err, &stopped) || stopped.Event.Revision != 2 || !strings.Contains(err.Error(), "boom") {
		t.Fatalf("got %v", err)
	}
	if got := string(r.Documents()[0].Body); got != `{"names":["a","b"]}` {
		t.Fatalf("got %s", got)
	}
}

func TestEventsOfDocumentsThatWereNeverCreatedAreSkippedAndCounted(t *testing.T) {
	src := newSource(accepted("gone"), created("C1", "I1", 1))
	store := openTables(t)
	r, _ := start(t, options(store, src, "one", projections.Invoices))
	waitFor(t, r, "invoices", src.append())
	s := awaitStatus(t, r, "invoices", func(s engine.Status) bool { return s.CaughtUp })
	if s.Orphans != 1 {
		t.Errorf("got %d orphans", s.Orphans)
	}
	list, err := projections.NewReader(store, nil).ListInvoices(t.Context(),
		projections.InvoiceQuery{Company: "C1", Page: engine.Page{Limit: 10}})
	if err != nil || list.Total != 1 || list.Documents[0].ID != "I1" {
		t.Fatalf("got %+v, %v", list, err)
	}
}

func TestListsThatDisagreeWithTheLogStopWithTheWayOut(t *testing.T) {
	src := newSource(created("C1", "I1", 1), created("C1", "I2", 1))
	store := openTables(t)
	r, stop := start(t, options(store, src, "one", projections.Invoices))
	waitFor(t, r, "invoices", src.append())
	stop()
	// As if someone had tampered: the counter speaks of invoices that are not there.
	if err := errors.Join(store.Truncate(t.Context(), "invoices_v4"),
		store.ResetCheckpoint(t.Context(), "invoices_v4")); err != nil {
		t.Fatal(err)
	}
	r, _ = start(t, options(store, src, "two", projections.Invoices))
	s := awaitStatus(t, r, "invoices", func(s engine.Status) bool { return s.Condition == engine.Stopped })
	if !errors.Is(s.Err, engine.ErrInconsistent) || !strings.Contains(s.Err.Error(), "rebuild") {
		t.Fatalf("got %v", s.Err)
	}
	if err := r.Rebuild(t.Context(), "invoices"); err != nil {
		t.Fatal(err)
	}
	awaitStatus(t, r, "invoices", func(s engine.Status) bool { return s.CaughtUp && !s.Rebuilding })
	table, err := r.Serving(t.Context(), "invoices")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := dump(t, store, table, "C1"), replayed(t, projections.Invoices, src.log, "C1"); got != want {
		t.Fatalf("%s: got\n%s\nwant\n%s", table, got, want)
	}
}

func TestDefinitionsThatCannotWorkPanicAtStart(t *testing.T) {
	on := engine.On(engine.ByStream, func(*Tally, events.Recorded, events.SeriesHeld) {})
	for name, define := range map[string]func(){
		"a join with what is no event of an invoice": func() {
			engine.Define("x", 1, engine.OnInvoice(
				func(summary.Summary, events.Recorded, events.CompanyRegistered) []engine.Change[Tally] {
					return nil
				}))
		},
		"no rules":  func() { engine.Define[Tally]("x", 1) },
		"version 0": func() { engine.Define("x", 0, on) },
		"a name no table can have": func() {
			engine.Define("X", 1, on)
		},
		"listed by an event without a rule": func() {
			engine.Define("x", 1, on, engine.Listed[Tally](func(events.Recorded, events.SeriesReleased) string {
				return ""
			}))
		},
		"an attribute twice": func() {
			engine.Define("x", 1, on, engine.Attributes(func(*Tally) map[string]string { return nil },
				tables.Attribute{Name: "a"}, tables.Attribute{Name: "a"}))
		},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("did not panic")
				}
			}()
			define()
		})
	}
}
