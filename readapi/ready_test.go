package readapi_test

import (
	"context"
	"slices"
	"sync"
	"testing"

	"folio/events"
	"folio/projections"
	"folio/projections/engine"
	"folio/projections/projectiontest"
	"folio/readapi"
	"folio/waiting"
)

// shown adds to the log and waits until every read model shows it.
func shown(t testing.TB, log projectiontest.Source, runner *engine.Runner, more ...given) {
	t.Helper()
	for i, r := range projectiontest.Log(more...) {
		log.Record(t, r.Meta, r.Stream, more[i].Event)
	}
	head, err := log.Head(t.Context())
	check(t, err)
	for _, p := range projections.All {
		check(t, runner.WaitFor(t.Context(), p.Name(), head))
	}
}

func TestKeptRecordsAreThoseThatTheTablesGive(t *testing.T) {
	all := append([]given{created("C1", "I1", nil), created("C1", "I2", nil), created("C2", "I3", nil)},
		accepted("I1", 1)...)
	w, _ := newWorldOf(t, true, all...)
	for _, path := range []string{"/api/invoices/I1", "/api/invoices/I2", "/api/invoices", "/api/invoices?per_page=1",
		"/api/invoices?per_page=1&page=2", "/api/invoices?per_page=1&page=9", "/api/invoices?cursor=2",
		"/api/invoices?status=accepted", "/api/invoices/I1/download-pdf/A4"} {
		want := newWorld(t, all...).get(path, key1).want(200).Body.String()
		for range 3 {
			if got := w.get(path, key1).want(200).Body.String(); got != want {
				t.Errorf("%s:\n%.300s\nwant\n%.300s", path, got, want)
			}
		}
	}
	w.get("/api/invoices/I1", key2).fails(404, "INVOICE_NOT_FOUND")
	w.get("/api/invoices/I1/download-pdf/A4", key2).fails(404, "INVOICE_NOT_FOUND")
}

// Pages are written into memory that others had before: each answer is its own all the same.
func TestPagesThatAreAnsweredAtTheSameTimeAreEachTheirOwn(t *testing.T) {
	w, _ := newWorldOf(t, true, created("C1", "I1", nil), created("C1", "I2", nil), created("C2", "I3", nil))
	want := map[string]string{}
	for _, key := range []string{key1, key2} {
		w.get("/api/invoices", key).want(200) // and keeps the records
		want[key] = w.get("/api/invoices", key).want(200).Body.String()
	}
	var all sync.WaitGroup
	for i := range 8 {
		key := []string{key1, key2}[i%2]
		all.Go(func() {
			for range 50 {
				if got := w.get("/api/invoices", key).Body.String(); got != want[key] {
					t.Errorf("%.300s\nwant\n%.300s", got, want[key])
				}
			}
		})
	}
	all.Wait()
}

func TestAKeptRecordChangesWithItsInvoice(t *testing.T) {
	w, more := newWorldOf(t, true, created("C1", "I1", nil))
	w.page("/api/invoices", key1)
	before := w.get("/api/invoices/I1", key1).want(200)
	tag := before.Header().Get("ETag")
	if again := w.get("/api/invoices/I1", key1, "If-None-Match: "+tag); again.Code != 304 || again.Body.Len() > 0 ||
		again.Header().Get("Folio-As-Of") == "" {
		t.Errorf("%d with %d bytes, %v", again.Code, again.Body.Len(), again.Header())
	}
	more(accepted("I1", 1)...)
	after := w.get("/api/invoices/I1", key1, "If-None-Match: "+tag).want(200)
	if after.Header().Get("ETag") == tag || w.record("I1").Status != projections.StatusAccepted {
		t.Errorf("still %s", after.Body)
	}
	more(created("C1", "I2", nil))
	if p := w.page("/api/invoices", key1); p.TotalResults != 2 || len(p.Data) != 2 {
		t.Errorf("%d of %d", len(p.Data), p.TotalResults)
	}
}

func TestWhyAnInvoiceWaitsIsNotKept(t *testing.T) {
	w, _ := newWorldOf(t, true, created("C1", "I1", nil), given{Stream: "company-C1",
		Event: events.CompanyRegistered{Company: "C1", Account: "A1", Country: "AR"}})
	first := w.get("/api/invoices/I1", key1).want(200).Header().Get("ETag")
	for _, text := range []string{"No \"certificate\".", "Another reason."} {
		check(t, w.notes.Put(t.Context(), "C1-Testing-1-5", &waiting.Reason{Code: waiting.NoCertificate, Text: text}, nil))
		got := w.record("I1")
		if got.PendingReason == nil || got.PendingReason.Message != text {
			t.Errorf("%+v, want %q", got.PendingReason, text)
		}
		w.get("/api/invoices/I1", key1, "If-None-Match: "+first).want(200)
		var page struct{ Data []record }
		w.get("/api/invoices", key1).want(200).into(&page)
		if page.Data[0].PendingReason == nil || page.Data[0].PendingReason.Message != text {
			t.Errorf("in the list %+v, want %q", page.Data[0].PendingReason, text)
		}
	}
	check(t, w.notes.Put(t.Context(), "C1-Testing-1-5", nil, nil))
	w.get("/api/invoices/I1", key1, "If-None-Match: "+first).want(304)
}

// models are all of them, ready.
func models(context.Context) (all []readapi.Model, _ error) {
	for _, p := range projections.All {
		all = append(all, readapi.Model{Name: p.Name(), Version: p.Version(), State: "ready"})
	}
	return all, nil
}

func caughtUp(r *engine.Runner) bool {
	return !slices.ContainsFunc(r.Status(), func(s engine.Status) bool { return !s.CaughtUp })
}
