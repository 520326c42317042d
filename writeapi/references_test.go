package writeapi_test

import (
	"fmt"
	"strings"
	"testing"

	"folio/commands/invoice"
	"folio/eventstore"
)

func note(t testing.TB, references string) string {
	return sample(t, "invoice_type", `"NCA"`, "billing_reference", references)
}

func TestANoteNamesAnInvoiceOfOurOwn(t *testing.T) {
	w := newWorld(t)
	s := w.company()
	id := w.call("POST", "/api/invoices", sample(t, "branch_office", "3"), s.key).want(201).text("id")
	w.call("POST", "/api/invoices", note(t, `[{"invoice_id":"`+id+`"}]`), s.key).
		fails(422, "VALIDATION_FAILED", "billing_reference[0].invoice_id REFERENCE_NOT_ACCEPTED")
	w.settle(id, 42)
	made := w.call("POST", "/api/invoices", note(t, `[{"invoice_id":"`+id+`"}]`), s.key).want(201)
	ref := made.object()["billing_reference"].([]any)[0].(map[string]any)
	for member, want := range map[string]string{"invoice_id": id, "type": "FCA", "branch_office": "3", "number": "42",
		"date":            "2026-11-27",
		"document_number": cuit, "period_from": "<nil>", "period_to": "<nil>", "reason_code": "<nil>"} {
		if got := fmt.Sprint(ref[member]); got != want {
			t.Errorf("%s is %s, want %s", member, got, want)
		}
	}
	if len(ref) != 9 {
		t.Errorf("the reference has %d members: %v", len(ref), ref)
	}
}

func TestReferencesThatAreRefused(t *testing.T) {
	w := newWorld(t)
	s, other := w.company(), w.company()
	theirs := w.call("POST", "/api/invoices", sample(t), other.key).want(201).text("id")
	w.settle(theirs, 1)
	rejected := w.call("POST", "/api/invoices", sample(t), s.key).want(201).text("id")
	w.reject(rejected)
	mine := w.call("POST", "/api/invoices", sample(t), s.key).want(201).text("id")
	w.settle(mine, 2)
	for _, c := range []struct {
		name, references string
		want             []string
	}{
		{"another company's of the taxpayer", `[{"invoice_id":"` + theirs + `"}]`,
			[]string{"billing_reference[0].invoice_id REFERENCE_OTHER_COMPANY"}},
		{"a rejected one", `[{"invoice_id":"` + rejected + `"}]`,
			[]string{"billing_reference[0].invoice_id REFERENCE_NOT_ACCEPTED"}},
		{"an unknown one", `[{"invoice_id":"01KJQ8J0000000000000000000"}]`,
			[]string{"billing_reference[0].invoice_id REFERENCE_UNKNOWN"}},
		{"what is no id", `[{"invoice_id":"../$all"}]`, []string{"billing_reference[0].invoice_id REFERENCE_UNKNOWN"}},
		{"an invoice of ours by text", `[{"invoice_id":"` + mine + `","number":"2"}]`,
			[]string{"billing_reference[0].number AR-REFERENCE-03"}},
		{"a text where there are numbers only", `[{"type":"FCA","branch_office":1,"number":"OC-15","date":"2026-11-26"}]`,
			[]string{"billing_reference[0].number AR-REFERENCE-03"}},
		{"a text beside a period", `[{"number":"OC-15","period_from":"2026-10-01","period_to":"2026-10-31"}]`,
			[]string{"billing_reference[0] REFERENCE_AMBIGUOUS"}},
		{"a text longer than any", `[{"type":"FCA","branch_office":1,"number":"` + strings.Repeat("9", 41) +
			`","date":"2026-11-26"}]`, []string{"billing_reference[0].number TOO_LONG"}},
		{"neither number nor text", `[{"type":"FCA","branch_office":1,"number":true,"date":"2026-11-26"}]`,
			[]string{"billing_reference[0].number WRONG_TYPE"}},
		{"a number for an id", `[{"invoice_id":5}]`,
			[]string{"billing_reference[0].invoice_id WRONG_TYPE", "billing_reference[0] REFERENCE_AMBIGUOUS"}},
		{"the second of two", `[{"invoice_id":"` + mine + `"},{"invoice_id":"x"}]`,
			[]string{"billing_reference[1].invoice_id REFERENCE_UNKNOWN"}},
		{"nothing", `[]`, []string{"billing_reference AR-REFERENCE-01"}},
		{"a document of another class", `[{"type":"FCB","branch_office":1,"number":2,"date":"2026-11-26"}]`,
			[]string{"billing_reference[0].type AR-REFERENCE-02"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := w.call("POST", "/api/invoices", note(t, c.references), s.key)
			a.t = t
			a.fails(422, "VALIDATION_FAILED", c.want...)
		})
	}
	w.call("POST", "/api/invoices", note(t, `[{"type":"FCA","branch_office":1,"number":2,"date":"2026-11-26"}]`), s.key).
		fails(422, "VALIDATION_FAILED", "billing_reference[0].date REFERENCE_DIFFERS")
	if ref := w.call("POST", "/api/invoices", note(t, `[{"type":"FCA","branch_office":1,"number":2,"date":"2026-11-27"}]`),
		s.key).want(201).
		object()["billing_reference"].([]any)[0].(map[string]any); ref["invoice_id"] != mine {
		t.Errorf("its coordinates did not find invoice %s: %v", mine, ref)
	}
	w.call("POST", "/api/invoices", note(t, `[{"period_from":"2026-10-01","period_to":"2026-10-31"}]`), s.key).want(201)
}

func TestALogThatIsAwayIsNotAFaultOfTheReference(t *testing.T) {
	w := newWorld(t)
	s := w.company()
	id := w.call("POST", "/api/invoices", sample(t), s.key).want(201).text("id")
	w.settle(id, 1)
	w.restart()
	w.x.Connected(true)
	// the key is in memory again
	w.call("GET", "/api/invoices", "", s.key).want(200)
	// and the company
	w.call("PUT", "/api/companies/"+s.id+"/fiscal-profile", `{"gross_income_number":"1"}`, s.key).want(200)
	w.log.unreadable(invoice.Decider.Stream(id), eventstore.ErrUnavailable)
	w.call("POST", "/api/invoices", note(t, `[{"invoice_id":"`+id+`"}]`), s.key).fails(503, "LOG_UNAVAILABLE")
}
