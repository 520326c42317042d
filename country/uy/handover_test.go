package uy_test

import (
	"testing"

	"folio/country"
	"folio/country/uy"
	"folio/events"
)

func TestWhatMayBeHandedOverBeforeDGIsVerdict(t *testing.T) {
	type s = country.Standing
	small := events.Document{OfficialCode: 101, HeaderInfo: []byte(`{"daily_report_only":true}`)}
	if !uy.ReportOnly(small) {
		t.Fatal("the example is not reported daily")
	}
	for _, c := range []struct {
		name string
		of   events.Document
		is   s
		want country.Basis
	}{
		{"a small e-Ticket", small, s{}, country.ReportOnly},
		{"a small e-Ticket while DGI is away", small, s{Away: true}, country.ReportOnly},
		{"an e-Factura that DGI has", events.Document{OfficialCode: 111}, s{Received: true}, country.Sent},
		{"an e-Factura that is not sent", events.Document{OfficialCode: 111}, s{}, ""},
		{"an e-Factura while DGI is away", events.Document{OfficialCode: 111}, s{Away: true}, ""},
		{"a large e-Ticket likewise", events.Document{OfficialCode: 101}, s{Away: true}, ""},
		{"an e-Factura while DGI is away, signed being enough", events.Document{OfficialCode: 111},
			s{Away: true, Offline: true}, country.Contingency},
		{"signed is not enough while DGI is there", events.Document{OfficialCode: 111}, s{Offline: true}, ""},
	} {
		if got := (uy.Rules{}).HandOver(c.of, c.is); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestWhatHasNoSignatureHasNoProvisionalForm(t *testing.T) {
	for _, document := range []string{"", "<CFE", `<CFE version="1.0"><eFact></eFact></CFE>`} {
		if _, err := (uy.Rules{}).Provisional([]byte(document)); err == nil {
			t.Errorf("%q has one", document)
		}
	}
}
