package dgi

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/beevik/etree"
	"pgregory.net/rapid"

	"folio/authority/schema"
	"folio/country"
	"folio/country/countrytest"
	"folio/country/figures"
	"folio/country/uy"
	"folio/events"
	"folio/money"
)

// oddLine is a line of tiny, of large or of no amount, which a discount may take off in whole.
func oddLine(t *rapid.T, like events.Item) events.Item {
	draw := func(name, pattern string) money.Decimal {
		return money.MustParse(rapid.StringMatching(pattern).Draw(t, name))
	}
	i := like
	i.Taxes = slices.Clone(like.Taxes)
	i.Quantity = draw("quantity", `([1-9][0-9]{0,2}|0\.5|[1-9]\.[0-9]{2}5|0\.00[1-9]|[1-9][0-9]{0,6})`)
	i.UnitPrice = draw("price", `([1-9][0-9]{0,4}|[1-9][0-9]{0,3}\.[0-9]{1,2}|0\.00000[1-9]|0|[1-9][0-9]{0,2}\.[0-9]{2}5)`)
	i.Discount = money.Zero
	if whole := i.Quantity.Mul(i.UnitPrice).Round(2); rapid.Bool().Draw(t, "discounted") {
		percent := money.FromInt(rapid.SampledFrom([]int64{0, 1, 33, 100}).Draw(t, "percent"))
		i.Discount = whole.Percent(percent).Round(2)
	}
	if len(i.Taxes) == 1 && i.Taxes[0].Type == "not_invoiceable" && rapid.Bool().Draw(t, "taken off") {
		i.UnitPrice, i.Discount = i.UnitPrice.Neg(), money.Zero
	}
	return i
}

// likeExample is an example of a kind with other lines, and what is calculated of them.
func likeExample(t *rapid.T, k country.DocumentType, taxes []string) (events.Document, error) {
	examples := slices.DeleteFunc(uy.Rules{}.Examples(noon), func(x country.Example) bool {
		return x.Document.Type != k.InvoiceType
	})
	d := country.CloneDocument(rapid.SampledFrom(examples).Draw(t, "example").Document)
	d.Issuer = events.Party{LegalName: "Almacén", DocumentType: "RUT", DocumentNumber: company}
	if rapid.Bool().Draw(t, "another currency") {
		d.Currency.Code = rapid.SampledFrom(uy.Rules{}.Catalogue().Currencies).Draw(t, "currency").Code
		d.Currency.Rate = money.MustParse(rapid.SampledFrom([]string{"39.125", "0.001", "9999.999"}).Draw(t, "rate"))
		if d.Currency.Code == "UYU" {
			d.Currency.Rate = money.FromInt(1)
		}
		for i := range d.BillingReference {
			r := &d.BillingReference[i]
			if r.Currency, r.Rate = d.Currency.Code, &d.Currency.Rate; r.Currency == "UYU" {
				r.Rate = nil
			}
		}
	}
	gross := rapid.Bool().Draw(t, "gross") && (uy.IsTicket(k.Code) || uy.IsInvoice(k.Code))
	d.HeaderInfo = country.SetMember(d.HeaderInfo, "gross_prices", gross)
	if rapid.Bool().Draw(t, "named") && uy.IsTicket(k.Code) {
		d.Recipient = events.Party{LegalName: "Ana", DocumentType: "CI", DocumentNumber: "1335321-4"}
	}
	items := d.Items
	d.Items = nil
	for range rapid.IntRange(1, 5).Draw(t, "lines") {
		like := rapid.SampledFrom(items).Draw(t, "line")
		if k.Code != 181 {
			like.Taxes = []events.ItemTax{{Type: rapid.SampledFrom(taxes).Draw(t, "tax")}}
		}
		i := oddLine(t, like)
		switch k.Code {
		case 181:
			i.UnitPrice, i.Discount = money.Zero, money.Zero
		case 124:
			i.Discount = money.Zero
		}
		d.Items = append(d.Items, i)
	}
	_, plain, err := uy.Calculate(d.Type, gross, d.Items, money.Zero)
	if err != nil {
		return d, err
	}
	whole := plain.SubTotal.Sub(plain.Discount).Percent(
		money.FromInt(rapid.SampledFrom([]int64{0, 0, 7, 50, 100}).Draw(t, "whole"))).Round(2)
	if k.Code == 181 || k.Code == 124 || whole.Sign() < 0 {
		whole = money.Zero
	}
	d.Items, d.Totals, err = uy.Calculate(d.Type, gross, d.Items, whole)
	return d, err
}

// shift moves a part of a base to another row, or away: the caller chooses on what a discount on the whole falls.
func shift(t *rapid.T, d *events.Document) {
	rows := d.Totals.Taxes
	whole := d.Totals.Discount
	for _, i := range d.Items {
		whole = whole.Sub(i.Discount)
	}
	from := &rows[rapid.IntRange(0, len(rows)-1).Draw(t, "from")]
	by := rapid.SampledFrom([]money.Decimal{money.MustParse("0.01"), money.FromInt(10), from.BaseAmount, whole}).Draw(t, "by")
	from.BaseAmount = from.BaseAmount.Sub(by)
	if rapid.Bool().Draw(t, "to another") {
		to := &rows[rapid.IntRange(0, len(rows)-1).Draw(t, "to")]
		to.BaseAmount = to.BaseAmount.Add(by)
	}
	rates := map[string]int64{"iva22": 22, "iva10": 10}
	d.Totals.Total = money.Zero
	for i := range rows {
		rows[i].Amount = rows[i].BaseAmount.Percent(money.FromInt(rates[rows[i].Type])).Round(2)
		d.Totals.Total = money.Sum(d.Totals.Total, rows[i].BaseAmount, rows[i].Amount)
	}
}

// regimes are the special CAEs by the company's regime, with the taxes of its lines.
var regimes = []struct {
	name  string
	taxes []string
}{{"", []string{"iva22", "iva10", "exempt", "not_invoiceable"}}, {"exempt", []string{"exempt", "not_invoiceable"}},
	{"iva_minimo", []string{"iva_minimo", "not_invoiceable"}}, {"monotributo", []string{"iva_minimo", "not_invoiceable"}}}

// objections are what the sandbox has against what the program writes: schema, form, regime and totals.
func objections(t *rapid.T, h *house, c country.Checked, special int) (said []string, text []byte) {
	k := c.Document.OfficialCode
	cae := uy.CAE{RUC: company, Type: k, Series: "A", From: 1, To: 9, Special: special,
		Authorization: "90260001231", ExpiresOn: "2028-10-05"}
	if special == 1 {
		cae.Cause = 11
	}
	issued := country.Issued{Document: c.Document, Taxes: c.Taxes, Profile: issuer.Profile, Number: 1}
	text, err := uy.CFE(issued, cae, noon)
	if err != nil {
		t.Fatal(err)
	}
	tree := etree.NewDocument()
	if err := tree.ReadFromBytes(text); err != nil {
		t.Fatal(err)
	}
	d := cfe{root: tree.Root(), body: tree.Root().ChildElements()[0], kind: k}
	if err := schema.CFE(d.body.Tag).Check(d.body); err != nil {
		said = append(said, err.Error())
	}
	x := &examination{call: &call{Server: h.server}, d: d, envelope: envelope{ruc: company},
		out: document{Type: k, Date: d.at("Encabezado/IdDoc/FchEmis"), Currency: d.at("Encabezado/Totales/TpoMoneda")}}
	x.formed()
	x.special(authorization{Special: special, Cause: cae.Cause})
	x.totals()
	for _, r := range x.out.Remarks {
		said = append(said, fmt.Sprint(r))
	}
	return said, text
}

// Whatever the rules take of any kind, with totals as they are calculated and with other
// shares of a discount on the whole, the sandbox takes.
func TestWhatTheRulesAcceptOfEveryKindTheAuthorityTakes(t *testing.T) {
	h := newHouse(t)
	h.server.SetKnobs(Knobs{IdentifyFrom: money.FromInt(30_000)})
	cfg := countrytest.Figures("UY", figures.UnitValue, "2026-01-01", "6")
	for _, k := range (uy.Rules{}).DocumentTypes() {
		t.Run(k.InvoiceType, func(t *testing.T) {
			taken := 0
			rapid.Check(t, func(rt *rapid.T) {
				special := rapid.IntRange(0, len(regimes)-1).Draw(rt, "regime")
				who, taxes := issuer, regimes[special].taxes
				who.Fields = maps.Clone(issuer.Fields)
				who.Fields[uy.FieldRegime] = regimes[special].name
				if uy.IsExport(k.Code) {
					taxes = []string{"exempt", "exempt", "not_invoiceable"}
				}
				d, err := likeExample(rt, k, taxes)
				if err != nil {
					return // such as amounts that are too large
				}
				if len(d.Totals.Taxes) > 0 && rapid.Bool().Draw(rt, "shifted") {
					shift(rt, &d)
				}
				checked, refused := uy.Rules{}.Check(d, who, noon, cfg)
				if len(refused) > 0 {
					return // such as a base below 0
				}
				taken++
				if said, text := objections(rt, h, checked, special); len(said) > 0 {
					rt.Fatalf("the rules take it, the authority says %s\n%s\n%+v", strings.Join(said, "; "), text, d.Totals)
				}
			})
			if taken == 0 {
				t.Error("none was taken")
			}
		})
	}
}
