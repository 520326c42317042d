package cl_test

import (
	"strings"
	"testing"

	"folio/country/countrytest"
	"folio/events"
)

func TestReferences(t *testing.T) {
	ref := func(kind string, number int64, reason string) events.Reference {
		return events.Reference{Type: kind, Number: number, Date: "2026-11-20", ReasonCode: reason}
	}
	order := func(kind, folio string) events.Reference {
		return events.Reference{Type: kind, Folio: folio, Date: "2026-11-20"}
	}
	for _, c := range []struct {
		name, kind string
		refs       []events.Reference
		want       []string
	}{
		{"a note of nothing", "NCE", nil, []string{"billing_reference CL-REFERENCE-01"}},
		{"a note of an order", "NCE", []events.Reference{ref("801", 5, "")}, []string{"billing_reference CL-REFERENCE-01"}},
		{"cancels an invoice", "NCE", []events.Reference{ref("33", 5, "1")}, nil},
		{"cancels a boleta", "NCE", []events.Reference{ref("BOL", 5, "1")}, nil},
		{"and names an order", "NCE", []events.Reference{ref("33", 5, "1"), ref("801", 7, "")}, nil},
		{"a number as a record shows it", "NCE", []events.Reference{{Type: "33", Folio: "0000-00000005", Date: "2026-11-20",
			ReasonCode: "1"}}, nil},
		{"the same, twice", "NCE", []events.Reference{ref("33", 5, "1"), {Type: "33", Folio: "0000-00000005",
			Date: "2026-11-20", ReasonCode: "1"}}, []string{"billing_reference[1].number CL-REFERENCE-06"}},
		{"a point of sale", "NCE", []events.Reference{{Type: "33", Folio: "0001-00000005", Date: "2026-11-20",
			ReasonCode: "1"}}, []string{"billing_reference[0].number CL-REFERENCE-04"}},
		{"no number at all", "NCE", []events.Reference{{Type: "33", Folio: "0000-00000000", Date: "2026-11-20",
			ReasonCode: "1"}}, []string{"billing_reference[0].number CL-REFERENCE-04"}},
		{"an order whose number looks like one", "FAC", []events.Reference{order("801", "0000-00000005"), ref("801", 5, "")},
			nil},
		{"corrects a paper invoice", "NCE", []events.Reference{ref("30", 5, "3")}, nil},
		{"without a reason", "NCE", []events.Reference{ref("33", 5, "")},
			[]string{"billing_reference[0].reason_code CL-REFERENCE-05"}},
		{"two without a reason", "NCE", []events.Reference{ref("33", 5, ""), ref("801", 6, ""), ref("33", 7, "")},
			[]string{"billing_reference[0].reason_code CL-REFERENCE-05", "billing_reference[2].reason_code CL-REFERENCE-05"}},
		{"an unknown reason", "NCE", []events.Reference{ref("33", 5, "4")},
			[]string{"billing_reference[0].reason_code CL-REFERENCE-05"}},
		{"two reasons", "NCE", []events.Reference{ref("33", 5, "1"), ref("33", 6, "3")},
			[]string{"billing_reference CL-REFERENCE-05"}},
		{"the reason of an order", "NCE", []events.Reference{ref("33", 5, "1"), ref("801", 6, "1")},
			[]string{"billing_reference[1].reason_code CL-REFERENCE-05"}},
		{"twice the same", "NCE", []events.Reference{ref("33", 5, "1"), ref("FAC", 5, "1")},
			[]string{"billing_reference[1].number CL-REFERENCE-06"}},
		{"a credit note of a credit note", "NCE", []events.Reference{ref("61", 5, "1")},
			[]string{"billing_reference[0].type CL-REFERENCE-03"}},
		{"a debit note cancels it", "NDE", []events.Reference{ref("61", 5, "1")}, nil},
		{"a debit note cancels an invoice", "NDE", []events.Reference{ref("33", 5, "1")},
			[]string{"billing_reference[0].type CL-REFERENCE-03"}},
		{"an export at home", "NCE", []events.Reference{ref("110", 5, "1")},
			[]string{"billing_reference[0].type CL-REFERENCE-03"}},
		{"a document of home in an export", "NCX", []events.Reference{ref("33", 5, "1")},
			[]string{"billing_reference[0].type CL-REFERENCE-03"}},
		{"an invoice names a guía and an order", "FAC",
			[]events.Reference{ref("52", 5, ""), ref("801", 6, ""), ref("hes", 7, "")}, nil},
		{"an invoice corrects nothing", "FAC", []events.Reference{ref("33", 5, "1")},
			[]string{"billing_reference[0].reason_code CL-REFERENCE-05"}},
		{"an unknown document", "FAC", []events.Reference{ref("999", 5, "")},
			[]string{"billing_reference[0].type CL-REFERENCE-03"}},
		{"an unknown document in a note", "NCE", []events.Reference{ref("999", 5, "3")},
			[]string{"billing_reference[0].type CL-REFERENCE-03"}},
		{"an unknown document that a debit note cancels", "NDE", []events.Reference{ref("999", 5, "1")},
			[]string{"billing_reference[0].type CL-REFERENCE-03"}},
		{"without a number", "FAC", []events.Reference{ref("801", 0, "")},
			[]string{"billing_reference[0].number CL-REFERENCE-04"}},
		{"without a date", "FAC", []events.Reference{{Type: "801", Number: 1}},
			[]string{"billing_reference[0].date CL-REFERENCE-04"}},
		{"later than the document", "FAC", []events.Reference{{Type: "801", Number: 1, Date: "2026-11-28"}},
			[]string{"billing_reference[0].date CL-REFERENCE-04"}},
		{"a period", "FAC", []events.Reference{{PeriodFrom: "2026-11-01", PeriodTo: "2026-11-30"}},
			[]string{"billing_reference[0].period_from CL-REFERENCE-02"}},
		{"another's invoice", "NCE", []events.Reference{{Type: "33", Number: 1, Date: "2026-11-20", ReasonCode: "1",
			DocumentNumber: recipientRUT}}, []string{"billing_reference[0].document_number CL-REFERENCE-07"}},
		{"another's order", "FAC", []events.Reference{{Type: "801", Number: 1, Date: "2026-11-20",
			DocumentNumber: "76.192.083-9"}}, nil},
		{"orders, contracts and their like by text", "FAC",
			[]events.Reference{order("801", "OC-15"), order("803", "Ñ&<'\"ú"), order("HES", "00015"),
				order("SET", "2239-3-SE23")}, nil},
		{"a boleta's order by text", "BOL", []events.Reference{order("801", "OC-15")}, nil},
		{"an export's bill of lading by text", "FXE", []events.Reference{order("808", "MAEU-123")}, nil},
		{"a text as long as SII takes", "FAC", []events.Reference{order("801", strings.Repeat("Ñ", 18))}, nil},
		{"a longer text", "FAC", []events.Reference{order("801", strings.Repeat("9", 19))},
			[]string{"billing_reference[0].number CL-LIMIT-01"}},
		{"a text that SII cannot be told", "FAC", []events.Reference{order("801", "OC€日15")},
			[]string{"billing_reference[0].number CL-LIMIT-02"}},
		{"a text with control characters", "FAC", []events.Reference{order("801", "OC\x0015")},
			[]string{"billing_reference[0].number CL-LIMIT-03"}},
		{"a text of spaces", "FAC", []events.Reference{order("801", "  ")},
			[]string{"billing_reference[0].number CL-REFERENCE-04"}},
		{"a tax document by text", "FAC", []events.Reference{order("33", "60"), order("GUI", "G-1"), order("30", "A-1")},
			[]string{"billing_reference[0].number CL-REFERENCE-04", "billing_reference[1].number CL-REFERENCE-04",
				"billing_reference[2].number CL-REFERENCE-04"}},
		{"a text and the number that it is", "FAC", []events.Reference{order("801", " 15 "), ref("801", 15, "")},
			[]string{"billing_reference[1].number CL-REFERENCE-06"}},
		{"two texts", "FAC", []events.Reference{order("801", "OC-15"), order("801", "OC-16"), order("802", "OC-15")}, nil},
		{"a note corrects no order", "NCE", []events.Reference{ref("33", 5, "1"),
			{Type: "801", Folio: "OC-15", Date: "2026-11-20", ReasonCode: "1"}},
			[]string{"billing_reference[1].reason_code CL-REFERENCE-05"}},
		{"too many", "FAC", make([]events.Reference, 41), []string{"billing_reference CL-REFERENCE-01"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := document(c.kind)
			d.BillingReference = c.refs
			checked, vs := check(d)
			countrytest.MustRefuse(t, vs, c.want...)
			for _, r := range checked.Document.BillingReference {
				if r.DocumentNumber == "" || r.Type == "33" {
					t.Errorf("not normalised: %+v", r)
				}
			}
		})
	}
}
