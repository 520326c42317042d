package writeapi_test

import (
	"testing"

	"folio/country/ar"
)

// The buyers of exports mostly have no document, or one that stands for all companies of their
// country: a note goes to the same number at home. One of services is about services (2049)
// that went to the same country (2050).
func TestANoteOfAnExportGoesToTheSameClient(t *testing.T) {
	w := newWorldOf(t, ar.Rules{})
	s := w.company()
	export := func(kind, concept, info string, changes ...string) string {
		return sample(t, append([]string{"invoice_type", `"` + kind + `"`, "concept", `"` + concept + `"`,
			"recipient", `{"legal_name":"Guaíba Ltda.","address":{"country":"BR","address":"Rua 76"}}`,
			"currency", dollars, "global_taxes", "[]", "additional_export_info", info,
			"items", `[{"quantity":1,"code_unit_of_measure":"u","unit_price":100,"description":"x","taxes":[]}]`,
			"totals", `{"sub_total":100,"discount":0,"total":100,"taxes":[]}`}, changes...)...)
	}
	goods := w.issued(s, 1, export("FCX", "1", `{"client_tax_id":"12.345/01","incoterms":"FOB","payment_form":"30 dias"}`))
	services := w.issued(s, 2, export("FCX", "2", `{"client_tax_id":"12.345/01","payment_form":"30 dias"}`))
	for _, c := range []struct{ name, original, concept, info, refused string }{
		{"another client", goods, "1", `{"client_tax_id":"12.345/02"}`,
			"additional_export_info.client_tax_id NOTE_OTHER_RECIPIENT"},
		{"the same client in other spelling", goods, "1", `{"client_tax_id":"1234501"}`, ""},
		{"goods that went elsewhere", goods, "1", `{"client_tax_id":"12.345/01","destination_country":"UY"}`, ""},
		{"a note of services on goods", goods, "2", `{"client_tax_id":"12.345/01"}`,
			"additional_export_info.export_kind AR-EXPORT-03"},
		{"services in another country", services, "2", `{"client_tax_id":"12.345/01","destination_country":"UY"}`,
			"additional_export_info.destination_country AR-EXPORT-04"},
		{"a note of services", services, "2", `{"client_tax_id":"12.345/01"}`, ""},
	} {
		answer := w.call("POST", "/api/invoices/validate", export("NCX", c.concept, c.info, "payment_due_date", "",
			"billing_reference", "["+byID(c.original)+"]"), s.key)
		if c.refused == "" {
			answer.want(200)
			continue
		}
		t.Log(c.name)
		answer.fails(422, "VALIDATION_FAILED", c.refused)
	}
}
