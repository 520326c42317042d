package writeapi

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"folio/commands/company"
	"folio/country"
	"folio/country/ar"
	"folio/country/cl"
	"folio/country/uy"
	"folio/events"
	"folio/fault"
	"folio/strict"

	"pgregory.net/rapid"

	_ "folio/rapidseed"
)

// whole is a correct body of a country, with two items.
type whole struct {
	rules country.Rules
	owner company.State
	body  string
}

func ownerOf(rules country.Rules, number string) company.State {
	var s company.State
	s.Company, s.Country, s.TaxIdentifier, s.TaxIdentifierName, s.LegalName = "C", rules.Code(), number,
		rules.IdentifierName(), "Empresa de Prueba S.A."
	s.Profile.Address = events.Address{Country: rules.Code(), Address: "Calle 1"}
	if rules.Code() == "AR" {
		s.Profile.Address = events.Address{Country: "AR", Region: "AR-C", Address: "Av. Corrientes 1234",
			Phone: "+54 11 4321-0000"}
	}
	return s
}

func wholes(t testing.TB) map[string]whole {
	t.Helper()
	sample, err := os.ReadFile("../country/ar/testdata/specification_sample.json")
	if err != nil {
		t.Fatal(err)
	}
	body := func(kind, number, other, country, tax, rate, totals, header string) string {
		return `{"invoice_type": "` + kind + `", "invoice_date": "2026-11-27 10:15:00", "payment_due_date": "2026-12-27",
  "service_start_date": "2026-11-01 00:00:00", "service_end_date": "2026-11-30 23:59:59", "concept": "3", "observations": "Pedido 1042",
  "external_reference": "A-1042",
  "issuer": {"legal_name": "Empresa", "document_type": "RUT", "document_number": "` + number +
			`", "address": {"country": "` + country + `", "address": "Calle 1"}},
  "recipient": {"legal_name": "Comprador", "document_type": "RUT", "document_number": "` + other + `",
    "address": {"country": "` + country + `", "address": "Calle 2", "phone": "+54 351 422-0000"}},
  "currency": {"code": "` + map[string]string{"UY": "UYU", "CL": "CLP"}[country] + `", "exchange_rate": 1},
  "payment_method": {"code": "CON", "description": "Contado"},
  "items": [
    {"quantity": 2, "code_unit_of_measure": "u", "unit_price": 1000, "discount_amount": 10,
      "description": "Servicio de mantenimiento", "code": {"type": "sku", "value": "A-17"}, "taxes": [` + tax + `]},
    {"quantity": 3, "code_unit_of_measure": "u", "unit_price": 500, "discount_amount": 0,
      "description": "Repuesto", "taxes": [{"type": "exempt", "amount": 0, "rate": 0}]}
  ],
  "totals": {"sub_total": 3500, "discount": 10, ` + totals + `},
  "additional_header_info": ` + header + `}`
	}
	return map[string]whole{
		"AR": {ar.Rules{}, ownerOf(ar.Rules{}, "30500010912"), string(sample)},
		"UY": {uy.Rules{}, ownerOf(uy.Rules{}, "217111220014"),
			body("EFA", "217111220014", "214844360018", "UY", `{"type": "iva22", "amount": 437.8, "rate": 22}`, "22",
				`"taxes": [{"type": "iva22", "amount": 437.8, "base_amount": 1990}, {"type": "exempt", "amount": 0, "base_amount": 1500}], "total": 3927.8`,
				`{"recipient": {"city": "Pando"}}`)},
		"CL": {cl.Rules{}, ownerOf(cl.Rules{}, "77111222-6"),
			body("FAC", "77111222-6", "76192083-9", "CL", `{"type": "iva19", "amount": 378, "rate": 19}`, "19",
				`"taxes": [{"type": "iva19", "amount": 378, "base_amount": 1990}, {"type": "exempt", "amount": 0, "base_amount": 1500}], "total": 3868`,
				`{"recipient": {"giro": "Comercio", "comuna": "Providencia", "city": "Santiago"}}`)},
	}
}

// told are the faults of a body, as paths with codes.
func (w whole) told(t interface{ Fatal(...any) }, body string) []fault.Violation {
	b, err := strict.Parse([]byte(body))
	if err != nil {
		t.Fatal(err, body)
	}
	o := b.Object()
	known := w.rules.Branches()
	d, branch := readDocument(o, w.owner, known, func(strict.Object, *events.Reference) {})
	shapes := o.Done()
	who, unknown := establish(&d, branch, w.owner, known)
	_, rules := w.rules.Check(d, who, time.Date(2026, 11, 27, 15, 0, 0, 0, time.UTC), country.Config{})
	if f := fault.As(together(shapes, append(unknown, rules...))); f != nil {
		return f.Violations
	}
	return nil
}

// change makes one fault: it writes one text of the body in place of another.
type change struct {
	name, from, to string
}

// changes are faults of shape and of rule, one a member, in all countries.
var changes = []change{
	{"a rate that is text", `"rate": `, `"rate": "x", "was": `},
	{"an unknown member", `"observations": `, `"colour": "red", "observations": `},
	{"a member that is misspelt", `"external_reference": `, `"external_referense": `},
	{"a long text", `"Pedido 1042"`, `"` + strings.Repeat("W", 2001) + `"`},
	{"a phone that is a number", `"phone": "+54`, `"phone": 54, "was": "+54`},
	{"a second quantity that is text", `"quantity": 1.5`, `"quantity": "1"`},
	{"a second quantity that is true", `"quantity": 3`, `"quantity": true`},
	{"a due date of no calendar", `"2026-12-27"`, `"2026-02-30"`},
	{"no date", `"invoice_date": "2026-11-27 10:15:00"`, `"invoice_date": "soon"`},
	{"a total that is text", `"total": `, `"total": "x", "was": `},
	{"an exchange rate of nothing", `"exchange_rate": 1`, `"exchange_rate": null, "was": 1`},
	{"a legal name that is a list", `"legal_name": "Comprador"`, `"legal_name": []`},
	{"a legal name of Argentina that is a list", `"legal_name": "Ñandú & Cía S.R.L."`, `"legal_name": []`},

	{"a type that is a list", `"invoice_type": `, `"invoice_type": [], "type_was": `},
	{"a header that is a number", `"additional_header_info": `, `"additional_header_info": 5, "header_was": `},
	{"a currency that is a number", `"currency": `, `"currency": 5, "currency_was": `},
	{"a date that is a list", `"invoice_date": `, `"invoice_date": [], "date_was": `},

	{"another company", `"document_number": "30500010912"`, `"document_number": "20111111112"`},
	{"another company of Uruguay", `"document_number": "217111220014"`, `"document_number": "219999830019"`},
	{"another company of Chile", `"document_number": "77111222-6"`, `"document_number": "12345678-5"`},
	{"a wrong check digit", `"33693450239",`, `"33693450230",`},
	{"a wrong check digit of Uruguay", `"214844360018",`, `"214844360019",`},
	{"a wrong check digit of Chile", `"76192083-9",`, `"76192083-1",`},
	{"no such means of payment", `"code": "CON"`, `"code": "XXX"`},
	{"no such unit", `"code_unit_of_measure": "u",`, `"code_unit_of_measure": "zz",`},
	{"no such code", `"type": "sku"`, `"type": "xyz"`},
	{"a wrong rate of the first line", `"rate": 21}`, `"rate": 20}`},
	{"a wrong rate of the first line of Uruguay", `"rate": 22}`, `"rate": 20}`},
	{"a wrong rate of the first line of Chile", `"rate": 19}`, `"rate": 20}`},
	{"an unknown concept", `"concept": "3"`, `"concept": "9"`},
	{"a total that is wrong", `"total": 285.16`, `"total": 290`},
	{"a total of Uruguay that is wrong", `"total": 3927.8`, `"total": 3000`},
	{"a total of Chile that is wrong", `"total": 3868`, `"total": 3000`},
	{"no such currency", `"currency": {"code": "`, `"currency": {"code": "X`},
	{"a description of payment that is a list", `"description": "Contado"`, `"description": []`},
	{"no such country", `"country": "`, `"country": "X`},
}

func key(v fault.Violation) string { return v.Path + " " + v.Code }

// The same body with one more fault each time: what was told before is told again, but for
// what depends on a member whose shape is wrong now, and nothing is told that no fault made.
func TestTheSameBodyWithOneMoreFaultEachTime(t *testing.T) {
	for name, w := range wholes(t) {
		t.Run(name, func(t *testing.T) {
			if vs := w.told(t, w.body); len(vs) > 0 {
				t.Fatalf("the body itself: %v", vs)
			}
			alone := map[string][]fault.Violation{}
			var usable []change
			for _, c := range changes {
				if !strings.Contains(w.body, c.from) {
					continue
				}
				if alone[c.name] = w.told(t, strings.Replace(w.body, c.from, c.to, 1)); len(alone[c.name]) == 0 {
					t.Logf("%s is no fault here", c.name)
					continue
				}
				usable = append(usable, c)
			}
			if len(usable) < 15 {
				t.Fatalf("only %d faults", len(usable))
			}
			rapid.Check(t, func(t *rapid.T) {
				body := w.body
				var made []change
				allowed, seen := map[string]bool{}, map[string]bool{}
				for _, c := range rapid.Permutation(usable).Draw(t, "order")[:rapid.IntRange(2, 8).Draw(t, "faults")] {
					if !strings.Contains(body, c.from) {
						continue // it is of a member that is at fault already
					}
					body, made = strings.Replace(body, c.from, c.to, 1), append(made, c)
					for _, v := range alone[c.name] {
						allowed[key(v)] = true
					}
					clear(seen)
					told := w.told(t, body)
					for _, v := range told {
						seen[key(v)] = true
						if !allowed[key(v)] {
							t.Fatalf("%v: told is %v, which none of them is at fault for", names(made), v)
						}
					}
					for _, before := range made {
						for _, v := range alone[before.name] {
							if !seen[key(v)] && !silenced(v, told) {
								t.Fatalf("%v: %v is told no more: %v", names(made), v, told)
							}
						}
					}
				}
			})
		})
	}
}

// silenced says that a fault of shape is told on which this one depends.
func silenced(v fault.Violation, told []fault.Violation) bool {
	return len(independent([]fault.Violation{v},
		slices.DeleteFunc(slices.Clone(told), func(o fault.Violation) bool { return strings.Contains(o.Code, "-") }))) == 0
}

func names(list []change) []string {
	return country.Collect(list, func(c change) string { return c.name })
}

func TestWhatDependsOnWhat(t *testing.T) {
	for _, c := range []struct {
		rule, broken string
		want         bool
	}{
		{"totals.total", "items[1].quantity", true},
		{"items[0].unit_price", "items[1].quantity", false},
		{"items[1].unit_price", "items[1].quantity", false},
		{"items[1].description", "items[1].quantity", false},
		{"items[1].description", "items[0]", true},
		{"items[0].taxes[0].amount", "totals.discount", true},
		{"items[0].taxes[0].type", "totals.discount", false},
		{"payment_method.code", "items[0].quantity", false},
		{"recipient.legal_name", "recipient", true},
		{"recipient.document_number", "recipient.legal_name", false},
		{"recipient.document_number", "invoice_date", false},
		{"recipient.document_number", "currency", false},
		{"recipient.document_number", "additional_header_info", false},
		{"billing_reference[0].type", "invoice_date", false},
		{"recipient.document_number", "recipient.document_type", true},
		{"totals.total", "observations", false},
		{"totals.total", "additional_header_info", true},
		{"totals.total", "additional_header_info.colour", false},
		{"billing_reference[0].date", "billing_reference[1].number", false},
		{"billing_reference[1].date", "billing_reference[1].number", false},
		{"billing_reference[1].date", "billing_reference[0]", true},
		{"issuer.document_number", "invoice_type", false},
		{"concept", "payment_due_date", false},
		{"payment_due_date", "concept", true},
		{"currency.code", "currency.exchange_rate", false},
		{"currency.exchange_rate", "currency.code", true},
		{"additional_header_info.same_currency_payment", "currency.code", true},
		{"global_taxes[0].type", "global_taxes[0].amount", false},
		{"global_taxes[0].amount", "global_taxes[0].base_amount", true},
		{"global_taxes[0].description", "global_taxes[0].type", true},
		{"items[0].taxes[0].type", "items[0].taxes[0].rate", false},
		{"items[0].taxes[0].type", "items[0].taxes", true},
		{"items[0].taxes[1].type", "items[0].taxes[0].type", true},
		{"payment_method.code", "payment_method.description", false},
		{"payment_method.description", "payment_method.code", true},
		{"recipient.address.region", "recipient.address.phone", false},
		{"recipient.address.region", "recipient.address.country", true},
		{"billing_reference[0].type", "billing_reference[0].date", false},
		{"billing_reference[0].date", "billing_reference[0].type", true},
		{"billing_reference", "billing_reference[0].date", true},
		{"items", "$", true},
		{"items[0].quantity", "currency.exchange_rate", false},
		{"totals.sub_total", "totals.total", false},
		{"totals.total", "totals.sub_total", true},
		{"totals.total", "items[0].taxes[0].rate", false},
		{"recipient.address.region", "recipient.document_number", false},
		{"invoice_type", "recipient.document_number", false},
		{"global_taxes[0].amount", "items[0].quantity", false},
	} {
		if got := placeOf(fault.Violation{Path: c.rule}).depends(placeOf(fault.Violation{Path: c.broken})); got != c.want {
			t.Errorf("%s on %s: %v", c.rule, c.broken, got)
		}
	}
}
