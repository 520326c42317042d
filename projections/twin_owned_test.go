package projections_test

import (
	"strings"
	"testing"

	"folio/events"
	"folio/projections"
	"folio/projections/engine"
	"folio/projections/projectiontest"
	"folio/tables"
)

func TestTheTwinOfOwnedDocumentsLooksAtEveryCompany(t *testing.T) {
	history := append([]given{{Stream: "company-C1", Event: events.CompanyRegistered{Company: "C1", Account: "A"}}},
		projectiontest.Sales(projectiontest.Sale{Company: "C1", Customer: "30", Date: "2026-11-03", Net: "100.00",
			Tax: "21.00"})...)
	store, src, p := openTables(t), newSource(history...), projections.VATTotals
	r, stop := start(t, options(store, src, "owner", p, projections.Companies))
	for _, name := range []string{p.Name(), "companies"} {
		waitFor(t, r, name, src.end())
		awaitStatus(t, r, name, func(s engine.Status) bool { return s.CaughtUp })
	}
	stop()
	compare := func() (int64, *engine.Mismatch) {
		t.Helper()
		twin, ok, err := engine.NewTwin(t.Context(), store, openTables(t), p, projections.Companies)
		if err != nil || !ok {
			t.Fatalf("%v, %v", ok, err)
		}
		for _, e := range src.log {
			if e, err = events.Open(e); err == nil {
				err = twin.Add(t.Context(), e)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		n, found, err := twin.Compare(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return n, found
	}
	if n, found := compare(); n != 1 || found != nil {
		t.Fatalf("%d documents, %+v", n, found)
	}
	spoilt := tables.Document{ID: "C1/Production/2026-12/001", At: events.Position{Commit: 101, Prepare: 101}, List: "C1",
		Body: []byte(`{}`)}
	if err := store.Apply(t.Context(), tables.Batch{Writes: []tables.Write{{Table: "vat_totals_v1",
		Documents: []tables.Document{spoilt}}}}); err != nil {
		t.Fatal(err)
	}
	if _, found := compare(); found == nil || found.Document != spoilt.ID {
		t.Fatalf("a document that no event made was not found: %+v", found)
	}

	const real = "C1/Production/2026-11/001"
	moved, err := store.Get(t.Context(), "vat_totals_v1", real)
	if err != nil {
		t.Fatal(err)
	}
	moved.List = "nobody" // no walk through a company's documents comes by it
	for _, w := range []tables.Write{{Deletes: []string{real, spoilt.ID}}, {Documents: []tables.Document{moved}}} {
		w.Table = "vat_totals_v1"
		if err := store.Apply(t.Context(), tables.Batch{Writes: []tables.Write{w}}); err != nil {
			t.Fatal(err)
		}
	}
	if _, found := compare(); found == nil || found.Document != real || !strings.Contains(found.What, "nobody") {
		t.Fatalf("a document that was moved out of sight was not found: %+v", found)
	}
}
