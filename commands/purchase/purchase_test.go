package purchase_test

import (
	"strings"
	"testing"

	"folio/commands/commandtest"
	"folio/commands/purchase"
	"folio/events"
	"folio/fault"
)

func TestADocumentIsTakenInOnce(t *testing.T) {
	type C = commandtest.Case[purchase.Receive]
	typed := events.PurchaseReceived{Purchase: "p1", Company: "c", OfficialCode: 1, BranchOffice: 10, Number: 94,
		Source: "json"}
	scanned := typed
	scanned.Purchase, scanned.Source = "p2", "qr"
	away, refused, confirmed := typed, typed, typed
	away.Verified = "the authority was away"
	refused.Verification, refused.Messages = "authority_refused", []events.AuthorityMessage{{Code: "100", Text: "unknown"}}
	confirmed.Verification, confirmed.Verified = "authority_confirmed", "it is so"
	signed := scanned
	signed.Source, signed.Verification, signed.Verified = "xml", "signature_valid", "signed and unaltered"
	first, pesos, dollars, forged := typed, typed, typed, scanned
	first.Verification, first.Total, first.Currency = "consistent", "242", "UYU"
	pesos.Total, pesos.Currency, dollars.Total, dollars.Currency, forged.Total = "242.00", "UYU", "242.00", "USD", "243"
	differs := fault.New(fault.Conflict, "PURCHASE_DIFFERS", "")
	verdict := func(p events.PurchaseReceived) events.PurchaseVerified {
		return events.PurchaseVerified{Purchase: "p1", Company: "c", Verification: p.Verification, Verified: p.Verified,
			Messages: p.Messages}
	}
	taxed := withTotal(signed, "242.00")
	taxed.Taxes = &events.PurchaseTaxes{Net: "200", Exempt: "0", Tax: "42"}
	told := verdict(confirmed)
	told.Taxes = taxed.Taxes
	when := func(p events.PurchaseReceived) purchase.Receive { return purchase.Receive{Purchase: p} }
	commandtest.Run(t, purchase.Decider,
		C{Name: "a verdict is news", Given: []events.Event{away}, When: when(refused),
			Then: []events.Event{verdict(refused)}},
		C{Name: "the same verdict is none", Given: []events.Event{away, verdict(refused)}, When: when(refused)},
		C{Name: "an authority that is away takes no verdict back", Given: []events.Event{away, verdict(refused)},
			When: when(away)},
		C{Name: "a refused document may be confirmed later", Given: []events.Event{refused}, When: when(confirmed),
			Then: []events.Event{verdict(confirmed)}},
		C{Name: "confirmed once is for good", Given: []events.Event{typed, verdict(confirmed)}, When: when(refused)},
		C{Name: "the signed document says more than its code", Given: []events.Event{first},
			When: when(withTotal(signed, "242.00")), Then: []events.Event{verdict(signed)}},
		C{Name: "the signed document tells of taxes after the authority confirmed it",
			Given: []events.Event{first, verdict(confirmed)}, When: when(taxed), Then: []events.Event{told}},
		C{Name: "once", Given: []events.Event{first, verdict(confirmed), told}, When: when(taxed)},
		C{Name: "a signature takes no verdict back", Given: []events.Event{refused}, When: when(signed)},
		C{Name: "an amount is the same in whatever digits", Given: []events.Event{first}, When: when(pesos)},
		C{Name: "another total than the confirmed one is refused", Given: []events.Event{first, verdict(confirmed)},
			When: when(forged), Err: differs},
		C{Name: "another currency than the signed one is refused", Given: []events.Event{pesos, verdict(signed)},
			When: when(dollars), Err: differs},
		C{Name: "the first time it is a fact", When: purchase.Receive{Purchase: typed}, Then: []events.Event{typed}},
		C{Name: "the same document again is nothing new, however it came", Given: []events.Event{typed},
			When: purchase.Receive{Purchase: scanned}},
	)
	if purchase.ID(typed) != purchase.ID(scanned) {
		t.Error("one document has two identities")
	}
	other := typed
	other.Number = 95
	if purchase.ID(typed) == purchase.ID(other) {
		t.Error("two documents have one identity")
	}
}

func TestAWrongRecordIsCorrectedUntilSomebodyVouchesForIt(t *testing.T) {
	type C = commandtest.Case[purchase.Receive]
	supplier := events.Party{LegalName: "Molinos S.A.", DocumentType: "CUIT", DocumentNumber: "30500010912"}
	typed := events.PurchaseReceived{Purchase: "p1", Company: "c", OfficialCode: 1, Number: 94, Date: "2026-11-01",
		Supplier: supplier, Currency: "ARS",
		Total: "121", Authorization: "76", Verification: "authority_refused",
		Messages: []events.AuthorityMessage{{Code: "100", Text: "unknown"}}, Source: "json"}
	right := typed
	right.Purchase, right.Total, right.Messages, right.Verification, right.DocumentSHA256 = "p2", "212", nil,
		"authority_confirmed", "h2"
	scanned := right
	scanned.Supplier.LegalName, scanned.Currency, scanned.Verification, scanned.Source = "", "", "consistent", "qr"
	fact := func(p events.PurchaseReceived) events.PurchaseCorrected {
		return events.PurchaseCorrected{Purchase: "p1", Company: "c", Date: p.Date, Supplier: supplier, Currency: "ARS",
			Total:         p.Total,
			Authorization: p.Authorization, Verification: p.Verification, Source: p.Source, DocumentSHA256: p.DocumentSHA256}
	}
	when := func(p events.PurchaseReceived) purchase.Receive { return purchase.Receive{Purchase: p} }
	dated, named, coded := typed, typed, typed
	dated.Date, named.Supplier.LegalName, coded.Authorization = "2026-11-02", "Molinos del Plata S.A.", "77"
	for _, p := range []*events.PurchaseReceived{&dated, &named, &coded} {
		p.Messages = nil
	}
	renamed := fact(named)
	renamed.Supplier = named.Supplier
	told := scanned
	told.Supplier, told.Currency, told.Source = supplier, "ARS", "json"
	completed := fact(told)
	completed.Purchase = scanned.Purchase
	commandtest.Run(t, purchase.Decider,
		C{Name: "another total", Given: []events.Event{typed}, When: when(right), Then: []events.Event{fact(right)}},
		C{Name: "the code, which leaves out name and currency", Given: []events.Event{typed}, When: when(scanned),
			Then: []events.Event{fact(scanned)}},
		C{Name: "what the code leaves out is told later", Given: []events.Event{scanned}, When: when(told),
			Then: []events.Event{completed}},
		C{Name: "and the code takes nothing of it back", Given: []events.Event{scanned, completed}, When: when(scanned)},
		C{Name: "another date", Given: []events.Event{typed}, When: when(dated), Then: []events.Event{fact(dated)}},
		C{Name: "another name of the supplier", Given: []events.Event{typed}, When: when(named),
			Then: []events.Event{renamed}},
		C{Name: "another authorization", Given: []events.Event{typed}, When: when(coded), Then: []events.Event{fact(coded)}},
		C{Name: "the same correction again is nothing new", Given: []events.Event{typed, fact(right)}, When: when(right)},
		C{Name: "what was confirmed is not corrected", Given: []events.Event{typed, fact(right)}, When: when(typed),
			Err: fault.New(fault.Conflict, "PURCHASE_DIFFERS", "")},
		C{Name: "nor its date, about which nothing is said", Given: []events.Event{typed, fact(right)},
			When: when(withTotal(dated, "212"))},
	)
	if s := purchase.Decider.Fold(typed, fact(right)); s.Received.Purchase != "p1" || s.Received.Number != 94 ||
		s.Received.Total != "212" || s.Unconfirmed() {
		t.Errorf("%+v", s.Received)
	}
}

func withTotal(p events.PurchaseReceived, total string) events.PurchaseReceived {
	p.Total = total
	return p
}

func TestARefusalNamesBothTotals(t *testing.T) {
	// from a code, which says no currency
	before := events.PurchaseReceived{Purchase: "p1", Total: "242.00", Verification: "authority_confirmed"}
	_, err := purchase.Decider.Decide(
		purchase.Receive{Purchase: events.PurchaseReceived{Currency: "UYU", Total: "99"}}, purchase.State{Received: &before})
	if err == nil || !strings.Contains(err.Error(), "as p1, with the total 242.00: what is sent now has UYU 99.") {
		t.Error(err)
	}
}
