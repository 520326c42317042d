package sii_test

import (
	"testing"

	"folio/country"
	"folio/country/cl"
	"folio/country/countrytest/odd"
	"folio/events"
)

// Whatever a text of a document is, it is refused by its name when the document is created,
// or the DTE is as SII's schema wants it.
func TestOddTextsAreRefusedOrFit(t *testing.T) {
	w := newWorld(t)
	for _, kind := range []string{"FAC", "BOL", "GUI", "FXE", "NCE"} {
		d := document(t, kind, 0).Document
		d.PaymentMethod = &events.PaymentMethod{Code: "EFE"}
		d.Items[0].Code = &events.ItemCode{Type: "internal", Value: "A-1"}
		for x := range odd.Texts(d, cl.Header{}, cl.Export{}) {
			c, wrong := cl.Rules{}.Check(x.Document, company, noon, country.Config{})
			if len(wrong) > 0 {
				odd.Names(t, x, wrong)
				continue
			}
			b := w.batch("FAC", 0, 7)
			b.Series.OfficialCode = c.Document.OfficialCode
			b.Documents[0].Document, b.Documents[0].Taxes = c.Document, c.Taxes
			b.Documents[0].Range = w.caf(c.Document.OfficialCode)
			_, err := w.driver.Prepare(t.Context(), material().good, b)
			if err != nil {
				t.Errorf("%s %s: %q: %v", d.Type, x.Path, x.Text, err)
			}
		}
	}
}

// Whatever a company may write into its profile can be written into its documents.
func TestOddTextsOfAProfileFit(t *testing.T) {
	w := newWorld(t)
	for _, kind := range []string{"FAC", "BOL", "GUI", "FXE"} {
		d := document(t, kind, 0).Document
		d.Issuer.Address = events.Address{}
		for x := range odd.Fields(company, (cl.Rules{}).ProfileFields()) {
			c, wrong := cl.Rules{}.Check(d, x.Issuer, noon, country.Config{})
			if len(wrong) > 0 {
				continue // told when the document is created
			}
			b := w.batch("FAC", 0, 7)
			b.Series.OfficialCode = c.Document.OfficialCode
			b.Documents[0].Document, b.Documents[0].Taxes = c.Document, c.Taxes
			b.Documents[0].Profile, b.Documents[0].Range = x.Issuer.Profile, w.caf(c.Document.OfficialCode)
			if _, err := w.driver.Prepare(t.Context(), material().good, b); err != nil {
				t.Errorf("%s %s: %q: %v", d.Type, x.Name, x.Text, err)
			}
		}
	}
}
