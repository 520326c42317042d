package arca_test

import (
	"fmt"
	"testing"

	"folio/country"
	"folio/country/ar"
	"folio/country/countrytest/odd"
	"folio/events"
	"folio/money"
)

// Whatever a text of a document is, it is refused by its name when the document is created,
// or ARCA can be told it.
func TestOddTextsAreRefusedOrTold(t *testing.T) {
	b := newBench(t)
	who := country.Issuer{TaxIdentifier: issuer, Profile: events.IssuerProfile{LegalName: "Molinos del Plata S.A.",
		TaxIdentifier: issuer, TaxCondition: "responsable_inscripto"}}
	for _, kind := range []string{"FCA", "NCB", "FCX"} {
		d := document(t, kind, func(d *events.Document) {
			d.PaymentMethod = &events.PaymentMethod{Code: "CON"}
			d.Items[0].Code = &events.ItemCode{Type: "internal", Value: "A-1"}
			if kind != "FCX" {
				d.GlobalTaxes = []events.GlobalTax{{Type: "other", Description: "Tasa", Amount: money.FromInt(1)}}
			}
		}).Document
		next := int64(1)
		for x := range odd.Texts(d, ar.Header{}, ar.Export{}) {
			c, wrong := ar.Rules{}.Check(x.Document, who, noon, country.Config{})
			if len(wrong) > 0 {
				odd.Names(t, x, wrong)
				continue
			}
			in := batch(next, c)
			in.Documents[0].Invoice = fmt.Sprint(kind, next)
			p, err := b.driver.Prepare(t.Context(), b.cred, in)
			if err != nil {
				t.Errorf("%s %s: %q: %v", kind, x.Path, x.Text, err)
				continue
			}
			a, err := b.driver.Send(t.Context(), b.cred, in, p, b.record)
			if err != nil || a.Outcomes[0].Result != events.Accepted {
				t.Errorf("%s %s: %q: %+v, %v", kind, x.Path, x.Text, a, err)
				continue
			}
			next++
		}
	}
}
