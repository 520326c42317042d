package sii

import (
	"encoding/xml"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/beevik/etree"
	"pgregory.net/rapid"

	"folio/authority/schema"
	"folio/country"
	"folio/country/cl"
	"folio/events"
	"folio/money"
)

// stampOf stands for the stamp of a document, whose form alone the schema judges.
func stampOf(d events.Document, total string) string {
	return fmt.Sprintf(`<TED version="1.0"><DD><RE>77111222-6</RE><TD>%d</TD><F>1</F><FE>2026-11-27</FE>`+
		`<RR>66666666-6</RR><RSR>x</RSR><MNT>%s</MNT><IT1>x</IT1><CAF version="1.0"><DA><RE>77111222-6</RE><RS>x</RS>`+
		`<TD>%d</TD><RNG><D>1</D><H>9</H></RNG><FA>2026-11-01</FA><IDK>999</IDK></DA><FRMA>x</FRMA></CAF>`+
		`<TSTED>2026-11-27T10:00:00</TSTED></DD><FRMT>x</FRMT></TED>`, d.OfficialCode, total, d.OfficialCode)
}

// oddLine is a line of tiny, of large or of no amount, which a discount may take off in whole.
func oddLine(t *rapid.T, like events.Item, places int) events.Item {
	draw := func(name, pattern string) money.Decimal {
		return money.MustParse(rapid.StringMatching(pattern).Draw(t, name))
	}
	i := like
	i.Taxes = slices.Clone(like.Taxes)
	i.Quantity = draw("quantity", `([1-9][0-9]{0,2}|0\.5|[1-9]\.[0-9]{2}5|0\.00000[1-9]|[1-9][0-9]{0,6})`)
	i.UnitPrice = draw("price", `([1-9][0-9]{0,5}|[1-9][0-9]{0,3}\.5|0\.00000[1-9]|0|[1-9][0-9]{2}\.[0-9]{2}5)`)
	i.Discount = money.Zero
	if whole := i.Quantity.Mul(i.UnitPrice).Round(places); rapid.Bool().Draw(t, "discounted") {
		percent := money.FromInt(rapid.SampledFrom([]int64{0, 1, 33, 100}).Draw(t, "percent"))
		if off := whole.Percent(percent).Round(0); !whole.Less(off) {
			i.Discount = off
		}
	}
	return i
}

// lineTaxes are ways to tax a line of a kind.
func lineTaxes(kind string) [][]string {
	all := [][]string{{"iva19"}, {"exempt"}, {"not_invoiceable"}, {"iva19", "27"}, {"iva19", "24", "19"}, {"iva19", "15"},
		{"iva19", "34"}}
	switch kind {
	case "FXE", "NDX", "NCX":
		return all[1:2]
	case "FEX", "BEX":
		return all[1:3]
	case "BOL":
		return all[:3]
	}
	return all
}

// likeExample is an example of a kind with other lines, and what is calculated of them.
func likeExample(t *rapid.T, k country.DocumentType) (events.Document, error) {
	examples := slices.DeleteFunc(cl.Rules{}.Examples(noon), func(x country.Example) bool {
		return x.Document.Type != k.InvoiceType
	})
	d := country.CloneDocument(rapid.SampledFrom(examples).Draw(t, "example").Document)
	d.Issuer = events.Party{LegalName: "Almacén", DocumentType: "RUT", DocumentNumber: "77111222-6"}
	places := 0
	if cl.IsExport(k.Code) {
		d.Currency.Code = rapid.SampledFrom(cl.Rules{}.Catalogue().Currencies).Draw(t, "currency").Code
		d.Currency.Rate = money.MustParse(rapid.SampledFrom([]string{"945.12", "0.0001", "999999.9999"}).Draw(t, "rate"))
		switch d.Currency.Code {
		case "CLP":
			d.Currency.Rate = money.FromInt(1)
		case "JPY":
		default:
			places = 2
		}
	}
	if d.Type == "FAC" && rapid.Bool().Draw(t, "delivered") {
		d.HeaderInfo = []byte(`{"dispatch_type":2,"transport":{"plates_unknown":true,"driver_rut":"12345678-5",` +
			`"driver_name":"Juan","carrier_rut":"76192083-9","departure_at":"2026-11-27 14:30:00","address":"Ruta 5",` +
			`"comuna":"Buin"},"recipient":{"giro":"Comercio","comuna":"Arica"}}`)
	}
	items := d.Items
	d.Items = nil
	for range rapid.IntRange(1, 5).Draw(t, "lines") {
		i := oddLine(t, rapid.SampledFrom(items).Draw(t, "line"), places)
		if rapid.Bool().Draw(t, "other taxes") {
			i.Taxes = nil
			for _, name := range rapid.SampledFrom(lineTaxes(d.Type)).Draw(t, "taxes") {
				i.Taxes = append(i.Taxes, events.ItemTax{Type: name})
			}
		}
		d.Items = append(d.Items, i)
	}
	_, plain, err := cl.Calculate(d.Type, d.Currency.Code, d.Items, money.Zero)
	if err != nil {
		return d, err
	}
	whole := plain.SubTotal.Sub(plain.Discount).Percent(
		money.FromInt(rapid.SampledFrom([]int64{0, 0, 7, 50, 100}).Draw(t, "whole"))).Round(0)
	d.Items, d.Totals, err = cl.Calculate(d.Type, d.Currency.Code, d.Items, whole)
	return d, err
}

// shift moves a part of a base to another row, or away: the caller chooses on what a discount on the whole falls.
func shift(t *rapid.T, d *events.Document) {
	rates, rows := map[string]money.Decimal{}, d.Totals.Taxes
	whole := d.Totals.Discount
	for _, i := range d.Items {
		whole = whole.Sub(i.Discount)
		for _, x := range i.Taxes {
			rates[x.Type] = x.Rate
		}
	}
	from := &rows[rapid.IntRange(0, len(rows)-1).Draw(t, "from")]
	by := rapid.SampledFrom([]money.Decimal{money.FromInt(1), money.FromInt(100), from.BaseAmount.Round(0), whole}).Draw(t,
		"by")
	from.BaseAmount = from.BaseAmount.Sub(by)
	if rapid.Bool().Draw(t, "to another") {
		to := &rows[rapid.IntRange(0, len(rows)-1).Draw(t, "to")]
		to.BaseAmount = to.BaseAmount.Add(by)
	}
	d.Totals.Total = d.Totals.SubTotal.Sub(d.Totals.Discount)
	for i := range rows {
		kept := rows[i].Amount.Sign() < 0
		if rows[i].Amount = rows[i].BaseAmount.Percent(rates[rows[i].Type]).Round(0); kept {
			rows[i].Amount = rows[i].Amount.Neg()
		}
		d.Totals.Total = d.Totals.Total.Add(rows[i].Amount)
	}
}

// objections are what the sandbox has against what the program writes: schema, totals, goods in transit, references.
func objections(t *rapid.T, c country.Checked) (said []string, text []byte) {
	d := cl.NewDTE(c.Document, c.Taxes, issuer.Profile, 1)
	d.TED, d.TmstFirma = stampOf(c.Document, d.Encabezado.Totales.MntTotal), "2026-11-27T10:00:00"
	text, err := xml.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	tree := etree.NewDocument()
	if err := tree.ReadFromBytes(text); err != nil {
		t.Fatal(err)
	}
	name := d.XMLName.Local
	if cl.IsReceipt(c.Document.OfficialCode) {
		name = "Boleta"
	}
	if err := schema.SII(name).Check(tree.Root()); err != nil {
		said = append(said, err.Error())
	}
	for _, r := range totalsOf(tree.Root()) {
		said = append(said, r.Text)
	}
	if body := (dte{body: tree.Root()}); moves(body, c.Document.OfficialCode) {
		said = append(said, transitFaults(body, c.Document.OfficialCode)...)
	}
	return said, text
}

// Whatever the rules take of any kind, with totals as they are calculated and with other
// shares of a discount on the whole, the sandbox takes.
func TestWhatTheRulesAcceptOfEveryKindTheAuthorityTakes(t *testing.T) {
	for _, k := range (cl.Rules{}).DocumentTypes() {
		t.Run(k.InvoiceType, func(t *testing.T) {
			taken := 0
			rapid.Check(t, func(rt *rapid.T) {
				d, err := likeExample(rt, k)
				if err != nil {
					return // such as amounts that are too large
				}
				if len(d.Totals.Taxes) > 0 && rapid.Bool().Draw(rt, "shifted") {
					shift(rt, &d)
				}
				checked, refused := cl.Rules{}.Check(d, issuer, noon, country.Config{})
				if len(refused) > 0 {
					return // such as a total of 0
				}
				taken++
				if said, text := objections(rt, checked); len(said) > 0 {
					rt.Fatalf("the rules take it, the authority says %s\n%s\n%+v", strings.Join(said, "; "), text, d.Totals)
				}
			})
			if taken == 0 {
				t.Error("none was taken")
			}
		})
	}
}
