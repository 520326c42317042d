package projections_test

import (
	"testing"

	"folio/events"
	"folio/projections"
	"folio/projections/projectiontest"
)

func TestAPurchaseShowsItsCorrectionAndKeepsItsPlace(t *testing.T) {
	supplier := events.Party{LegalName: "Molino", DocumentType: "CUIT", DocumentNumber: "30500010912"}
	typed := events.PurchaseReceived{Purchase: "P1", Company: "C1", Country: "AR", OfficialCode: 1, BranchOffice: 2,
		Number: 94, Date: "2026-03-01",
		Supplier: supplier, Currency: "ARS", Total: "121", Authorization: "76", Verification: "authority_refused",
		Verified: "no",
		Source:   "json", DocumentSHA256: "h1", Messages: []events.AuthorityMessage{{Code: "110", Text: "another total"}}}
	supplier.LegalName = "Molinos S.A."
	projectiontest.Check(t, projections.Purchases, []given{
		{Stream: "purchase-1", Event: typed},
		{Stream: "purchase-1", Event: events.PurchaseCorrected{Purchase: "P1", Company: "C1", Date: "2026-03-02",
			Supplier: supplier, Currency: "ARS",
			Total: "212", Authorization: "77", Verification: "authority_confirmed", Verified: "yes", Source: "qr",
			DocumentSHA256: "h2"}},
	}, projectiontest.Want{ID: "P1", List: "C1", Ordinal: 1,
		Attributes: map[string]string{"date": "2026-03-02", "supplier": "30500010912"},
		JSON: `{"purchase":"P1","company":"C1","country":"AR","official_code":1,"branch_office":2,"number":94,"date":"2026-03-02",
			"supplier":{"legal_name":"Molinos S.A.","document_type":"CUIT","document_number":"30500010912","address":{}},
			"currency":"ARS","total":"212","authorization":"77","verification":"authority_confirmed","verified":"yes","source":"qr",
			"document_sha256":"h2","received_at":"2026-03-02T15:00:00Z"}`})
}
