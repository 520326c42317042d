package sii

import (
	"encoding/xml"
	"strings"
	"testing"
	"time"

	"github.com/beevik/etree"
	"pgregory.net/rapid"

	_ "folio/rapidseed"

	"folio/country"
	"folio/country/cl"
	"folio/events"
	"folio/money"
)

// noon of a Friday in Chile.
var noon = time.Date(2026, 11, 27, 15, 0, 0, 0, time.UTC)

var issuer = country.Issuer{TaxIdentifier: "77111222-6",
	Profile: events.IssuerProfile{LegalName: "Almacén Ñandú", TaxIdentifier: "77111222-6",
		Address: events.Address{Country: "CL", Region: "CL-RM", Address: "Alameda 1"}},
	Fields: map[string]string{cl.FieldGiro: "Ferretería", cl.FieldActeco: "475201", cl.FieldComuna: "Santiago"}}

// edge is a line at the edges of rounding: products with halves of a peso or a cent, and
// discounts up to all of it.
func edge(kind string) func(t *rapid.T) events.Item {
	return func(t *rapid.T) events.Item {
		draw := func(name, pattern string) money.Decimal {
			return money.MustParse(rapid.StringMatching(pattern).Draw(t, name))
		}
		i := events.Item{UnitOfMeasure: "u", Description: "Artículo",
			Quantity:  draw("quantity", `([1-9][0-9]{0,2}|0\.5|[1-9]\.[0-9]{2}5|12\.5)`),
			UnitPrice: draw("price", `([1-9][0-9]{0,5}|[1-9][0-9]{0,3}\.5|[1-9]\.[0-9]{5}5|[1-9][0-9]{2}\.[0-9]{2}5)`)}
		taxes := [][]string{{"iva19"}, {"exempt"}, {"not_invoiceable"}, {"iva19", "27"}, {"iva19", "24", "19"},
			{"iva19", "15"}, {"iva19", "34"}}
		switch kind {
		case "FXE":
			taxes = taxes[1:2]
		case "FEX", "BEX":
			taxes = taxes[1:3]
		case "BOL":
			taxes = taxes[:3]
		}
		for _, name := range rapid.SampledFrom(taxes).Draw(t, "taxes") {
			i.Taxes = append(i.Taxes, events.ItemTax{Type: name})
		}
		if whole := i.Quantity.Mul(i.UnitPrice).Round(0); kind != "FXE" && rapid.Bool().Draw(t, "discounted") {
			i.Discount = whole.Percent(money.FromInt(rapid.SampledFrom([]int64{0, 1, 33, 50, 100}).Draw(t, "percent"))).Round(0)
		}
		return i
	}
}

// drawn is a document with lines at the edges, and its totals.
func drawn(t *rapid.T) events.Document {
	kind := rapid.SampledFrom([]string{"FAC", "FEX", "BOL", "BEX", "FXE"}).Draw(t, "kind")
	d := events.Document{Type: kind, Date: "2026-11-27 10:00:00",
		Currency: events.Currency{Code: "CLP", Rate: money.FromInt(1)},
		Recipient: events.Party{LegalName: "Comprador", DocumentType: "RUT", DocumentNumber: "76192083-9",
			Address: events.Address{Country: "CL", Address: "Calle 2"}}}
	d.PaymentMethod = &events.PaymentMethod{Code: "EFE"}
	d.Issuer = events.Party{LegalName: "Almacén", DocumentType: "RUT", DocumentNumber: "77111222-6"}
	switch kind {
	case "FAC", "FEX":
		d.HeaderInfo = []byte(`{"recipient":{"giro":"Comercio","comuna":"Arica"}}`)
	case "FXE":
		d.Currency = events.Currency{Code: rapid.SampledFrom([]string{"USD", "JPY"}).Draw(t, "currency"),
			Rate: money.MustParse("945.12")}
		d.Recipient = events.Party{LegalName: "Acme Inc.", DocumentType: "EXTRANJERO", DocumentNumber: "US-1",
			Address: events.Address{Country: "US", Address: "1 Main St"}}
		d.ExportInfo = []byte(`{"nationality":"225","sale_mode":1,"sale_clause":5,"clause_total":31.65,"packages":[{"type":73,"count":1}]}`)
	}
	items := rapid.SliceOfN(rapid.Custom(edge(kind)), 1, 8).Draw(t, "items")
	_, plain, err := cl.Calculate(kind, d.Currency.Code, items, money.Zero)
	if err != nil {
		t.Fatal(err)
	}
	whole := plain.SubTotal.Sub(plain.Discount).Percent(
		money.FromInt(rapid.SampledFrom([]int64{0, 0, 0, 7, 50, 100}).Draw(t, "whole"))).Round(0)
	if kind == "FXE" {
		whole = money.Zero
	}
	if d.Items, d.Totals, err = cl.Calculate(kind, d.Currency.Code, items, whole); err != nil {
		t.Fatal(err)
	}
	return d
}

// remarksOn is what the sandbox says of the totals that the program writes.
func remarksOn(t *rapid.T, c country.Checked) ([]remark, string) {
	text, err := xml.Marshal(cl.NewDTE(c.Document, c.Taxes, issuer.Profile, 1))
	if err != nil {
		t.Fatal(err)
	}
	tree := etree.NewDocument()
	if err := tree.ReadFromBytes(text); err != nil {
		t.Fatal(err)
	}
	return totalsOf(tree.Root()), string(text)
}

// The program and the sandbox keep their own arithmetic. They agree on what is right, and
// on what is a peso beside it.
func TestBothSidesDrawTheSameLine(t *testing.T) {
	right, wrong := map[string]int{}, map[string]int{}
	rapid.Check(t, func(rt *rapid.T) {
		d := drawn(rt)
		checked, refused := cl.Rules{}.Check(d, issuer, noon, country.Config{})
		if len(refused) > 0 {
			if !d.Totals.Total.IsZero() && d.Type != "FAC" { // a FAC needs something taxed
				rt.Fatalf("%v\n%+v", refused, d)
			}
			return
		}
		right[d.Type]++
		if said, text := remarksOn(rt, checked); len(said) > 0 {
			rt.Fatalf("the rules take it, the authority says %v\n%s", said, text)
		}
		off, row := money.FromInt(rapid.SampledFrom([]int64{-1, 1}).Draw(rt, "off")),
			rapid.IntRange(0, len(d.Totals.Taxes)-1).Draw(rt, "row")
		d = country.CloneDocument(checked.Document)
		r := &d.Totals.Taxes[row]
		if rapid.Bool().Draw(rt, "base") {
			r.BaseAmount = r.BaseAmount.Add(off)
		} else if r.Amount = r.Amount.Add(off); d.Totals.Discount.Sign() > 0 || r.Amount.IsZero() {
			// How much of a discount falls on the lines of a tax beside IVA is not told, nor a tax of 0.
			if r.Type != "iva19" && r.Type != "exempt" && r.Type != "not_invoiceable" {
				return
			}
		}
		d.Totals.Total = d.Totals.Total.Add(off)
		beside, refused := cl.Rules{}.Check(d, issuer, noon, country.Config{})
		said, text := remarksOn(rt, country.Checked{Document: checked.Document, Taxes: beside.Taxes})
		if len(refused) == 0 || len(said) == 0 {
			rt.Fatalf("a peso beside: the rules say %v, the authority %v\n%s", refused, said, text)
		}
		wrong[d.Type]++
	})
	for _, kind := range []string{"FAC", "FEX", "BOL", "BEX", "FXE"} {
		if right[kind] == 0 || wrong[kind] == 0 {
			t.Errorf("%s: %d were right and %d wrong, too few of either", kind, right[kind], wrong[kind])
		}
	}
}

func TestAmountsTooLargeToSumAreRefused(t *testing.T) {
	most := strings.Repeat("9", 18)
	for _, text := range []string{
		"<Detalle><QtyItem>" + most[:12] + "</QtyItem><PrcItem>" + most[:12] + "</PrcItem><MontoItem>1</MontoItem></Detalle>",
		"<Detalle><MontoItem>" + most + "</MontoItem></Detalle>",
		"<DscRcgGlobal><ValorDR>" + most + "</ValorDR></DscRcgGlobal>",
		"<Encabezado><Totales><ImptoReten><TipoImp>27</TipoImp><TasaImp>9999</TasaImp><MontoImp>1</MontoImp></ImptoReten></Totales></Encabezado>",
	} {
		tree := etree.NewDocument()
		if err := tree.ReadFromString("<Documento>" + text + "</Documento>"); err != nil {
			t.Fatal(err)
		}
		if got := totalsOf(tree.Root()); len(got) != 1 || got[0].Text != "Montos demasiado grandes" {
			t.Errorf("%s: %v", text, got)
		}
	}
}
