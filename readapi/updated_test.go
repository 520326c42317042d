package readapi_test

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"folio/events"
)

func TestAListInTheOrderOfChanges(t *testing.T) {
	large := func(d *events.Document) { d.Observations = strings.Repeat("x", 400_000) } // several parts a page
	all := []given{created("C2", "X", nil)}
	for i := range 9 {
		all = append(all, created("C1", fmt.Sprintf("I%d", i+1), large))
	}
	all = append(append(all, accepted("I3", 1)...), rejected("I7")...)
	w := newWorld(t, all...)
	for _, perPage := range []int{1, 3, 8, 9, 100} {
		var seen []string
		path := fmt.Sprintf("/api/invoices?per_page=%d&updated_since=2020-01-01T00:00:00Z", perPage)
		p := w.page(path, key1)
		for p.NextCursor != nil && len(seen) < 20 {
			seen = append(seen, p.ids(t, "id")...)
			p = w.page(path+"&cursor="+url.QueryEscape(*p.NextCursor), key1)
		}
		seen = append(seen, p.ids(t, "id")...)
		if want := []string{"I1", "I2", "I4", "I5", "I6", "I8", "I9", "I3", "I7"}; !slices.Equal(seen, want) {
			t.Errorf("%d a page: %v", perPage, seen)
		}
		later := w.page("/api/invoices?updated_since="+url.QueryEscape(p.UpdatedUntil), key1)
		if len(later.Data) != 0 || later.UpdatedUntil != p.UpdatedUntil || later.NextCursor != nil {
			t.Errorf("later: %+v", later)
		}
	}
	p := w.page("/api/invoices?updated_since=C:0/P:0&status=pending&per_page=2", key1)
	if ids := p.ids(t, "id"); !slices.Equal(ids, []string{"I1", "I2"}) || p.TotalResults != 7 {
		t.Errorf("pending: %v of %d", ids, p.TotalResults)
	}
}

func TestWhatDoesNotGoWithChanges(t *testing.T) {
	w := newWorld(t, numbered("C1", 2)...)
	for query, want := range map[string]string{
		"updated_since=":                                 "updated_since NOT_A_MOMENT",
		"updated_since=yesterday":                        "updated_since NOT_A_MOMENT",
		"updated_since=2030-01-01T00:00:00Z":             "updated_since NOT_YET",
		"updated_since=C:999999/P:999999":                "updated_since NOT_YET",
		"updated_since=C:0/P:0&cursor=7":                 "cursor NOT_A_POSITION",
		"updated_since=C:0/P:0&cursor=C:999999/P:999999": "cursor NOT_YET",
		"updated_since=C:0/P:0&page=1":                   "page NOT_ALLOWED",
		"updated_since=C:0/P:0&references=I1":            "references NOT_ALLOWED",
		"updated_since=C:0/P:0&at=2026-11-27T00:00:00Z":  "at NOT_ALLOWED",
		"cursor=C:0/P:0":                                 "cursor NOT_ALLOWED",
		"updated_since=C:0/P:0&updated_since=C:0/P:0":    "updated_since REPEATED",
	} {
		w.get("/api/invoices?"+query, key1).fails(422, "VALIDATION_FAILED", want)
	}
}
