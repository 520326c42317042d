package e2e

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// refusal is a request that must be refused, clearly, without leaving a trace.
type refusal struct {
	name   string
	by     client
	method string
	path   string
	body   any // []byte as it is, else JSON
	status int
	faults string // paths that errors must name, separated by spaces
}

// check sends it and looks at everything that an error owes its reader.
func (r refusal) check(t *testing.T, p *process) {
	t.Helper()
	before := eventCount(t, p)
	a, err := r.by.send(r.method, r.path, r.body)
	if err != nil {
		t.Fatal(err)
	}
	if a.status != r.status {
		t.Fatalf("%d, want %d: %s", a.status, r.status, a.body)
	}
	got, err := readProblem(a)
	if err != nil {
		t.Error(err)
	}
	var paths []string
	for _, e := range got.Errors {
		paths = append(paths, e.Path)
		if e.Code == "" || e.Message == "" {
			t.Errorf("a fault without code or message: %+v", e)
		}
	}
	for want := range strings.FieldsSeq(r.faults) {
		if !strings.Contains(" "+strings.Join(paths, " ")+" ", " "+want+" ") {
			t.Errorf("no fault at %s: %s", want, a.body)
		}
	}
	if r.status == http.StatusUnprocessableEntity && len(paths) == 0 {
		t.Error("422 without a path")
	}
	if r.status == http.StatusUnauthorized && a.header.Get("WWW-Authenticate") == "" {
		t.Error("401 without WWW-Authenticate")
	}
	if after := eventCount(t, p); after != before {
		t.Errorf("the log grew from %s to %s events", before, after)
	}
}

// eventCount is how many events the log wrote since the start.
func eventCount(t *testing.T, p *process) string {
	t.Helper()
	return metric(t, p, "folio_log_events")
}

// metric is a figure of the service's metrics, by its name and labels as they are printed.
func metric(t *testing.T, p *process, name string) string {
	t.Helper()
	a := client{base: p.base}.want(t, http.StatusOK, http.MethodGet, "/metrics", nil)
	for l := range strings.Lines(string(a.body)) {
		if n, ok := strings.CutPrefix(l, name+" "); ok {
			return strings.TrimSpace(n)
		}
	}
	t.Fatalf("no metric %s", name)
	return ""
}

func TestBadRequestsAreRefusedAndLeaveNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := serve(t, dir, unlimited...)
	bearer := login(t, p.base, email, password)
	c := register(t, bearer, cuit(1))
	c.certify(t, dir)
	good := c.issue(t, body("FCA", 1, "good"))
	for _, group := range [][]refusal{
		badSyntax(c), badFields(c), badAmounts(c), badDocuments(c), badQueries(c), badCredentials(t, c, bearer),
		badAccess(t, c, bearer), badCompanies(bearer), badUploads(t, c, dir),
	} {
		for _, r := range group {
			t.Run(r.name, func(t *testing.T) { r.check(t, p) })
		}
	}
	t.Run("the service is as good as before", func(t *testing.T) {
		if l := get[list](t, c.client, "/api/invoices"); l.TotalResults != 1 || l.Data[0].ID != good.ID {
			t.Errorf("the list holds %+v", l)
		}
		if i := c.issue(t, body("FCA", 1, "after")); *i.Number != "0001-00000002" {
			t.Errorf("the next invoice is %s", i)
		}
	})
	p.stop(t)
}

// create is a POST /api/invoices that must be refused.
func create(c company, name string, body any, status int, faults string) refusal {
	return refusal{name, c.client, http.MethodPost, "/api/invoices", body, status, faults}
}

// changed is a good body with one thing wrong.
func changed(kind string, change func(b map[string]any)) map[string]any {
	b := body(kind, 1, "bad")
	change(b)
	return b
}

func item(b map[string]any) map[string]any   { return b["items"].([]map[string]any)[0] }
func totals(b map[string]any) map[string]any { return b["totals"].(map[string]any) }

func badSyntax(c company) []refusal {
	typed := func(kind string) company {
		c.client = c.with("Content-Type", kind)
		return c
	}
	packed := c
	packed.client = c.with("Content-Encoding", "gzip")
	return []refusal{
		create(c, "nothing", []byte(" "), 400, ""),
		create(c, "half a JSON text", []byte(`{"invoice_type": `), 400, ""),
		create(c, "no JSON", []byte("invoice_type=FCA"), 400, ""),
		create(c, "two JSON texts", []byte(`{} {}`), 400, ""),
		create(c, "NaN", []byte(`{"branch_office": NaN}`), 400, ""),
		create(c, "a comment", []byte(`{/* */}`), 400, ""),
		create(c, "bytes that are not UTF-8", []byte("{\"observations\": \"\xff\xfe\"}"), 400, ""),
		create(c, "half a surrogate pair", []byte(`{"observations": "\ud83d"}`), 400, ""),
		create(c, "a member twice", []byte(`{"invoice_type":"FCA","invoice_type":"FCB"}`), 400, "invoice_type"),
		create(c, "a member twice, once in disguise", []byte(`{"items":[{"quantity":1,"quantit\u0079":2}]}`), 400,
			"items[0].quantity"),
		create(c, "ten thousand brackets", []byte(strings.Repeat("[", 10_000)), 400, ""),
		create(c, "two megabytes", []byte(`{"observations":"`+strings.Repeat("x", 2<<20)+`"}`), 413, ""),
		create(c, "an array", []byte(`[]`), 422, "$"),
		create(c, "null", []byte(`null`), 422, "$"),
		create(typed("text/plain"), "plain text", body("FCA", 1, ""), 415, ""),
		create(typed("application/xml"), "XML", []byte("<a/>"), 415, ""),
		create(typed("application/json; charset=latin1"), "another charset", body("FCA", 1, ""), 415, ""),
		create(typed("multipart/form-data; boundary=x"), "a form", []byte("--x\r\n\r\n--x--\r\n"), 415, ""),
		create(packed, "a compressed body", []byte("\x1f\x8b"), 415, ""),
	}
}

func badFields(c company) []refusal {
	one := func(name string, change func(b map[string]any), faults string) refusal {
		return create(c, name, changed("FCA", change), 422, faults)
	}
	set := func(field string, value any) refusal {
		return one(fmt.Sprintf("%s = %.40v", field, value), func(b map[string]any) { b[field] = value }, field)
	}
	setItem := func(field string, value any) refusal {
		return one(fmt.Sprintf("an item's %s = %.40v", field, value), func(b map[string]any) { item(b)[field] = value },
			"items[0]."+field)
	}
	many := make([]map[string]any, 1001)
	for i := range many {
		many[i] = map[string]any{"quantity": 1}
	}
	return []refusal{
		create(c, "everything missing", map[string]any{}, 422, "invoice_type invoice_date items totals"),
		create(c, "all faults at once", changed("FCA", func(b map[string]any) {
			b["concept"], b["currency"] = "7", map[string]any{"code": "XXX", "exchange_rate": 1}
			item(b)["code_unit_of_measure"] = "furlong"
		}), 422, "concept currency.code items[0].code_unit_of_measure"),
		set("surprise", 1), set("Invoice_Type", "FCA"), set("items", map[string]any{}), set("items", []any{}),
		set("items", []any{1}).at("items[0]"), set("totals", "0"),
		set("branch_office", "one"), set("branch_office", 1.5), set("branch_office", -1), set("branch_office", 99999),
		set("branch_office", 1e18),
		set("invoice_type", nil), set("invoice_type", []any{}), set("observations", 7), set("observations", "a\u0000b"),
		set("observations", strings.Repeat("ñ", 2001)),
		set("id", "mine"), set("number", "0001-00000001"), set("status", "Accepted"),
		set("electronic_authorization", map[string]any{"code": "1"}),
		set("invoice_date", "today"), set("invoice_date", "2026-02-30 10:00:00"), set("invoice_date", today+"T10:00:00Z"),
		set("payment_due_date", "31/12/2026"),
		set("additional_header_info", []any{}),
		one("an unknown header", func(b map[string]any) { b["additional_header_info"] = map[string]any{"x": 1} },
			"additional_header_info.x"),
		one("a thousand and one items", func(b map[string]any) { b["items"] = many }, "items"),
		setItem("quantity", "2"), setItem("quantity", nil), setItem("quantity", ""), setItem("quantity", true),
		setItem("discount_amount", ""),
		setItem("description", ""), setItem("description", strings.Repeat("W", 4001)), setItem("colour", "red"),
		setItem("taxes", "iva21"), setItem("code", map[string]any{"type": "sku"}).at("items[0].code.value"),
	}
}

// at is the refusal with its fault elsewhere.
func (r refusal) at(faults string) refusal {
	r.faults = faults
	return r
}
