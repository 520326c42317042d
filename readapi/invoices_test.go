package readapi_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"folio/events"
)

func TestPagesOfAList(t *testing.T) {
	w := newWorld(t, append(numbered("C1", 253), created("C2", "X", nil))...)
	for _, path := range []string{"/invoice/list", "/api/invoice/list", "/api/invoices"} {
		first := w.page(path, key1)
		if ids := first.ids(t, "id"); len(ids) != 100 || ids[0] != "I253" || ids[99] != "I154" || first.Page != 1 ||
			first.TotalPages != 3 || first.TotalResults != 253 || first.PerPage != 100 {
			t.Errorf("%s: %+v", path, ids)
		}
	}
	for _, c := range []struct {
		query       string
		first, last string
		n, pages    int
	}{
		{"page=1", "I253", "I154", 100, 3},
		{"page=2", "I153", "I054", 100, 3},
		{"page=3", "I053", "I001", 53, 3},
		{"page=4", "", "", 0, 3},
		{"page=1000000000", "", "", 0, 3},
		{"page=2&per_page=10", "I243", "I234", 10, 26},
		{"page=26&per_page=10", "I003", "I001", 3, 26},
		{"page=253&per_page=1", "I001", "I001", 1, 253},
		{"page=", "I253", "I154", 100, 3},
	} {
		p := w.page("/invoice/list?"+c.query, key1)
		ids := p.ids(t, "id")
		if len(ids) != c.n || p.TotalPages != c.pages || p.TotalResults != 253 ||
			c.n > 0 && (ids[0] != c.first || ids[len(ids)-1] != c.last) {
			t.Errorf("%s: %d of %d pages, %v", c.query, p.Page, p.TotalPages, ids)
		}
		if c.n == 0 && (p.NextCursor != nil || string(mustJSON(t, p.Data)) != "[]") {
			t.Errorf("%s: %+v", c.query, p)
		}
	}
	if p := w.page("/invoice/list", "x-api-key: C-empty"); p.TotalResults != 0 || p.TotalPages != 0 || p.Data == nil {
		t.Errorf("an empty list is %+v", p)
	}
}

// A page of large records is answered in parts, and as a whole it is what it always was.
func TestAPageOfLargeRecords(t *testing.T) {
	large := func(d *events.Document) { d.Observations = strings.Repeat("x", 400_000) }
	var all []given
	for i := range 30 {
		all = append(all, created("C1", fmt.Sprintf("I%03d", i+1), large))
	}
	w := newWorld(t, append(all, created("C2", "X", nil))...)
	for _, query := range []string{"", "&status=pending"} {
		a := w.get("/api/invoices?per_page=25&page=1"+query, key1)
		if a.Header().Get("Content-Length") != "" {
			t.Error("ten megabytes were made at once")
		}
		p := w.page("/api/invoices?per_page=25"+query, key1)
		if ids := p.ids(t, "id"); len(ids) != 25 || ids[0] != "I030" || ids[24] != "I006" || p.TotalResults != 30 ||
			p.NextCursor == nil || *p.NextCursor != "6" {
			t.Errorf("%q: %v %+v", query, ids, p.NextCursor)
		}
		p = w.page("/api/invoices?per_page=25&page=2"+query, key1)
		if ids := p.ids(t, "id"); len(ids) != 5 || ids[0] != "I005" || ids[4] != "I001" || p.NextCursor != nil {
			t.Errorf("%q: page 2 is %v", query, ids)
		}
	}
}

func mustJSON(t testing.TB, v any) []byte {
	t.Helper()
	b, err := json.Marshal(v)
	check(t, err)
	return b
}

func TestAWalkByCursorMeetsEveryInvoiceOnce(t *testing.T) {
	w := newWorld(t, numbered("C1", 57)...)
	for _, perPage := range []int{1, 10, 57, 100} {
		var seen []string
		for query := ""; ; {
			p := w.page(fmt.Sprintf("/api/invoices?per_page=%d%s", perPage, query), key1)
			seen = append(seen, p.ids(t, "id")...)
			if p.TotalResults != 57 {
				t.Fatalf("total is %d on the way", p.TotalResults)
			}
			if p.NextCursor == nil {
				break
			}
			query = "&cursor=" + *p.NextCursor
			if len(seen) > 57 {
				t.Fatal("the walk does not end")
			}
		}
		want := []string{}
		for i := 57; i > 0; i-- {
			want = append(want, fmt.Sprintf("I%03d", i))
		}
		if !slices.Equal(seen, want) {
			t.Errorf("%d a page: %v", perPage, seen)
		}
	}
}

func TestFiltersOfTheList(t *testing.T) {
	all := []given{
		created("C1", "I1", nil),
		created("C1", "I2", func(d *events.Document) { d.Type, d.OfficialCode, d.Date = "FCB", 6, "2026-11-21 00:00:00" }),
		created("C1", "I3", func(d *events.Document) {
			d.Date, d.ExternalReference, d.Recipient.DocumentNumber = "2026-11-21 23:59:59", "Äpfel-1", "20267565393"
		}),
		created("C1", "I4", func(d *events.Document) { d.Date = "2026-11-22 10:00:00" }),
		created("C2", "X1", nil),
	}
	all = append(append(all, accepted("I1", 42)...), rejected("I3")...)
	all = append(all, given{Stream: "invoice-I4",
		Event: events.SubmissionStarted{Submission: "S", Environment: "Testing", Number: 43}})
	w := newWorld(t, all...)
	for query, want := range map[string]string{
		"status=Accepted":                             "I1",
		"status=accepted":                             "I1",
		"status=REJECTED":                             "I3",
		"status=in%20process":                         "I4",
		"status=Pending":                              "I2",
		"invoice_type=fcb":                            "I2",
		"invoice_type=NCA":                            "",
		"date_from=2026-11-21":                        "I4 I3 I2",
		"date_to=2026-11-21":                          "I3 I2 I1",
		"date_from=2026-11-21&date_to=2026-11-21":     "I3 I2",
		"external_reference=ref-i2":                   "I2",
		"external_reference=%C3%A4PFEL-1":             "I3",
		"external_reference=ref":                      "",
		"number=0005-00000042":                        "I1",
		"number=0005-00000043":                        "", // tried, not assigned
		"recipient_document=20267565393":              "I3",
		"recipient_document=33693450239":              "I4 I2 I1",
		"status=accepted&invoice_type=fca&per_page=1": "I1",
		"external_reference=%25":                      "",
		"status=":                                     "I4 I3 I2 I1",
	} {
		p := w.page("/api/invoices?"+query, key1)
		if got := strings.Join(p.ids(t, "id"), " "); got != want || p.TotalResults != len(strings.Fields(want)) {
			t.Errorf("%s: %q of %d, want %q", query, got, p.TotalResults, want)
		}
		// The same by one document at a time: no cursor leads to an empty page.
		var walked []string
		for cursor, more := "", len(p.Data) > 0; more; {
			one := w.page("/api/invoices?per_page=1&"+strings.ReplaceAll(query, "&per_page=1", "")+cursor, key1)
			walked = append(walked, one.ids(t, "id")...)
			if more = one.NextCursor != nil && len(one.Data) == 1; more {
				cursor = "&cursor=" + *one.NextCursor
			} else if len(one.Data) != 1 || one.NextCursor != nil {
				t.Errorf("%s%s: %+v", query, cursor, one)
			}
		}
		if got := strings.Join(walked, " "); got != want {
			t.Errorf("%s, one by one: %s, want %s", query, got, want)
		}
	}
}

func TestQueriesThatAreRefused(t *testing.T) {
	w := newWorld(t)
	for query, want := range map[string]string{
		"page=0":                    "page OUT_OF_RANGE",
		"page=-1":                   "page OUT_OF_RANGE",
		"page=abc":                  "page NOT_AN_INTEGER",
		"page=1e9":                  "page NOT_AN_INTEGER",
		"page=1.5":                  "page NOT_AN_INTEGER",
		"page=99999999999999999999": "page NOT_AN_INTEGER",
		"page=1&page=2":             "page REPEATED",
		"per_page=0":                "per_page OUT_OF_RANGE",
		"per_page=101":              "per_page OUT_OF_RANGE",
		"cursor=0":                  "cursor OUT_OF_RANGE",
		"cursor=x":                  "cursor NOT_AN_INTEGER",
		"cursor=5&page=2":           "cursor CURSOR_AND_PAGE",
		"status=open":               "status NOT_ALLOWED",
		"date_from=21/11/2026":      "date_from NOT_A_DATE",
		"date_to=2026-02-30":        "date_to NOT_A_DATE",
		"date_from=2026-11-23&date_to=2026-11-20": "date_to BEFORE_FROM",
		"external_reference=%FF":                  "external_reference INVALID_ENCODING",
		"external_reference=a%00b":                "external_reference CONTROL_CHARACTER",
		"colour=red":                              "colour UNKNOWN_FIELD",
		"page=0&per_page=0&status=open":           "page OUT_OF_RANGE|per_page OUT_OF_RANGE|status NOT_ALLOWED",
	} {
		t.Run(query, func(t *testing.T) {
			a := w.get("/api/invoices?"+query, key1)
			a.t = t
			a.fails(422, "VALIDATION_FAILED", strings.Split(want, "|")...)
		})
	}
	w.get("/api/invoices").fails(401, "API_KEY_REQUIRED")
	w.get("/api/invoices", ana).fails(401, "API_KEY_REQUIRED")
	w.get("/api/invoices", "x-api-key: wrong").fails(401, "BAD_CREDENTIAL")
	w.get("/api/invoices/", key1).fails(404, "NO_SUCH_PATH")
	w.call("DELETE", "/api/invoices", key1).fails(405, "METHOD_NOT_ALLOWED")
}
