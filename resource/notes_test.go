package resource_test

import (
	"encoding/json"
	"testing"

	"folio/events"
	"folio/money"
	"folio/resource"
)

func TestANoteSaysWhatItTakesAndWhatItMayHaveTaken(t *testing.T) {
	portion := func(takes, most bool, n int64) events.Portion {
		return events.Portion{Takes: takes, Amount: money.FromInt(n), AtMost: most}
	}
	for _, c := range []struct {
		name string
		note events.LedgerNote
		want string
	}{
		{"open", events.LedgerNote{Note: "N", Type: "NCA", Portions: []events.Portion{portion(true, false, 5)}},
			`{"invoice_id":"N","invoice_type":"NCA","amount":5,"status":"Reserved","date":null}`},
		{"one that adds", events.LedgerNote{Note: "N", Type: "NDA", Date: "2026-12-20", Counted: true,
			Portions: []events.Portion{portion(false, false, 5)}},
			`{"invoice_id":"N","invoice_type":"NDA","amount":-5,"status":"Accepted","date":"2026-12-20"}`},
		{"an old one over several", events.LedgerNote{Note: "N", Type: "NCA", Date: "2026-12-20", Counted: true,
			Portions: []events.Portion{portion(true, false, 58), portion(true, true, 184)}},
			`{"invoice_id":"N","invoice_type":"NCA","amount":58,"status":"Accepted","date":"2026-12-20","at_most":184}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := json.Marshal(resource.Notes(events.Ledger{c.note})[0])
			if err != nil || string(got) != c.want {
				t.Errorf("%s, %v; want %s", got, err, c.want)
			}
		})
	}
}
