package cl_test

import (
	"testing"

	"folio/country"
	"folio/country/cl"
	"folio/events"
)

func TestWhatMayBeHandedOverBeforeSIIsVerdict(t *testing.T) {
	type s = country.Standing
	for _, c := range []struct {
		name string
		code int
		is   s
		want country.Basis
	}{
		{"a factura that SII has", 33, s{Received: true}, country.Sent},
		{"a guía that SII has", 52, s{Received: true}, country.Sent},
		{"a boleta that SII has", 39, s{Received: true, Away: true}, country.Sent},
		{"a factura that is not sent", 33, s{}, ""},
		{"a boleta that is not sent, SII being there", 39, s{Offline: true}, ""},
		{"a boleta while SII is away", 39, s{Away: true}, country.Contingency},
		{"an exempt boleta while SII is away", 41, s{Away: true}, country.Contingency},
		{"a factura while SII is away", 33, s{Away: true}, ""},
		{"a factura while SII is away, signed being enough", 33, s{Away: true, Offline: true}, country.Contingency},
		{"a nota de crédito likewise", 61, s{Away: true, Offline: true}, country.Contingency},
		{"a guía never", 52, s{Away: true, Offline: true}, ""},
	} {
		if got := (cl.Rules{}).HandOver(events.Document{OfficialCode: c.code}, c.is); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestTheProvisionalFormHasTheStampOfTheSignedDocument(t *testing.T) {
	const ted = "<TED version=\"1.0\"><DD><RE>76192083-9</RE><IT1>Caf\xe9</IT1></DD></TED>"
	got, err := cl.Rules{}.Provisional([]byte(`<DTE version="1.0"><Documento ID="T39F1">` + ted + `</Documento></DTE>`))
	if err != nil || got.Extra[cl.ExtraStamp] != cl.FromLatin1([]byte(ted)) || got.Code != "" ||
		got.Extra[cl.ExtraTrackID] != "" {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := (cl.Rules{}).Provisional([]byte("<DTE></DTE>")); err == nil {
		t.Error("a document without a stamp has a provisional form")
	}
}
