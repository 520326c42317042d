package writeapi_test

import (
	"encoding/json"
	"testing"
)

// nothingOf is a note of one line of 0.
func nothingOf(t *testing.T, kind, recipient, currency, references string) string {
	t.Helper()
	var d map[string]any
	check(t, json.Unmarshal([]byte(plain(kind, recipient, currency, references)), &d))
	line, totals := d["items"].([]any)[0].(map[string]any), d["totals"].(map[string]any)
	line["unit_price"], line["taxes"].([]any)[0].(map[string]any)["amount"] = 0, 0
	row := totals["taxes"].([]any)[0].(map[string]any)
	totals["sub_total"], totals["total"], row["amount"], row["base_amount"] = 0, 0, 0, 0
	if currency == "CLP" {
		line["taxes"] = []any{map[string]any{"type": "exempt", "amount": 0, "rate": 0}}
		totals["taxes"] = []any{map[string]any{"type": "exempt", "amount": 0, "base_amount": 0}}
	}
	out, err := json.Marshal(d)
	check(t, err)
	return string(out)
}

// A note of total 0 corrects a text: ARCA takes it (ImpTotal from 0 up), DGI is told that it
// changes 0 of the document (MntCFEref, CFE25 F-C8: from 0 up), SII wants reason 2. It takes
// nothing, however often it is issued. What is cancelled has no credit notes any more, and
// what was 0 from the start is cancelled by none.
func TestANoteOfNothingTakesNothing(t *testing.T) {
	for _, land := range lands {
		t.Run(land.rules.Code(), func(t *testing.T) {
			w := newWorldOf(t, land.rules)
			s := w.owned(land.company)
			id := w.issuedAs(s, "A", 1, plain(land.sale, land.name, land.currency, ""))
			note := func(reason string) string {
				return nothingOf(t, land.credit, land.name, land.currency, `{"invoice_id":"`+id+`"`+
					reasonOf(land.rules, reason)+`}`)
			}
			for number := range int64(2) {
				made := w.call("POST", "/api/invoices", note("2"), s.key).want(201).text("id")
				w.lettered(made, "A", 2+number)
				w.counted(made, 2+number)
			}
			if o := w.loaded(id); o.Balance().String() != encoded(t, land.whole) || o.Cancelled != "" || len(o.Notes) != 2 {
				t.Errorf("%s left, cancelled by %q, notes %+v", o.Balance(), o.Cancelled, o.Notes)
			}
			if land.rules.Code() == "CL" {
				w.call("POST", "/api/invoices", note("3"), s.key).fails(422, "VALIDATION_FAILED", "totals.total CL-TOTAL-09")
			}
			whole := w.call("POST", "/api/invoices", plain(land.credit, land.name, land.currency, `{"invoice_id":"`+id+`"`+
				reasonOf(land.rules, "1")+`}`), s.key).want(201).text("id")
			w.lettered(whole, "A", 9)
			w.counted(whole, 9)
			w.call("POST", "/api/invoices", note("2"), s.key).fails(409, "ALREADY_CANCELLED")
		})
	}
}
