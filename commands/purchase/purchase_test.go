package purchase_test

import (
	"testing"

	"folio/commands/commandtest"
	"folio/commands/purchase"
	"folio/events"
)

func TestADocumentIsTakenInOnce(t *testing.T) {
	type C = commandtest.Case[purchase.Receive]
	typed := events.PurchaseReceived{Purchase: "p1", Company: "c", OfficialCode: 1, BranchOffice: 10, Number: 94, Source: "json"}
	scanned := typed
	scanned.Purchase, scanned.Source = "p2", "qr"
	commandtest.Run(t, purchase.Decider,
		C{Name: "the first time it is a fact", When: purchase.Receive{Purchase: typed}, Then: []events.Event{typed}},
		C{Name: "the same document again is nothing new, however it came", Given: []events.Event{typed}, When: purchase.Receive{Purchase: scanned}},
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
