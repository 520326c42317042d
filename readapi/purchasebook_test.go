package readapi_test

import (
	"strings"
	"testing"

	"folio/events"
)

// The taxes of a supplier's document are known where its signed XML told of them, and unknown,
// which is not 0, where only a QR code or typed fields did: in each country, as JSON and as CSV.
func TestTaxesThatOnlyAQRCodeToldOfAreUnknown(t *testing.T) {
	taxes := &events.PurchaseTaxes{Net: "100", Exempt: "0", Tax: "21"}
	purchase := func(company, country, id, source string, code int, taxes *events.PurchaseTaxes) given {
		currency := map[string]string{"AR": "ARS", "CL": "CLP", "UY": "UYU"}[country]
		p := events.PurchaseReceived{Purchase: id, Company: company, Country: country, OfficialCode: code, BranchOffice: 2,
			Number: int64(len(id)) + int64(id[1]), Date: "2026-11-05", Currency: currency, Total: "121", Source: source,
			Supplier: events.Party{LegalName: "S", DocumentNumber: "30"}, Verification: "consistent", Taxes: taxes}
		return given{Stream: purchaseStream(p), Event: p}
	}
	registered := func(id, country string) given {
		return given{Stream: "company-" + id, Event: events.CompanyRegistered{Company: id, Account: "A" + id[1:],
			Country: country, LegalName: "S.A."}}
	}
	late := purchase("C3", "UY", "P5", "qr", 111, nil)
	all := []given{registered("C1", "AR"), registered("C2", "CL"), registered("C3", "UY"), registered("C4", "UY"),
		purchase("C1", "AR", "P1", "qr", 1, nil), purchase("C1", "AR", "P2", "json", 1, nil),
		purchase("C2", "CL", "P3", "xml", 33, taxes), purchase("C2", "CL", "P4", "json", 33, nil), late,
		purchase("C4", "UY", "P6", "xml", 111, taxes), purchase("C4", "UY", "P7", "xml", 112, taxes),
		// Its signed XML came after the code.
		{Stream: late.Stream, Event: events.PurchaseVerified{Purchase: "P5", Company: "C3", Verification: "signature_valid",
			Taxes: taxes}}}
	w := newWorld(t, all...)
	for key, want := range map[string]struct {
		known, unknown int
		sum            string
	}{
		"C1": {0, 2, `"documents":2,"total":242.00,"tax":null`},
		"C2": {1, 1, `"documents":2,"total":242,"tax":null`},
		"C3": {1, 0, `"documents":1,"total":121.00,"tax":21.00`},
		"C4": {2, 0, `"documents":2,"total":0.00,"tax":0.00`}, // an invoice and a credit note
	} {
		key := "x-api-key: " + key
		body := w.get("/api/reports/purchase-book?month=2026-11", key).want(200).Body.String()
		csv := w.get("/api/reports/purchase-book?month=2026-11&format=csv", key).want(200).Body.String()
		if n := strings.Count(body, `"net":null,"tax":null,"taxes_known":false`); n != want.unknown {
			t.Errorf("%s: %d unknown, want %d: %s", key, n, want.unknown, body)
		}
		if n := strings.Count(body, `"taxes_known":true`); n != want.known || !strings.Contains(body, want.sum) {
			t.Errorf("%s: %d known, want %d and %s: %s", key, n, want.known, want.sum, body)
		}
		if n := strings.Count(csv, ",unknown,unknown,"); n != want.unknown {
			t.Errorf("%s: %d unknown in the table, want %d: %s", key, n, want.unknown, csv)
		}
		if strings.Contains(body+csv, `"tax":0,`) {
			t.Errorf("%s: what is unknown is 0", key)
		}
	}
	table := w.get("/api/reports/purchase-book?month=2026-11&format=csv", "x-api-key: C4").Body.String()
	if !strings.Contains(table, "121.00,100.00,21.00,xml") || !strings.Contains(table, "-121.00,-100.00,-21.00,xml") {
		t.Errorf("got %s", table)
	}
}
