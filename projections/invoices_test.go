package projections_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"folio/events"
	"folio/money"
	"folio/projections"
	"folio/projections/engine"
	"folio/projections/projectiontest"

	jsonv2 "github.com/go-json-experiment/json"
)

// body is the document's JSON with what the events of an invoice add to it.
func body(t *testing.T, g given, members map[string]any) string {
	t.Helper()
	e := g.Event.(events.InvoiceCreated)
	all := map[string]any{"id": e.Invoice, "company": e.Company, "country": "AR", "environment": "Testing",
		"created_at": "2026-03-02T15:00:00Z", "document": e.Document, "profile": e.Profile, "taxes": e.Taxes}
	for k, v := range members {
		all[k] = v
	}
	text, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestInvoicesFollowTheStatesOfTheirStream(t *testing.T) {
	first := created("C1", "I1", 1)
	attributes := func(status, number string, history []given) map[string]string {
		updated := ""
		for _, r := range projectiontest.Log(append([]given{first}, history...)...) {
			if slices.Contains(projections.Invoices.Types(), r.Type) {
				updated = fmt.Sprintf("%020d-%020d", r.Position.Commit, r.Position.Prepare)
			}
		}
		return map[string]string{"environment": "Testing", "status": status, "invoice_type": "FCA", "date": "2026-03-02",
			"external_reference": "Ref-I1",
			"number":             number, "recipient_document": "30500010912", "updated": updated}
	}
	for _, c := range []struct {
		name    string
		history []given
		members map[string]any
		status  string
		number  string
	}{
		{"a created invoice is Pending without a number", nil, map[string]any{"status": "Pending"}, "Pending", ""},
		{"asking for processing changes nothing", []given{{Stream: "invoice-I1", Event: events.ProcessingRequested{}}},
			map[string]any{"status": "Pending"}, "Pending", ""},
		{"a started submission makes it In process, the number is not final", []given{started("I1", 7)},
			map[string]any{"status": "In process", "submission": "S-I1", "tried_number": 7}, "In process", ""},
		{"acceptance brings number and authorization", []given{started("I1", 7), numbered("I1", 7), accepted("I1")},
			map[string]any{"status": "Accepted", "submission": "S-I1", "tried_number": 7, "branch_office": 5, "number": 7,
				"sandbox":       true,
				"accepted_at":   "2026-03-02T15:03:00Z",
				"authorization": map[string]any{"type": "CAE", "code": "76123456789012", "expires_on": "2026-03-12"}},
			"Accepted", "0005-00000007"},
		{"rejection keeps every code and text", []given{started("I1", 7), rejected("I1")},
			map[string]any{"status": "Rejected", "submission": "S-I1", "tried_number": 7, "rejected_at": "2026-03-02T15:02:00Z",
				"rejection": []any{map[string]any{"code": "10016", "text": "Fecha"}}}, "Rejected", ""},
		{"one that is refused without a number keeps the reason", []given{{Stream: "invoice-I1", Event: events.InvoiceRefused{
			Reasons: []events.AuthorityMessage{{Code: events.CodeUnfit, Text: "/Emisor"}}}}},
			map[string]any{"status": "Rejected", "rejected_at": "2026-03-02T15:01:00Z",
				"rejection": []any{map[string]any{"code": "FOLIO_UNFIT", "text": "/Emisor"}}}, "Rejected", ""},
		{"a cancelled invoice stays as it is and names its credit note",
			[]given{{Stream: "invoice-I1", Event: events.InvoiceCancelled{CreditNote: "I9", Date: "2026-03-05",
				ReasonCode: "1"}}},
			map[string]any{"status": "Pending", "cancellation": map[string]any{"credit_note": "I9", "date": "2026-03-05",
				"reason_code": "1"}, "named": []any{"I9"},
				"notes": []any{map[string]any{"note": "I9", "date": "2026-03-05", "counted": true,
					"portions": []any{map[string]any{"takes": true, "amount": "121.00"}}}}},
			"Pending", ""},
		{"a note that was rejected is named and changes nothing",
			[]given{{Stream: "invoice-I1", Event: events.NoteReserved{Note: "I9", Type: "NCA"}},
				{Stream: "invoice-I1", Event: events.NoteReleased{Note: "I9"}}},
			map[string]any{"status": "Pending", "named": []any{"I9"}}, "Pending", ""},
		{"a debit note gives back and takes the cancellation away",
			[]given{{Stream: "invoice-I1", Event: events.InvoiceCancelled{CreditNote: "I9", Date: "2026-03-05"}},
				{Stream: "invoice-I1", Event: events.NoteCounted{Note: "I8", Type: "NDA", Date: "2026-03-06",
					Portions: []events.Portion{{Amount: money.FromInt(1), Via: "I9"}}}}},
			map[string]any{"status": "Pending", "named": []any{"I9", "I8"}, "notes": []any{
				map[string]any{"note": "I9", "date": "2026-03-05", "counted": true,
					"portions": []any{map[string]any{"takes": true, "amount": "121.00"}}},
				map[string]any{"note": "I8", "type": "NDA", "date": "2026-03-06", "counted": true,
					"portions": []any{map[string]any{"amount": "1", "via": "I9"}}}}},
			"Pending", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			projectiontest.Check(t, projections.Invoices, append([]given{first}, c.history...), projectiontest.Want{
				ID: "I1", List: "C1", Ordinal: 1, Attributes: attributes(c.status, c.number, c.history),
				JSON: fullBody(body(t, first, c.members))})
		})
	}
}

// fullBody adds what the stored form writes and the events' own form leaves out.
func fullBody(text string) string {
	var i projections.Invoice
	if err := json.Unmarshal([]byte(text), &i); err != nil {
		panic(err)
	}
	b, err := jsonv2.Marshal(i, jsonv2.Deterministic(true))
	if err != nil {
		panic(err)
	}
	return string(b)
}

func TestInvoicesAreNumberedPerCompanyInLogOrder(t *testing.T) {
	r := engine.NewReplay(projections.Invoices)
	if err := r.Fold(t.Context(), projectiontest.Log(created("C1", "I9", 1), created("C2", "I5", 1),
		created("C1", "I1", 1))...); err != nil {
		t.Fatal(err)
	}
	got := map[string]int64{}
	for _, d := range r.Documents() {
		got[d.List+" "+d.ID] = d.Ordinal
	}
	if got["C1 I9"] != 1 || got["C1 I1"] != 2 || got["C2 I5"] != 1 || len(got) != 3 {
		t.Fatalf("got %v", got)
	}
}

func TestANumberIsShownWithFourDigitsOfItsPointOfSaleOrFive(t *testing.T) {
	for want, i := range map[string]projections.Invoice{
		"":               {BranchOffice: 1},
		"0000-00000001":  {Number: 1},
		"0001-12345678":  {BranchOffice: 1, Number: 12345678},
		"99998-00000042": {BranchOffice: 99998, Number: 42},
	} {
		if got := i.ShownNumber(); got != want {
			t.Errorf("%d-%d is shown as %q, want %q", i.BranchOffice, i.Number, got, want)
		}
	}
}
