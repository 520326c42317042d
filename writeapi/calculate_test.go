package writeapi_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"folio/country"
	"folio/country/ar"
	"folio/country/cl"
	"folio/country/uy"
)

// draftOf is a body with its sums taken out: what a caller has who knows only the items.
func draftOf(t testing.TB, body string) map[string]any {
	t.Helper()
	d := decoded(t, body)
	delete(d, "totals")
	for _, item := range d["items"].([]any) {
		taxes, _ := item.(map[string]any)["taxes"].([]any)
		for _, tax := range taxes {
			delete(tax.(map[string]any), "rate")
			delete(tax.(map[string]any), "amount")
		}
	}
	return d
}

const (
	chileanBuyer   = chilean + `,"document_number":"76192083-9"`
	uruguayanBuyer = `"legal_name":"Comprador","document_type":"RUT","document_number":"214844360018",` +
		`"address":{"country":"UY","region":"UY-CA","address":"Calle 2"}`
)

var pando = map[string]any{"additional_header_info": map[string]any{"recipient": map[string]any{"city": "Pando"}}}

func TestWhatIsCalculatedIsAccepted(t *testing.T) {
	for _, c := range []struct {
		rules      country.Rules
		identifier string
		body       string
		set        map[string]any
		total      string
	}{
		{ar.Rules{}, cuit, sample(t), nil, "285.16"},
		{ar.Rules{}, cuit, sample(t), map[string]any{"global_taxes": []any{map[string]any{"type": "iibb", "rate": 3}}}, ""},
		{cl.Rules{}, "77111222-6", plain("FAC", chileanBuyer, "CLP", ""), nil, "1190"},
		{cl.Rules{}, "77111222-6", plain("BOL", "", "CLP", ""), nil, "1190"},
		{cl.Rules{}, "77111222-6", plain("FAC", chileanBuyer, "CLP", ""),
			map[string]any{"totals": map[string]any{"discount": 7}}, "1182"},
		{uy.Rules{}, "217111220014", plain("EFA", uruguayanBuyer, "UYU", ""), pando, "1220.00"},
	} {
		w := newWorldOf(t, c.rules)
		s := w.owned(c.identifier)
		draft := draftOf(t, c.body)
		maps.Copy(draft, c.set)
		whole := maps.Clone(draft)
		got := w.call("POST", "/api/invoices/calculate", encoded(t, draft), s.key).want(200).object()
		maps.Copy(whole, got)
		if total := encoded(t, got["totals"].(map[string]any)["total"]); c.total != "" && total != c.total {
			t.Errorf("%s: the total is %s, want %s", c.rules.Code(), total, c.total)
		}
		body := encoded(t, whole)
		before := w.log.Count("")
		valid := w.call("POST", "/api/invoices/validate", body, s.key).want(200).object()
		if valid["valid"] != true || valid["invoice"].(map[string]any)["id"] != "" || w.log.Count("") != before {
			t.Errorf("%s: %v, or something was stored", c.rules.Code(), valid)
		}
		made := w.call("POST", "/api/invoices", body, s.key).want(201).object()
		for _, member := range []string{"id", "created_at"} {
			delete(made, member)
			delete(valid["invoice"].(map[string]any), member)
		}
		if a, b := encoded(t, made), encoded(t, valid["invoice"]); a != b {
			t.Errorf("%s: created is not what was validated:\n%s\n%s", c.rules.Code(), a, b)
		}
	}
}

// What is wrong with the sums is refused as a create would refuse it, and nothing else is.
func TestACalculationNeedsOnlyTheSums(t *testing.T) {
	w := newWorld(t)
	s := w.company()
	got := w.call("POST", "/api/invoices/calculate",
		`{"invoice_type":"FCA","items":[{"quantity":3,"unit_price":0.335,"discount_amount":0.005,"taxes":[{"type":"iva21"}]}]}`,
		s.key).want(200).object()
	if text := encoded(t, got["totals"]); text != `{"discount":0.01,"sub_total":1.01,`+
		`"taxes":[{"amount":0.21,"base_amount":1.00,"type":"iva21"}],"total":1.21}` {
		t.Errorf("%s", text)
	}
	w.call("POST", "/api/invoices/calculate", `{"invoice_type":"FCA","recipient":{"document_number":"1"},"items":[
		{"quantity":-1,"unit_price":1,"taxes":[{"type":"iva21"}]},{"quantity":1,"unit_price":"1","taxes":[{"type":"vat"}]}]}`,
		s.key).fails(422, "VALIDATION_FAILED", "items[0].quantity AR-ITEM-05", "items[1].unit_price WRONG_TYPE",
		"items[1].taxes[0].type AR-TAX-03")
	w.call("POST", "/api/invoices/calculate", `{"invoice_type":"FCA","totals":{"discount":1},"items":[
		{"quantity":1,"unit_price":10,"discount_amount":2,"taxes":[{"type":"iva21"}]}]}`,
		s.key).fails(422, "VALIDATION_FAILED", "totals.discount AR-TOTAL-03")
	w.call("POST", "/api/invoices/calculate", `{"invoice_type":"FCA","items":[
		{"quantity":9999999999999,"unit_price":9999999999999,"taxes":[{"type":"iva21"}]}]}`,
		s.key).fails(422, "VALIDATION_FAILED", "items[0].unit_price AR-LIMIT-03")
}

func TestAValidationFindsWhatACreateFinds(t *testing.T) {
	w := newWorld(t)
	s := w.company()
	id := w.issued(s, 1, worth(t, 200))
	for _, body := range []string{
		sample(t, "invoice_type", `"XXX"`, "currency", `{"code":"ARS","exchange_rate":2}`, "items", `[]`, "total", `1`),
		`{`, `{}`, correcting(t, "NCA", 400, byID(id)), correcting(t, "NCA", 100, byID("01AAAAAAAAAAAAAAAAAAAAAAAA")),
	} {
		created := w.call("POST", "/api/invoices", body, s.key)
		validated := w.call("POST", "/api/invoices/validate", body, s.key)
		if created.Code < 400 || validated.Code != created.Code || faultsOf(t, created) != faultsOf(t, validated) {
			t.Errorf("a create finds %d %s\na validation %d %s", created.Code, created.Body, validated.Code, validated.Body)
		}
	}
}

// faultsOf is a problem without what each request has of its own.
func faultsOf(t testing.TB, a answer) string {
	p := a.object()
	delete(p, "request_id")
	delete(p, "instance")
	return encoded(t, p)
}

func TestAValidationSaysWhyTheInvoiceWouldWait(t *testing.T) {
	codes := func(rules country.Rules, identifier, body string) string {
		w := newWorldOf(t, rules)
		var all []string
		for _, x := range w.call("POST", "/api/invoices/validate", body, w.owned(identifier).key).want(200).
			object()["warnings"].([]any) {
			all = append(all, x.(map[string]any)["code"].(string))
		}
		slices.Sort(all)
		return strings.Join(all, " ")
	}
	if got := codes(ar.Rules{}, cuit, sample(t)); got != "NO_CERTIFICATE" {
		t.Errorf("Argentina: %q", got)
	}
	if got := codes(uy.Rules{}, "217111220014", plain("TIC", nobody, "UYU", "")); got !=
		"FISCAL_PROFILE_INCOMPLETE NO_CERTIFICATE" {
		t.Errorf("Uruguay: %q", got)
	}
}

func TestAPreviewIsOfWhatACreateTakes(t *testing.T) {
	w := newWorld(t)
	s := w.company()
	before := w.log.Count("")
	got := w.call("POST", "/api/invoices/preview", sample(t), s.key).want(200)
	if got.Header().Get("Content-Type") != "application/pdf" || !strings.HasPrefix(got.Body.String(), "%PDF-") ||
		w.log.Count("") != before {
		t.Errorf("%s, or something was stored", got.Header())
	}
	w.call("POST", "/api/invoices/preview", sample(t, "currency", `{"code":"ARS","exchange_rate":2}`), s.key).
		fails(422, "VALIDATION_FAILED")
}

// Whether prices have IVA in them decides the sums: one that cannot be read is no "no".
func TestGrossPricesThatCannotBeReadAreNotNet(t *testing.T) {
	w := newWorldOf(t, uy.Rules{})
	s := w.owned("217111220014")
	w.call("POST", "/api/invoices/calculate", `{"invoice_type":"TIC","items":[{"quantity":1,"unit_price":122,"taxes":[{"type":"iva22"}]}],
		"currency":{"code":"UYU","exchange_rate":1},"additional_header_info":{"gross_prices":"true"}}`, s.key).
		fails(422, "VALIDATION_FAILED", "additional_header_info.gross_prices UY-HEADER-01")
}

// A discount that nobody wrote is no fault beside the line that it follows from.
func TestOnlyTheLineIsWrongWhereTheDiscountFollowsFromIt(t *testing.T) {
	for _, c := range []struct {
		rules                            country.Rules
		company, kind, currency, tax, is string
	}{
		{ar.Rules{}, cuit, "FCB", "ARS", "iva21", "AR"}, {cl.Rules{}, "77111222-6", "FAC", "CLP", "iva19", "CL"},
		{uy.Rules{}, "217111220014", "TIC", "UYU", "iva22", "UY"},
	} {
		w := newWorldOf(t, c.rules)
		s := w.owned(c.company)
		for line, want := range map[string]string{
			`"quantity":-1,"unit_price":100`:                      "items[0].quantity " + c.is + "-ITEM-05",
			`"quantity":1,"unit_price":100,"discount_amount":500`: "items[0].discount_amount " + c.is + "-ITEM-06",
		} {
			w.call("POST", "/api/invoices/calculate", `{"invoice_type":"`+c.kind+`","currency":{"code":"`+c.currency+
				`","exchange_rate":1},"items":[{`+line+`,"taxes":[{"type":"`+c.tax+`"}]}]}`, s.key).
				fails(422, "VALIDATION_FAILED", want)
		}
	}
}
