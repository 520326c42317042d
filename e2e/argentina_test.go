package e2e

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// monotributista is a company that issues class C.
func monotributista(t testing.TB, p *process, dir string, n int) company {
	t.Helper()
	c := issuing(t, p, dir, n)
	c.want(t, http.StatusOK, http.MethodPut, c.path("/fiscal-profile"), map[string]any{"tax_condition": "monotributo"})
	return c
}

// A document of class C waits until somebody says what its issuer is; A and B say it by
// their class. What contradicts the condition is refused.
func TestClassCWaitsForTheConditionOfItsIssuer(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := serve(t, dir, "--retry-base", "100ms")
	c := issuing(t, p, dir, 1)
	waiting := c.post(t, body("FCC", 1, "C"))
	c.waits(t, waiting.ID, "FISCAL_PROFILE_INCOMPLETE")
	for _, kind := range []string{"FCA", "FCB"} {
		c.issue(t, body(kind, 1, kind))
	}
	steps := get[struct {
		PendingSteps []struct{ Code string } `json:"pending_steps"`
	}](t, c.client, "/api/companies/"+c.id).PendingSteps
	if len(steps) != 1 || steps[0].Code != "FISCAL_PROFILE_tax_condition" {
		t.Errorf("pending steps %v", steps)
	}
	c.want(t, http.StatusOK, http.MethodPut, c.path("/fiscal-profile"), map[string]any{"tax_condition": "monotributo"})
	if i := c.accepted(t, waiting.ID); *i.Number != "0001-00000001" {
		t.Errorf("it was accepted as %s", i)
	}
	c.refused(t, http.StatusUnprocessableEntity, "VALIDATION_FAILED", http.MethodPost, "/api/invoices",
		body("FCA", 1, "A"))
	p.stop(t)
}

// Facturas de crédito electrónicas and their notes go through with the members that the
// documentation names.
func TestCreditInvoicesEndToEnd(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := spyOn(t, dir)
	p := serve(t, dir, append([]string{"--authority-url", s.URL}, unlimited...)...)
	registered, mono := issuing(t, p, dir, 1), monotributista(t, p, dir, 2)
	buyer := recipient("A")
	for _, class := range []string{"A", "B", "C"} {
		c := registered
		if class == "C" {
			c = mono
		}
		b := body("FM"+class, 1, "fce")
		b["recipient"], b["payment_due_date"] = maps.Clone(buyer), today
		if class == "B" {
			b["recipient"].(map[string]any)["tax_condition"] = "exento"
		}
		b["additional_header_info"] = map[string]any{"cbu": "0110012345678901234567", "cbu_alias": "libreria.sur",
			"transfer_system": "ADC",
			"optionals":       []map[string]any{{"id": "23", "value": "OC-17"}}}
		invoice := c.issue(t, b)
		// The last one annuls what the buyer refused (Opcional 22).
		for _, x := range [][2]string{{"DM", "N"}, {"CM", "N"}, {"CM", "S"}} {
			n := body(x[0]+class, 1, "fce note "+x[1])
			n["recipient"], n["payment_due_date"] = b["recipient"], today
			n["billing_reference"] = []map[string]any{{"type": "FM" + class, "number": *invoice.Number, "date": today}}
			n["additional_header_info"] = map[string]any{"cancellation": x[1]}
			note := c.issue(t, n)
			if want := map[string]string{"N": "0001-00000001", "S": "0001-00000002"}[x[1]]; *note.Number != want {
				t.Errorf("%s", note)
			}
			c.pdf(t, http.MethodPost, note.ID, "/download-pdf/A4")
		}
		for _, told := range [][]string{
			{"<Id>2101</Id><Valor>0110012345678901234567</Valor>", "<Id>2102</Id><Valor>libreria.sur</Valor>",
				"<Id>27</Id><Valor>ADC</Valor>", "<Id>23</Id><Valor>OC-17</Valor>"},
			{"<Id>22</Id><Valor>N</Valor>"}, {"<Id>22</Id><Valor>S</Valor>"},
		} {
			if s.requestOf(told...) == "" {
				t.Errorf("class %s: ARCA was not told %v", class, told)
			}
		}
		c.pdf(t, http.MethodPost, invoice.ID, "/download-pdf/A4")
	}
	p.stop(t)
}

// exported is an export document with every member that the documentation names.
func exported(kind string) map[string]any {
	return map[string]any{
		"invoice_type": kind, "branch_office": 5, "invoice_date": today + " 10:00:00", "concept": "1",
		"observations": "Pedido 17",
		"recipient": map[string]any{"legal_name": "João da Silva Ltda.", "document_type": "CUIT",
			"document_number": "55-00000005-0",
			"address":         map[string]any{"country": "BR", "address": "Rua 76, km 34.5, Alagoas"}},
		"currency": map[string]any{"code": "USD", "exchange_rate": json.Number("1450.5")},
		"items": []map[string]any{{"quantity": 2, "code_unit_of_measure": "kg", "unit_price": 150, "discount_amount": 50,
			"description": "Yerba mate", "taxes": []any{}}},
		"totals": map[string]any{"sub_total": 300, "discount": 50, "total": 250, "taxes": []any{}},
		"additional_export_info": map[string]any{"client_tax_id": "PJ54482221-1", "destination_country": "BR",
			"language": "pt"},
	}
}

// Exports of goods and of services and the notes on them.
func TestExportsEndToEnd(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := spyOn(t, dir)
	p := serve(t, dir, append([]string{"--authority-url", s.URL}, unlimited...)...)
	c := issuing(t, p, dir, 1)
	goods := exported("FCX")
	info := goods["additional_export_info"].(map[string]any)
	info["export_kind"], info["incoterms"], info["incoterms_description"], info["payment_form"] = "goods", "FOB",
		"Buenos Aires", "30 dias"
	info["existing_permit"], info["permits"] = "S",
		[]map[string]any{{"id": "09052EC01006154G", "destination_country": "BR"}}
	goods["additional_header_info"] = map[string]any{"activities": []int{461011, 620100}}
	invoice := c.issue(t, goods)
	simplified := exported("FCX") // 2401 is its document, 2402 its FOB amount
	simplified["additional_export_info"].(map[string]any)["incoterms"] = "FOB"
	simplified["additional_export_info"].(map[string]any)["payment_form"] = "30 dias"
	simplified["additional_header_info"] = map[string]any{"optionals": []map[string]any{{"id": "2401",
		"value": "26001ESVE01"}, {"id": "2402", "value": "250.00"}}}
	c.pdf(t, http.MethodPost, c.issue(t, simplified).ID, "/download-pdf/A4")
	for _, told := range [][]string{{"<Actividades>", "<Id>461011</Id>", "<Id>620100</Id>", "09052EC01006154G",
		"<Incoterms>FOB</Incoterms>"},
		{"<Id>2401</Id><Valor>26001ESVE01</Valor>", "<Id>2402</Id><Valor>250.00</Valor>"}} {
		if s.requestOf(told...) == "" {
			t.Errorf("ARCA was not told %v", told)
		}
	}
	services := exported("FCX")
	services["concept"], services["payment_due_date"] = "2", today
	services["additional_export_info"].(map[string]any)["payment_form"] = "30 dias"
	services["additional_export_info"].(map[string]any)["export_kind"] = "services"
	c.issue(t, services)
	for _, kind := range []string{"NDX", "NCX"} {
		note := exported(kind)
		note["billing_reference"] = []map[string]any{{"type": "FCX", "number": *invoice.Number, "date": today}}
		if i := c.issue(t, note); *i.Number != "0005-00000001" {
			t.Errorf("%s", i)
		}
	}
	c.pdf(t, http.MethodPost, invoice.ID, "/download-pdf/A4")
	p.stop(t)
}

// A document that is paid in its own currency may leave its rate to ARCA: it is null until
// ARCA's is taken, and that one is printed for good.
func TestARateThatIsLeftToTheAuthority(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := serve(t, dir, "--retry-base", "100ms")
	c := register(t, login(t, p.base, email, password), cuit(1))
	type priced struct {
		Currency struct {
			Code string
			Rate *json.Number `json:"exchange_rate"`
		}
	}
	leave := func(kind string) map[string]any {
		b := body(kind, 1, "dollars")
		b["currency"] = map[string]any{"code": "USD"}
		b["additional_header_info"] = map[string]any{"same_currency_payment": "S"}
		return b
	}
	early := c.post(t, leave("FCA"))
	if got := get[priced](t, c.client, "/api/invoices/"+early.ID); got.Currency.Rate != nil {
		t.Errorf("the rate is %s before there is one", *got.Currency.Rate)
	}
	c.refused(t, http.StatusConflict, "CERTIFICATE_NEEDED", http.MethodGet, "/api/catalogues/ar/rate?currency=USD", nil)
	c.certify(t, dir)
	official := get[struct {
		Rate json.Number `json:"exchange_rate"`
		Of   string      `json:"rate_date"`
	}](t, c.client, "/api/catalogues/ar/rate?currency=USD&date="+today)
	if official.Rate == "" || official.Of >= today {
		t.Errorf("the official rate is %+v", official)
	}
	c.refused(t, http.StatusNotFound, "RATE_NOT_FOUND", http.MethodGet, "/api/catalogues/ar/rate?currency=XYZ", nil)
	c.refused(t, http.StatusNotFound, "RATE_NOT_FOUND", http.MethodGet, "/api/catalogues/cl/rate?currency=USD", nil)
	c.accepted(t, early.ID)
	if got := get[priced](t, c.client, "/api/invoices/"+early.ID); got.Currency.Rate == nil ||
		*got.Currency.Rate != official.Rate {
		t.Errorf("the rate taken is %v, the official one %s", got.Currency.Rate, official.Rate)
	}
	c.pdf(t, http.MethodPost, early.ID, "/download-pdf/A4")
	b := leave("FCA") // without S the rate is the caller's to give
	b["additional_header_info"] = map[string]any{"same_currency_payment": "N"}
	c.refused(t, http.StatusUnprocessableEntity, "VALIDATION_FAILED", http.MethodPost, "/api/invoices", b)
	export := exported("FCX")
	export["currency"], export["additional_header_info"] = map[string]any{"code": "USD"},
		map[string]any{"same_currency_payment": "S"}
	export["concept"], export["payment_due_date"] = "2", today
	export["additional_export_info"].(map[string]any)["payment_form"] = "30 dias"
	i := c.issue(t, export)
	if got := get[priced](t, c.client, "/api/invoices/"+i.ID); got.Currency.Rate == nil ||
		*got.Currency.Rate != official.Rate {
		t.Errorf("the rate of an export is %v", got.Currency.Rate)
	}
	p.stop(t)
	var types []string
	for _, f := range history(t, dir, early.ID) {
		types = append(types, f.Type)
	}
	if !slices.Contains(types, "RateTaken") ||
		slices.Index(types, "RateTaken") > slices.Index(types, "SubmissionStarted") {
		t.Errorf("its facts are %s", strings.Join(types, " "))
	}
}

// What the caller wrote of a consumer who is not identified comes back, and is found.
func TestAnUnidentifiedConsumerComesBackAsItCame(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := serve(t, dir)
	c := issuing(t, p, dir, 1)
	b := body("FCB", 1, "99")
	b["recipient"] = map[string]any{"legal_name": "Consumidor Final", "document_type": "99", "document_number": "0"}
	i := c.issue(t, b)
	got := get[struct {
		Recipient struct {
			Type   string `json:"document_type"`
			Number string `json:"document_number"`
		}
	}](t, c.client, "/api/invoices/"+i.ID)
	if got.Recipient.Type != "99" || got.Recipient.Number != "0" {
		t.Errorf("it came back as %+v", got.Recipient)
	}
	if l := get[list](t, c.client, "/api/invoices?recipient_document=0"); l.TotalResults != 1 {
		t.Errorf("the list finds %d", l.TotalResults)
	}
	p.stop(t)
}
