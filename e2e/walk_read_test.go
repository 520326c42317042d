package e2e

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
)

const ticketPath = "/download-pdf/ticket"

var pdfPaths = []string{"/download-pdf/A4", "/download/A4"}

func (w *walk) lists(t *testing.T) {
	var first answer
	for _, path := range []string{"/invoice/list", "/api/invoice/list", "/api/invoices"} {
		a := w.c.want(t, http.StatusOK, "GET", path+"?page=1", nil)
		if first.body == nil {
			first = a
		}
		if !bytes.Equal(a.body, first.body) {
			t.Errorf("%s differs from /invoice/list", path)
		}
		client{base: w.p.base}.refused(t, 401, "API_KEY_REQUIRED", "GET", path, nil)
	}
	l := decode[list](t, first)
	if l.Page != 1 || l.TotalPages != 1 || l.TotalResults != len(l.Data) || len(l.Data) != 8 {
		t.Errorf("the list is page %d of %d with %d of %d", l.Page, l.TotalPages, len(l.Data), l.TotalResults)
	}
	if last := l.Data[len(l.Data)-1]; last.ID != w.early.ID {
		t.Errorf("the oldest stands last: %s", last)
	}
	one := w.c.want(t, http.StatusOK, "GET", "/api/invoices/"+l.Data[0].ID, nil)
	if !bytes.Contains(first.body, bytes.TrimSpace(one.body)) {
		t.Errorf("the list does not hold the full record %s", one.body)
	}
}

func (w *walk) filters(t *testing.T) {
	for query, want := range map[string]int{
		"status=ACCEPTED": 8, "status=accepted&invoice_type=fca": 2, "status=Pending": 0, "status=in+process": 0,
		"status=rejected":  0,
		"invoice_type=NCA": 1, "external_reference=EARLY": 1, "external_reference=earl": 0, "number=0007-00000001": 1,
		"number=0001-00000001": 6, "recipient_document=28765432": 3, "recipient_document=33693450239": 5,
		"date_from=" + today: 8, "date_to=" + today: 8, "date_from=2100-01-01": 0, "date_to=2001-01-01": 0,
		"recipient_document=28765432&invoice_type=FCB&date_from=" + today + "&date_to=" + today: 2,
		"external_reference=" + url.QueryEscape("' OR 1=1 --"):                                  0,
	} {
		l := get[list](t, w.c.client, "/api/invoices?"+query)
		if l.TotalResults != want || len(l.Data) != want {
			t.Errorf("%s finds %d of %d, want %d", query, len(l.Data), l.TotalResults, want)
		}
	}
}

func (w *walk) pages(t *testing.T) {
	all := w.c.all(t)
	for _, query := range []string{"", "&status=accepted"} {
		var byPage, byCursor []invoice
		for page := 1; page <= 3; page++ {
			l := get[list](t, w.c.client, fmt.Sprintf("/invoice/list?per_page=3&page=%d%s", page, query))
			if l.TotalPages != 3 || l.TotalResults != 8 || l.Page != page {
				t.Errorf("page %d says %d of %d pages, %d results", page, l.Page, l.TotalPages, l.TotalResults)
			}
			byPage = append(byPage, l.Data...)
		}
		for cursor := ""; ; {
			l := get[list](t, w.c.client, "/invoice/list?per_page=3"+cursor+query)
			byCursor = append(byCursor, l.Data...)
			if l.NextCursor == nil || len(byCursor) > len(all) {
				break
			}
			cursor = "&cursor=" + *l.NextCursor
		}
		if got, want := ids(byPage), ids(all); got != want {
			t.Errorf("pages%s give %s, want %s", query, got, want)
		}
		if got, want := ids(byCursor), ids(all); got != want {
			t.Errorf("cursors%s give %s, want %s", query, got, want)
		}
		past := get[list](t, w.c.client, "/invoice/list?per_page=3&page=1000000000"+query)
		if past.Data == nil || len(past.Data) != 0 || past.TotalResults != 8 {
			t.Errorf("a page past the end is %+v", past)
		}
	}
}

// changes walks the list in the order of changes: each invoice once, since nothing changes any more.
func (w *walk) changes(t *testing.T) {
	var seen []invoice
	for query := "updated_since=2020-01-01T00:00:00Z"; ; {
		l := get[list](t, w.c.client, "/api/invoices?per_page=3&"+query)
		seen = append(seen, l.Data...)
		if l.NextCursor == nil || len(seen) > 8 {
			if l = get[list](t, w.c.client, "/api/invoices?updated_since="+l.UpdatedUntil); len(l.Data) != 0 {
				t.Errorf("%d changed since the end", len(l.Data))
			}
			break
		}
		query = "updated_since=2020-01-01T00:00:00Z&cursor=" + *l.NextCursor
	}
	got, want := strings.Fields(ids(seen)), strings.Fields(ids(w.c.all(t)))
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("changes give %v, want %v", got, want)
	}
}

func ids(list []invoice) string {
	var out []string
	for _, i := range list {
		out = append(out, i.ID)
	}
	return strings.Join(out, " ")
}

func (w *walk) pdfs(t *testing.T) {
	for kind, i := range w.issued {
		first := w.c.pdf(t, "POST", i.ID, pdfPaths[0])
		for _, method := range []string{"GET", "POST"} {
			for _, path := range pdfPaths {
				if !bytes.Equal(w.c.pdf(t, method, i.ID, path), first) {
					t.Errorf("%s by %s %s has other bytes", kind, method, path)
				}
			}
			if ticket := w.c.pdf(t, method, i.ID, ticketPath); !bytes.Equal(ticket, w.c.pdf(t, "GET", i.ID, ticketPath)) {
				t.Errorf("%s by %s has another ticket", kind, method)
			}
		}
	}
}

func (w *walk) positions(t *testing.T) {
	a := w.c.want(t, http.StatusCreated, "POST", "/api/invoices", body("FCB", 1, "position"))
	at := a.header.Get("Folio-Position")
	if at == "" {
		t.Fatal("a write without Folio-Position")
	}
	id := decode[invoice](t, a).ID
	reader := w.c.client.with("Folio-Min-Position", at)
	reader.want(t, http.StatusOK, "GET", "/api/invoices/"+id, nil)
	if l := get[list](t, reader, "/api/invoices?external_reference=position"); l.TotalResults != 1 {
		t.Errorf("a list at the position of the write has %d", l.TotalResults)
	}
	ahead := must(w.c.client.with("Folio-Min-Position", "C:999999999/P:999999999").send("GET", "/api/invoices/"+id, nil))
	if ahead.status != http.StatusServiceUnavailable || ahead.header.Get("Retry-After") != "1" {
		t.Errorf("a position that is never reached: %d, Retry-After %q", ahead.status, ahead.header.Get("Retry-After"))
	}
	w.c.with("Folio-Min-Position", "twelve").refused(t, 422, "VALIDATION_FAILED", "GET", "/api/invoices", nil)
	w.c.accepted(t, id)
}

func (w *walk) requestIDs(t *testing.T) {
	seen := map[string]bool{}
	c := w.c.client.with("X-Request-Id", "mine")
	for _, path := range []string{"/api/invoices", "/api/invoices", "/nowhere", "/api/invoices?page=0"} {
		id := must(c.send("GET", path, nil)).header.Get("X-Request-Id")
		if id == "" || id == "mine" || seen[id] {
			t.Errorf("%s has the request id %q", path, id)
		}
		seen[id] = true
	}
}

func (w *walk) unknown(t *testing.T) {
	id := w.issued["FCA"].ID
	for _, r := range []struct{ method, path, allow string }{
		{"DELETE", "/api/invoices/" + id, "GET, HEAD"}, {"PUT", "/api/invoices", "GET, HEAD, POST"},
		{"GET", "/api/login", "POST"},
		{"POST", "/invoice/list", "GET, HEAD"}, {"DELETE", "/api/invoices/" + id + "/download/A4", "GET, HEAD, POST"},
	} {
		a := w.c.want(t, http.StatusMethodNotAllowed, r.method, r.path, nil)
		if a.header.Get("Allow") != r.allow {
			t.Errorf("%s %s allows %q, want %q", r.method, r.path, a.header.Get("Allow"), r.allow)
		}
		if _, err := readProblem(a); err != nil {
			t.Error(err)
		}
	}
	for _, path := range []string{"/", "/api", "/api/", "/api/invoices/", "/api/Invoices",
		"/api/invoices/" + id + "/download-pdf/A5", "/api/invoices/../x"} {
		w.c.refused(t, 404, "NO_SUCH_PATH", "GET", path, nil)
	}
	for _, bad := range []string{w.c.id, "x", "%00", "..%2f..", strings.Repeat("A", 26), strings.Repeat("9", 300)} {
		w.c.refused(t, 404, "INVOICE_NOT_FOUND", "GET", "/api/invoices/"+bad, nil)
	}
	w.bearer.refused(t, 404, "COMPANY_NOT_FOUND", "GET", "/api/companies/"+id, nil)
	w.c.refused(t, 409, "NUMBERING_BY_AUTHORITY", "POST", w.c.path("/enumeration/upload"), nil)
	if a := must(w.c.send("HEAD", "/api/invoices/"+id, nil)); a.status != http.StatusOK || len(a.body) != 0 {
		t.Errorf("HEAD answers %d with %d bytes", a.status, len(a.body))
	}
}

func (w *walk) operations(t *testing.T) {
	nobody := client{base: w.p.base}
	for path, want := range map[string]string{"/healthz": "ok", "/readyz": `"status":"ready"`,
		"/metrics": "folio_log_events"} {
		eventually(t, startLimit, path, func() (string, bool) {
			a := must(nobody.send("GET", path, nil))
			return string(a.body), a.status == http.StatusOK && strings.Contains(string(a.body), want)
		})
	}
}

func (w *walk) catalogues(t *testing.T) {
	nobody := client{base: w.p.base}
	types := get[[]struct {
		Code        int
		InvoiceType string `json:"invoice_type"`
	}](t, nobody, "/api/document-types?country=ar")
	official := map[string]int{}
	for _, d := range types {
		official[d.InvoiceType] = d.Code
	}
	for kind, code := range map[string]int{"FCA": 1, "NCA": 3, "FCB": 6, "FCC": 11, "FMA": 201, "CMA": 203} {
		if official[kind] != code {
			t.Errorf("%s has the official code %d, want %d", kind, official[kind], code)
		}
	}
	currencies := get[[]struct {
		ID   int
		Code string
	}](t, nobody, "/api/currencies")
	if len(currencies) == 0 || currencies[0].ID != 1 || currencies[0].Code != "ARS" {
		t.Errorf("the currencies are %+v", currencies)
	}
	if c := get[map[string][]any](t, nobody, "/api/catalogues/AR"); len(c["tax_types"]) == 0 || len(c["concepts"]) != 3 {
		t.Errorf("the catalogue is %v", c)
	}
	nobody.refused(t, 404, "COUNTRY_NOT_FOUND", "GET", "/api/catalogues/XX", nil)
}
