package ar_test

import (
	"encoding/json"
	"testing"

	"folio/country"
	"folio/country/ar"
	"folio/events"
)

// FuzzCheck feeds any document that can be decoded, within and outside the bounds:
// Check must answer, and what it accepts can be printed.
func FuzzCheck(f *testing.F) {
	seed := func(d events.Document) {
		raw, err := json.Marshal(d)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw)
	}
	seed(sample(f))
	for _, k := range (ar.Rules{}).DocumentTypes() {
		d, _ := example(k)
		seed(d)
	}
	for _, huge := range []string{"9999999999999999999", "-9999999999999999999", "0.0000000000000000001",
		"9999999999999.999999"} {
		d := sample(f)
		d.Items[0].Quantity, d.Items[0].UnitPrice, d.Items[1].Discount = dec(huge), dec(huge), dec(huge)
		d.Items[0].Taxes[0].Amount, d.Items[1].Taxes[0].Rate, d.Currency.Rate = dec(huge), dec(huge), dec(huge)
		d.Totals.Total, d.Totals.Discount, d.Totals.SubTotal = dec(huge), dec(huge), dec(huge)
		d.Totals.Taxes[0].BaseAmount, d.Totals.Taxes[1].Amount = dec(huge), dec(huge)
		d.GlobalTaxes = []events.GlobalTax{{Type: "iibb", Rate: dec(huge), BaseAmount: dec(huge), Amount: dec(huge)}}
		seed(d)
		d = sample(f)
		d.Totals.Discount, d.Currency.Rate = dec(huge), dec(huge)
		seed(d)
		d.Currency.Code, d.Recipient, d.Totals.Total = "USD", events.Party{}, dec("9999999999999.99")
		seed(d)
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		var d events.Document
		if json.Unmarshal(raw, &d) != nil {
			return
		}
		rules := ar.Rules{}
		checked, vs := rules.Check(d, company, now, country.Config{})
		if len(vs) > 0 {
			for _, v := range vs {
				if v.Path == "" || v.Code == "" || v.Message == "" {
					t.Fatalf("a violation that says nothing: %+v", v)
				}
			}
			return
		}
		if a := checked.Taxes.Amounts; a.Net.Sign() < 0 || a.Tax.Sign() < 0 || a.Exempt.Sign() < 0 || a.Untaxed.Sign() < 0 ||
			a.Other.Sign() < 0 || a.Total.Sign() < 0 {
			t.Fatalf("something negative is told: %+v", a)
		}
		i := issued(checked, 1)
		rules.QR(i)
		if form := rules.Form(i); len(form.Rows) < len(d.Items) {
			t.Fatalf("%d items, %d rows", len(d.Items), len(form.Rows))
		}
	})
}

// issued is a checked document as ARCA accepted it.
func issued(c country.Checked, number int64) country.Issued {
	return country.Issued{
		ID: "01JDPW3K7B0000000000000000", Document: c.Document, Profile: company.Profile, Taxes: c.Taxes,
		BranchOffice: c.Document.BranchOffice, Number: number,
		Authorization: events.Authorization{Type: "CAE", Code: "86480000000017", ExpiresOn: "2026-12-07"}, AcceptedAt: now,
	}
}
