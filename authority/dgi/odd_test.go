package dgi_test

import (
	"testing"

	"folio/country/countrytest"
	"folio/country/countrytest/odd"
	"folio/country/figures"
	"folio/country/uy"
	"folio/events"
)

// Whatever a text of a document is, it is refused by its name when the document is created,
// or the CFE is as DGI's schema wants it.
func TestOddTextsAreRefusedOrFit(t *testing.T) {
	w := newWorld(t)
	table := countrytest.Figures("UY", figures.UnitValue, "2026-01-01", "6.3")
	for _, kind := range []string{"TIC", "EFA", "NCF", "EFX", "REM", "REX"} {
		d := document(t, kind, 0).Document
		if c, _ := (uy.Rules{}).DocumentType(kind); !uy.IsRemito(c.Code) {
			d.PaymentMethod = &events.PaymentMethod{Code: "OTR"}
		}
		d.Items[0].Code = &events.ItemCode{Type: "internal", Value: "A-1"}
		for x := range odd.Texts(d, uy.Header{}, uy.Export{}) {
			c, wrong := uy.Rules{}.Check(x.Document, company, noon, table)
			if len(wrong) > 0 {
				odd.Names(t, x, wrong)
				continue
			}
			b := batch(t, "EFA", 1, 1)
			b.Series.OfficialCode = c.Document.OfficialCode
			b.Documents[0].Document, b.Documents[0].Taxes = c.Document, c.Taxes
			b.Documents[0].Range = cae(t, c.Document.OfficialCode, "A")
			if _, err := w.driver.Prepare(t.Context(), material().good, b); err != nil {
				t.Errorf("%s %s: %q: %v", d.Type, x.Path, x.Text, err)
			}
		}
	}
}

// Whatever a company may write into its profile can be written into its documents.
func TestOddTextsOfAProfileFit(t *testing.T) {
	w := newWorld(t)
	table := countrytest.Figures("UY", figures.UnitValue, "2026-01-01", "6.3")
	for _, kind := range []string{"TIC", "EFA", "EFX", "REM"} {
		d := document(t, kind, 0).Document
		d.Issuer.Address = events.Address{}
		for x := range odd.Fields(company, uy.Rules{}.ProfileFields()) {
			c, wrong := uy.Rules{}.Check(d, x.Issuer, noon, table)
			if len(wrong) > 0 {
				continue // told when the document is created
			}
			b := batch(t, "EFA", 1, 1)
			b.Series.OfficialCode = c.Document.OfficialCode
			b.Documents[0].Document, b.Documents[0].Taxes = c.Document, c.Taxes
			b.Documents[0].Profile, b.Documents[0].Range = x.Issuer.Profile, cae(t, c.Document.OfficialCode, "A")
			if _, err := w.driver.Prepare(t.Context(), material().good, b); err != nil {
				t.Errorf("%s %s: %q: %v", d.Type, x.Name, x.Text, err)
			}
		}
	}
}
