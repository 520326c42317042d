package writeapi_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"folio/events"
)

func TestInvoicesThatAreRefused(t *testing.T) {
	w := newWorld(t)
	s := w.company()
	item := func(member, value string) string {
		return edited(t, `{"quantity":1,"code_unit_of_measure":"u","unit_price":100,"description":"x","taxes":[{"type":"iva21","amount":21,"rate":21}]}`, member, value)
	}
	one := func(changes ...string) string {
		return sample(t, append([]string{"items", "[" + item("quantity", "1") + "]",
			"totals", `{"sub_total":100,"discount":0,"total":121,"taxes":[{"type":"iva21","amount":21,"base_amount":100}]}`},
			changes...)...)
	}
	w.call("POST", "/api/invoices", one(), s.key).want(201)
	w.call("POST", "/api/invoices", one("branch_office", `null`), s.key).want(201)
	before := w.log.Count("invoice-")
	for _, c := range []struct {
		name, body string
		want       []string
	}{
		{"an empty object", `{}`, []string{"invoice_type REQUIRED", "invoice_date REQUIRED", "items REQUIRED",
			"totals REQUIRED", "concept AR-DATE-01"}},
		{"no items", one("items", `[]`), []string{"items TOO_FEW_ITEMS"}},
		{"items as an object", one("items", `{}`), []string{"items WRONG_TYPE"}},
		{"an item that is text", one("items", `["x"]`), []string{"items[0] WRONG_TYPE"}},
		{"an unknown member, nearly right", one("obervations", `"x"`), []string{"obervations UNKNOWN_FIELD"}},
		{"an unknown member deep inside", one("items", "["+item("colour", `"red"`)+"]"),
			[]string{"items[0].colour UNKNOWN_FIELD"}},
		{"an amount as text", one("items", "["+item("unit_price", `"100"`)+"]"), []string{"items[0].unit_price WRONG_TYPE"}},
		{"an amount of null", one("items", "["+item("unit_price", `null`)+"]"), []string{"items[0].unit_price NOT_NULL"}},
		{"an empty text for an amount", one("items", "["+item("discount_amount", `""`)+"]"),
			[]string{"items[0].discount_amount WRONG_TYPE"}},
		{"an amount beyond all bounds", one("totals.total", `1e400`), []string{"totals.total TOO_MANY_DIGITS"}},
		{"an amount of 20 digits", one("totals.total", `12345678901234567890`), []string{"totals.total TOO_MANY_DIGITS"}},
		{"an amount with too many decimals", one("items", "["+item("unit_price", `0.0000001`)+"]"),
			[]string{"items[0].unit_price TOO_MANY_DECIMALS"}},
		{"a month 13", one("invoice_date", `"2026-13-01 10:00:00"`), []string{"invoice_date NOT_A_DATE_TIME"}},
		{"a date with a zone", one("invoice_date", `"2026-11-27T10:00:00Z"`), []string{"invoice_date NOT_A_DATE_TIME"}},
		{"a date that is a number", one("payment_due_date", `20261227`), []string{"payment_due_date WRONG_TYPE"}},
		{"a point of sale below 0", one("branch_office", `-1`), []string{"branch_office OUT_OF_RANGE"}},
		{"a point of sale 0", one("branch_office", `0`), []string{"branch_office OUT_OF_RANGE"}},
		{"a legal name that is turned round", one("recipient.legal_name", `"Comprador \u202eSA"`),
			[]string{"recipient.legal_name CONTROL_CHARACTER"}},
		{"a point of sale of six digits", one("branch_office", `100000`), []string{"branch_office OUT_OF_RANGE"}},
		{"an exchange rate of 0", one("currency.exchange_rate", `0`), []string{"currency.exchange_rate OUT_OF_RANGE"}},
		{"a NUL in a text", one("observations", `"a\u0000b"`), []string{"observations CONTROL_CHARACTER"}},
		{"a description that is too long", one("items", "["+item("description", `"`+strings.Repeat("W", 20_000)+`"`)+"]"),
			[]string{"items[0].description TOO_LONG"}},
		{"descriptions of too many lines", one("items",
			"["+item("description", `"`+strings.Repeat(`x\n`, 300)+`"`)+","+
				item("description", `"`+strings.Repeat(`x\n`, 201)+`"`)+"]"),
			[]string{"items[1].description TOO_MANY_LINES", "totals.sub_total AR-TOTAL-02",
				"totals.taxes[0].base_amount AR-TOTAL-06"}},
		{"a condition for the issuer", one("issuer.tax_condition", `"exento"`), []string{"issuer.tax_condition READ_ONLY"}},
		{"header info that is a list", one("additional_header_info", `[]`), []string{"additional_header_info WRONG_TYPE"}},
		{"a reference of no kind", one("billing_reference", `[{}]`), []string{"billing_reference[0] REFERENCE_AMBIGUOUS"}},
		{"a reference of two kinds", one("billing_reference",
			`[{"invoice_id":"01KJQ8J0000000000000000000","period_from":"2026-01-01"}]`),
			[]string{"billing_reference[0] REFERENCE_AMBIGUOUS"}},

		{"another company's CUIT", one("issuer.document_number", `"33693450239"`),
			[]string{"issuer.document_number AR-ISSUER-03"}},
		{"an issuer with half a number", one("issuer.document_number", `"1"`),
			[]string{"issuer.document_number AR-ISSUER-02"}},
		{"a total that is off by 0.02", one("totals.total", `121.02`), []string{"totals.total AR-TOTAL-01"}},
		{"a kind that nobody knows", one("invoice_type", `"XYZ"`), []string{"invoice_type AR-KIND-01"}},
		{"a tax that nobody knows", one("items", "["+item("taxes", `[{"type":"iva99","amount":21,"rate":21}]`)+"]"), nil},
		{"a date in three weeks", one("invoice_date", `"2026-12-18 10:00:00"`), []string{"invoice_date AR-DATE-03"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := w.call("POST", "/api/invoices", c.body, s.key)
			a.t = t
			a.fails(422, "VALIDATION_FAILED", c.want...)
		})
	}
	if n := w.log.Count("invoice-"); n != before {
		t.Errorf("%d events were recorded of what was refused", n-before)
	}
}

func TestAllFaultsAreToldAtOnce(t *testing.T) {
	w := newWorld(t)
	s := w.company()
	a := w.call("POST", "/api/invoices", `{"id":"x","status":"Accepted","number":"0001-00000001","electronic_authorization":{"code":"1"},
		"invoice_type":7.5,"invoice_date":"soon","colour":"red","issuer":[],"recipient":{"legal_name":5,"address":{"phone":[]}},
		"currency":{"code":"PESOS","rate":1},
		"items":[{"quantity":"1","taxes":[{"type":"","rate":true,"amount":null}],"code":{"type":"sku"}},5],
		"totals":{"sub_total":1,"total":"2","taxes":{}}}`, s.key)
	a.fails(422, "VALIDATION_FAILED", "id READ_ONLY", "status READ_ONLY", "number READ_ONLY",
		"electronic_authorization READ_ONLY",
		"invoice_type NOT_AN_INTEGER", "invoice_date NOT_A_DATE_TIME", "colour UNKNOWN_FIELD", "issuer WRONG_TYPE",
		"recipient.legal_name WRONG_TYPE", "recipient.address.phone WRONG_TYPE", "currency.code TOO_LONG",
		"currency.rate UNKNOWN_FIELD",
		"items[0].quantity WRONG_TYPE", "items[0].unit_price REQUIRED", "items[0].description REQUIRED",
		"items[0].taxes[0].type REQUIRED", "items[0].taxes[0].rate WRONG_TYPE", "items[0].taxes[0].amount NOT_NULL",
		"items[0].code.value REQUIRED", "items[1] WRONG_TYPE", "totals.total WRONG_TYPE", "totals.taxes WRONG_TYPE",
		"concept AR-DATE-01")

	// Likewise what only the country's rules can know.
	a = w.call("POST", "/api/invoices", sample(t, "issuer.document_number", `"33693450239"`, "recipient.document_number",
		`"30500010913"`,
		"totals.total", "285.50", "payment_method.code", `"XXX"`, "concept", `"9"`), s.key)
	a.fails(422, "VALIDATION_FAILED", "issuer.document_number AR-ISSUER-03", "recipient.document_number AR-RECIPIENT-06",
		"totals.total AR-TOTAL-01", "payment_method.code AR-PAYMENT-01", "concept AR-DATE-01")
}

func TestReadOnlyFieldsMayBeThereWhenTheyAreEmpty(t *testing.T) {
	w := newWorld(t)
	s := w.company()
	for _, empty := range []string{`null`, `""`, `[]`, `{}`} {
		var changes []string
		for _, name := range []string{"id", "number", "reason_code", "cancellation_date", "status", "tax_information",
			"electronic_authorization"} {
			changes = append(changes, name, empty)
		}
		w.call("POST", "/api/invoices", sample(t, changes...), s.key).want(201)
	}
	for name, value := range map[string]string{"id": `"x"`, "number": `"0001-00000001"`, "reason_code": `"1"`,
		"cancellation_date": `"2026-11-27"`,
		"status":            `"Pending"`, "tax_information": `{"a":1}`, "electronic_authorization": `{"code":"1"}`,
		"created_at": `0`, "environment": `false`} {
		w.call("POST", "/api/invoices", sample(t, name, value), s.key).fails(422, "VALIDATION_FAILED", name+" READ_ONLY")
	}
}

func TestBodiesThatCannotBeParsed(t *testing.T) {
	w := newWorld(t)
	s := w.company()
	for _, c := range []struct {
		name, body, constant string
		status               int
	}{
		{"nothing", " ", "BODY_NOT_JSON", 400},
		{"no JSON", "hello", "BODY_NOT_JSON", 400},
		{"half of it", sample(t)[:100], "BODY_NOT_JSON", 400},
		{"bytes behind it", sample(t) + "{}", "BODY_NOT_JSON", 400},
		{"a member twice", strings.Replace(sample(t), `{`, `{"concept":"1",`, 1), "DUPLICATE_MEMBER", 400},
		{"no UTF-8", strings.Replace(sample(t), "Pedido", "Pe\xffdido", 1), "BODY_NOT_UTF8", 400},
		{"a lone surrogate", strings.Replace(sample(t), "Pedido", `\ud800`, 1), "BODY_NOT_UTF8", 400},
		{"2 MB", `{"observations":"` + strings.Repeat("x", 2<<20) + `"}`, "BODY_TOO_LARGE", 413},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := w.call("POST", "/api/invoices", c.body, s.key)
			a.t = t
			if a.Code != c.status {
				t.Fatalf("status %d, want %d: %s", a.Code, c.status, a.Body)
			}
			if c.name != "a lone surrogate" {
				a.fails(c.status, c.constant)
			}
		})
	}
	w.call("POST", "/api/invoices", sample(t), s.key, "Content-Type: multipart/form-data; boundary=x").fails(415,
		"JSON_REQUIRED")
	w.call("POST", "/api/invoices", sample(t)).fails(401, "API_KEY_REQUIRED")
	w.call("POST", "/api/invoices", sample(t), ana).fails(401, "API_KEY_REQUIRED")
	w.call("PATCH", "/api/invoices", sample(t), s.key).fails(405, "METHOD_NOT_ALLOWED")
	if n := w.log.Count("invoice-"); n != 0 {
		t.Errorf("%d events were recorded", n)
	}
}

func TestEveryListIsBounded(t *testing.T) {
	w := newWorld(t)
	s := w.company()
	many := func(n int, one string) string { return "[" + strings.TrimSuffix(strings.Repeat(one+",", n), ",") + "]" }
	for name, value := range map[string]string{
		"items":             many(1001, `{}`),
		"global_taxes":      many(51, `{}`),
		"billing_reference": many(101, `{}`),
		"totals.taxes":      many(51, `{}`),
	} {
		a := w.call("POST", "/api/invoices", sample(t, name, value), s.key)
		a.fails(422, "VALIDATION_FAILED", name+" TOO_MANY_ITEMS")
	}
}

func TestTheIssuerIsFrozenAndFilledIn(t *testing.T) {
	w := newWorld(t)
	s := w.company()
	w.call("PUT", "/api/companies/"+s.id+"/fiscal-profile",
		`{"address":{"country":"AR","region":"AR-C","address":"Av. Corrientes 1234"},"tax_condition":"responsable_inscripto"}`, s.key).want(200)
	first := w.call("POST", "/api/invoices", sample(t, "issuer", ""), s.key).want(201)
	got := first.object()["issuer"].(map[string]any)
	if got["legal_name"] != "Molinos del Plata S.A." || got["document_number"] != cuit ||
		got["address"].(map[string]any)["address"] != "Av. Corrientes 1234" {
		t.Errorf("issuer is %v", got)
	}
	if info := first.object()["tax_information"].(map[string]any); info["issuer_condition"] != "responsable_inscripto" {
		t.Errorf("%v", info)
	}
	w.call("PUT", "/api/companies/"+s.id+"/fiscal-profile",
		`{"address":{"address":"Otra 1"},"tax_condition":"monotributo"}`, s.key).want(200)
	if again := w.call("GET", "/api/invoices/"+first.text("id"), "",
		s.key).want(200); again.Body.String() != first.Body.String() {
		t.Errorf("the record changed with the profile:\n%s\n%s", first.Body, again.Body)
	}
	// A monotributista may not issue class A.
	w.call("POST", "/api/invoices", sample(t, "issuer", ""), s.key).fails(422, "VALIDATION_FAILED",
		"invoice_type AR-KIND-04")
}

func TestTheConditionInForceAtTheDocumentsDateCounts(t *testing.T) {
	w := newWorld(t)
	s := w.company()
	path := "/api/companies/" + s.id + "/fiscal-profile"
	dated := func(day string) string {
		return sample(t, "issuer", "", "invoice_date", `"`+day+` 10:15:00"`)
	}
	w.call("PUT", path, `{"tax_condition":"responsable_inscripto"}`, s.key).want(200)
	w.advance(48 * time.Hour)
	w.call("PUT", path, `{"tax_condition":"monotributo"}`, s.key).want(200)
	for _, day := range []string{"2026-11-27", "2026-11-28"} {
		old := w.call("POST", "/api/invoices", dated(day), s.key).want(201)
		if info := old.object()["tax_information"].(map[string]any); info["issuer_condition"] != "responsable_inscripto" {
			t.Errorf("%s: %v", day, info)
		}
		frozen, err := events.Open(w.log.Stream("invoice-" + old.text("id"))[0])
		check(t, err)
		if got := frozen.Event.(events.InvoiceCreated).Profile.TaxCondition; got != "responsable_inscripto" {
			t.Errorf("%s: %q will be printed", day, got)
		}
		w.restart() // the times are those of the log
	}
	w.call("POST", "/api/invoices", dated("2026-11-29"), s.key).fails(422, "VALIDATION_FAILED", "invoice_type AR-KIND-04")
}

func TestProcess(t *testing.T) {
	w := newWorld(t)
	s, other := w.company(), w.company()
	id := w.call("POST", "/api/invoices", sample(t), s.key).want(201).text("id")
	asked := w.call("POST", "/api/invoices/"+id+"/process", "", s.key).want(202)
	if got := asked.object(); got["id"] != id || got["status"] != "Pending" || asked.Header().Get("Folio-Position") == "" {
		t.Errorf("%s %v", asked.Body, asked.Header())
	}
	if again := w.call("POST", "/api/invoices/"+id+"/process", "",
		s.key).want(202); again.Header().Get("Folio-Position") != "" {
		t.Errorf("asking again at once was recorded at %s", again.Header().Get("Folio-Position"))
	}
	w.call("POST", "/api/invoices/"+id+"/process", "", other.key).fails(404, "INVOICE_NOT_FOUND")
	w.call("POST", "/api/invoices/01KJQ8J0000000000000000000/process", "", s.key).fails(404, "INVOICE_NOT_FOUND")
	w.call("POST", "/api/invoices/"+strings.Repeat("x", 65)+"/process", "", s.key).fails(404, "NOT_FOUND")
	w.settle(id, 1)
	w.call("POST", "/api/invoices/"+id+"/process", "", s.key).fails(409, "INVOICE_FINAL")
}

func TestALogThatIsAwayIs503AndNothingIsHidden(t *testing.T) {
	w := newWorld(t)
	s := w.company()
	w.log.failing("invoice-")
	a := w.call("POST", "/api/invoices", sample(t), s.key)
	a.fails(503, "LOG_UNAVAILABLE")
	if a.Header().Get("Retry-After") == "" || a.Header().Get("Location") != "" {
		t.Errorf("headers are %v", a.Header())
	}
	w.call("POST", "/api/invoices", sample(t), s.key).want(201)
	if n := w.call("GET", "/api/invoices", "", s.key).want(200).object()["total_results"]; fmt.Sprint(n) != "1" {
		t.Errorf("%v invoices", n)
	}
}

func TestAWriteWhoseReadModelIsBehindSaysSo(t *testing.T) {
	w := newWorld(t)
	s := w.company()
	if a := w.call("POST", "/api/invoices", sample(t), s.key).want(201); a.Header().Get("Folio-Read-Model") != "" ||
		a.Header().Get("Folio-Position") == "" {
		t.Errorf("headers of a write that is shown: %v", a.Header())
	}
	w.behind = true
	a := w.call("POST", "/api/invoices", sample(t), s.key).want(201)
	if a.Header().Get("Folio-Read-Model") != "behind" || a.Header().Get("Folio-Position") == "" ||
		a.Header().Get("Location") == "" {
		t.Errorf("headers of a write whose read model is behind: %v", a.Header())
	}
}
