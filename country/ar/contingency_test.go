package ar_test

import (
	"slices"
	"testing"
	"time"

	"folio/country"
	"folio/country/ar"
	"folio/events"
)

// What the ordinary rules accept and RG 5782/2025 names may be issued by CAEA on its day, and
// not on another; the rest waits for ARCA.
func TestExamplesUnderACAEA(t *testing.T) {
	r := ar.Rules{}
	taken := 0
	for _, x := range r.Examples(now) {
		k, _ := r.DocumentType(x.Document.Type)
		who := company
		if slices.Contains([]int{11, 12, 13, 15, 211, 212, 213}, k.Code) {
			who.Profile.TaxCondition = "monotributo"
		}
		d := x.Document
		d.Issuer = events.Party{LegalName: who.Profile.LegalName, DocumentType: "CUIT", DocumentNumber: who.TaxIdentifier}
		if d.Recipient.DocumentNumber == who.TaxIdentifier {
			d.Recipient.DocumentNumber = recipientCUIT
		}
		checked, wrong := r.Check(d, who, now, country.Config{})
		if len(wrong) > 0 {
			t.Fatalf("%s: %v", x.Name, wrong)
		}
		got := r.CheckContingency(checked.Document, checked.Taxes, now)
		named := slices.Contains(r.ContingencyTypes(), k.Code)
		if named != (len(got) == 0) || !named && got[0].Code != "AR-CAEA-01" {
			t.Errorf("%s (%s): %v", x.Name, k.InvoiceType, got)
		}
		if !named {
			continue
		}
		taken++
		// The fortnight is Argentina's: its midnight is three hours after that of UTC.
		midnight := time.Date(2026, 11, 28, 3, 0, 0, 0, time.UTC)
		for at, ok := range map[time.Time]bool{midnight.Add(-time.Second): true, midnight: false,
			now.AddDate(0, 0, -1): false} {
			if got := r.CheckContingency(checked.Document, checked.Taxes, at); (len(got) == 0) != ok {
				t.Errorf("%s at %s: %v", x.Name, at, got)
			}
		}
	}
	if taken < 16 {
		t.Errorf("%d examples may be issued by CAEA", taken)
	}
}

func TestAnEmptyDocumentIsNotIssuedByCAEA(t *testing.T) {
	for _, d := range []events.Document{{}, {Type: "FCA"}, {Type: "NCB", BillingReference: []events.Reference{{},
		{PeriodTo: "x"}}, GlobalTaxes: []events.GlobalTax{{}}, HeaderInfo: []byte(`{"optionals":1}`)}} {
		if got := (ar.Rules{}).CheckContingency(d, events.TaxInformation{Rates: []events.AppliedRate{{}}},
			now); len(got) == 0 {
			t.Errorf("%+v may be", d)
		}
	}
}
