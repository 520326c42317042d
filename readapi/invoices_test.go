package readapi_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"folio/events"
	"folio/waiting"
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
		"date_from=2026-11-23&date_to=2026-11-20":     "",
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
	}
}

func TestQueriesThatAreRefused(t *testing.T) {
	w := newWorld(t)
	for query, want := range map[string]string{
		"page=0":                        "page OUT_OF_RANGE",
		"page=-1":                       "page OUT_OF_RANGE",
		"page=abc":                      "page NOT_AN_INTEGER",
		"page=1e9":                      "page NOT_AN_INTEGER",
		"page=1.5":                      "page NOT_AN_INTEGER",
		"page=99999999999999999999":     "page NOT_AN_INTEGER",
		"page=1&page=2":                 "page REPEATED",
		"per_page=0":                    "per_page OUT_OF_RANGE",
		"per_page=101":                  "per_page OUT_OF_RANGE",
		"cursor=0":                      "cursor OUT_OF_RANGE",
		"cursor=x":                      "cursor NOT_AN_INTEGER",
		"cursor=5&page=2":               "cursor CURSOR_AND_PAGE",
		"status=open":                   "status NOT_ALLOWED",
		"date_from=21/11/2026":          "date_from NOT_A_DATE",
		"date_to=2026-02-30":            "date_to NOT_A_DATE",
		"external_reference=%FF":        "external_reference INVALID_ENCODING",
		"external_reference=a%00b":      "external_reference CONTROL_CHARACTER",
		"colour=red":                    "colour UNKNOWN_FIELD",
		"page=0&per_page=0&status=open": "page OUT_OF_RANGE|per_page OUT_OF_RANGE|status NOT_ALLOWED",
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

func TestAnInvoiceOfAnotherCompanyIsNotThere(t *testing.T) {
	w := newWorld(t, append([]given{created("C1", "I1", nil)}, accepted("I1", 1)...)...)
	w.get("/api/invoices/I1", key1).want(200)
	for _, path := range []string{"/api/invoices/I1", "/api/invoices/I1/download-pdf/A4", "/api/invoices/I1/download/A4"} {
		w.get(path, key2).fails(404, "INVOICE_NOT_FOUND")
	}
	for _, id := range []string{"I2", "%24all", "a%2Fb", strings.Repeat("x", 65), "%FF"} {
		w.get("/api/invoices/"+id, key1).fails(404, "INVOICE_NOT_FOUND")
	}
	if head := w.call("HEAD", "/api/invoices/I1",
		key1).want(200); head.Header().Get("Content-Type") != "application/json" {
		t.Errorf("HEAD: %v", head.Header())
	}
}

// record is what these tests look at of an invoice.
type record struct {
	Status, Environment string
	Number              *string
	CancellationDate    *string `json:"cancellation_date"`
	ReasonCode          *string `json:"reason_code"`
	Rejection           []struct{ Code, Message string }
	Authorization       *struct {
		Type, Code, ExpirationDate, QR, QRURL string
		AdditionalInfo                        *struct {
			Observations []struct{ Code, Message string }
			ProcessDate  string `json:"process_date"`
		} `json:"additional_info"`
	} `json:"electronic_authorization"`
	PendingReason *struct {
		Code, Message string
		NextTry       *time.Time `json:"next_try"`
	} `json:"pending_reason"`
}

func (w *world) record(id string) record {
	w.t.Helper()
	var r record
	w.get("/api/invoices/"+id, key1).want(200).into(&r)
	return r
}

func TestRecordsOfEachState(t *testing.T) {
	all := []given{created("C1", "P", nil), created("C1", "A", nil), created("C1", "R", nil), created("C1", "T", nil),
		created("C1", "X", nil)}
	all = append(append(append(all, accepted("A", 42)...), rejected("R")...), accepted("X", 43)...)
	all = append(all, given{Stream: "invoice-T",
		Event: events.SubmissionStarted{Submission: "S", Environment: "Testing", Number: 44}},
		given{Stream: "invoice-X", Event: events.InvoiceCancelled{CreditNote: "N", Date: "2026-11-27", ReasonCode: "1"}})
	w := newWorld(t, all...)
	if r := w.record("P"); r.Status != "Pending" || r.Number != nil || r.Authorization != nil || r.Rejection == nil ||
		r.PendingReason != nil {
		t.Errorf("pending: %+v", r)
	}
	if r := w.record("T"); r.Status != "In process" || r.Number != nil || r.Authorization != nil {
		t.Errorf("in process: %+v", r)
	}
	r := w.record("A")
	if r.Status != "Accepted" || *r.Number != "0005-00000042" || len(r.Rejection) != 0 || r.CancellationDate != nil {
		t.Errorf("accepted: %+v", r)
	}
	if a := r.Authorization; a.Type != "CAE" || a.Code != "76123456789012" ||
		a.AdditionalInfo.ProcessDate != "20261127120000" ||
		a.AdditionalInfo.Observations[0].Code != "10217" {
		t.Errorf("authorization: %+v", a)
	}
	var links struct {
		A struct {
			QR      string `json:"qr"`
			QRURL   string `json:"qr_url"`
			Expires string `json:"expiration_date"`
		} `json:"electronic_authorization"`
	}
	w.get("/api/invoices/A", key1).into(&links)
	if links.A.QR != "https://www.arca.gob.ar/fe/qr/?p=e30=" || links.A.QRURL != links.A.QR ||
		links.A.Expires != "2026-12-07" {
		t.Errorf("%+v", links)
	}
	if r := w.record("R"); r.Status != "Rejected" || r.Number != nil || r.Authorization != nil || len(r.Rejection) != 1 ||
		r.Rejection[0].Message != "DocNro <no> se encuentra" {
		t.Errorf("rejected: %+v", r)
	}
	if r := w.record("X"); *r.CancellationDate != "2026-11-27" || *r.ReasonCode != "1" || r.Status != "Accepted" {
		t.Errorf("cancelled: %+v", r)
	}
}

func TestWhyAnInvoiceWaits(t *testing.T) {
	unassigned := created("C1", "U", nil)
	e := unassigned.Event.(events.InvoiceCreated)
	e.Environment = ""
	unassigned.Event = e
	all := append([]given{created("C1", "P", nil), unassigned,
		created("C1", "B", func(d *events.Document) { d.Type, d.OfficialCode = "FCB", 6 })}, accepted("A", 1)...)
	w := newWorld(t, append(all, created("C1", "A2", nil))...)
	ctx := context.Background()
	next := now.Add(5 * time.Minute)
	check(t, w.notes.Put(ctx, "C1-Testing-1-5",
		&waiting.Reason{Code: waiting.AuthorityDown, Text: "ARCA does not answer.", NextTry: &next, Since: now}))
	check(t, w.notes.Put(ctx, waiting.Unassigned("C1"),
		&waiting.Reason{Code: waiting.NoCertificate, Text: "Upload a certificate.", Since: now}))
	if r := w.record("P").PendingReason; r == nil || r.Code != "AUTHORITY_UNAVAILABLE" ||
		r.Message != "ARCA does not answer." || !r.NextTry.Equal(next) {
		t.Errorf("its series waits: %+v", r)
	}
	if r := w.record("U").PendingReason; r == nil || r.Code != "NO_CERTIFICATE" || r.NextTry != nil {
		t.Errorf("without an environment: %+v", r)
	}
	if r := w.record("B").PendingReason; r != nil {
		t.Errorf("another series: %+v", r)
	}
	check(t, w.notes.Put(ctx, waiting.Unassigned("C1"), nil))
	if r := w.record("U").PendingReason; r != nil {
		t.Errorf("it goes on: %+v", r)
	}
}

func TestReadYourWrites(t *testing.T) {
	w := newWorld(t, created("C1", "I1", nil))
	for path, projection := range map[string]string{"/api/invoices/I1": "invoices", "/api/invoices": "invoices",
		"/invoice/list?page=1": "invoices"} {
		w.asked = nil
		w.get(path, key1).want(200)
		if len(w.asked) != 0 {
			t.Errorf("%s: waits unasked for %v", path, w.asked)
		}
		w.get(path, key1, "Folio-Min-Position: C:12/P:12").want(200)
		if !slices.Equal(w.asked, []string{projection + " C:12/P:12"}) {
			t.Errorf("%s: waited for %v", path, w.asked)
		}
		w.get(path, key1, "Folio-Min-Position: 12").fails(422, "VALIDATION_FAILED", "Folio-Min-Position NOT_A_POSITION")
	}
	w.late = true
	late := w.get("/api/invoices/I1", key1, "Folio-Min-Position: C:99/P:99")
	late.fails(503, "POSITION_NOT_REACHED")
	if late.Header().Get("Retry-After") != "1" {
		t.Errorf("Retry-After is %q", late.Header().Get("Retry-After"))
	}
	w.get("/api/invoices/I1", key1).want(200) // without asking for it
}

func TestPDF(t *testing.T) {
	all := append([]given{created("C1", "A", nil), created("C1", "P", nil), created("C1", "R", nil)}, accepted("A", 42)...)
	w := newWorld(t, append(all, rejected("R")...)...)
	var first []byte
	for _, method := range []string{"GET", "POST"} {
		for _, path := range []string{"/api/invoices/A/download-pdf/A4", "/api/invoices/A/download/A4"} {
			got := w.call(method, path, key1).want(200)
			h := got.Header()
			if h.Get("Content-Type") != "application/pdf" ||
				h.Get("Content-Disposition") != `attachment; filename="FCA-0005-00000042.pdf"` ||
				h.Get("Content-Length") != fmt.Sprint(got.Body.Len()) {
				t.Errorf("%s %s: %v", method, path, h)
			}
			if !bytes.HasPrefix(got.Body.Bytes(), []byte("%PDF-")) {
				t.Errorf("%s %s: no PDF", method, path)
			}
			if first == nil {
				first = got.Body.Bytes()
			} else if !bytes.Equal(first, got.Body.Bytes()) {
				t.Errorf("%s %s: other bytes", method, path)
			}
		}
	}
	if again := newWorld(t, append(all, rejected("R")...)...).get("/api/invoices/A/download/A4", key1); !bytes.Equal(first,
		again.Body.Bytes()) {
		t.Error("another process makes other bytes")
	}
	for id, says := range map[string]string{"P": "is Pending. Ask again when its status is Accepted",
		"R": "is Rejected and will never have one"} {
		refused := w.call("POST", "/api/invoices/"+id+"/download-pdf/A4", key1)
		refused.fails(409, "INVOICE_NOT_ACCEPTED")
		if !strings.Contains(refused.Body.String(), says) {
			t.Errorf("%s: %s does not say that it %s", id, refused.Body, says)
		}
		if refused.Header().Get("Content-Disposition") != "" {
			t.Errorf("%s: %v", id, refused.Header())
		}
	}
	w.get("/api/invoices/A/download/A5", key1).fails(404, "NO_SUCH_PATH")
	w.get("/api/invoices/A/download/A4").fails(401, "API_KEY_REQUIRED")
	w.call("PUT", "/api/invoices/A/download/A4", key1).fails(405, "METHOD_NOT_ALLOWED")
}
