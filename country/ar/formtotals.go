package ar

import (
	"cmp"

	"folio/country"
	"folio/events"
	"folio/money"
)

// totalLines lead to the total: class A tells net, untaxed, exempt and VAT apart; B
// and C start from a subtotal that has everything but tributos in it.
func totalLines(i country.Issued, k kind) []country.Label {
	d, a := i.Document, i.Taxes.Amounts
	var list []country.Label
	add := func(caption string, amount money.Decimal) {
		list = append(list, country.Label{Caption: caption, Value: printMoney(d.Currency.Code, amount)})
	}
	if k.letter == 'A' {
		if !d.Totals.Discount.IsZero() {
			add("Subtotal", d.Totals.SubTotal)
			add("Bonificaciones", d.Totals.Discount.Neg())
		}
		add("Importe neto gravado", a.Net)
		if !a.Untaxed.IsZero() {
			add("Importe no gravado", a.Untaxed)
		}
		if !a.Exempt.IsZero() {
			add("Importe exento", a.Exempt)
		}
		for _, r := range i.Taxes.Rates {
			add("IVA "+country.PrintNumber(r.Rate.Trim())+"%", r.Amount)
		}
	} else {
		subtotal, discount := grossSubtotal(d, k, a.Total.Sub(a.Other))
		add("Subtotal", subtotal)
		if !discount.IsZero() {
			add("Descuento general", discount.Neg())
		}
	}
	for _, g := range d.GlobalTaxes {
		add(globalText(g), g.Amount)
	}
	add("Importe total", d.Totals.Total)
	list[len(list)-1].Strong = true
	return list
}

// grossSubtotal is what the lines of class B and C come to and what a discount on the
// whole document takes off to reach net, the total without tributos.
func grossSubtotal(d events.Document, k kind, net money.Decimal) (subtotal, discount money.Decimal) {
	s, ok := summed(d.Items)
	if !ok || s.whole(d.Totals.Discount).Cmp(slack(s.odd)) <= 0 {
		return net, money.Zero
	}
	for _, item := range d.Items {
		subtotal = subtotal.Add(show(item, k).subtotal)
	}
	subtotal = subtotal.Round(2)
	return subtotal, subtotal.Sub(net)
}

func globalText(g events.GlobalTax) string {
	known, _ := country.Find(globalTaxes, g.Type)
	return cmp.Or(g.Description, known.Name)
}

// breakdown is the table of VAT by rate of class A.
func breakdown(i country.Issued, k kind) *country.Table {
	if k.letter != 'A' || len(i.Taxes.Rates) == 0 {
		return nil
	}
	t := &country.Table{Columns: []country.Column{
		{Title: "Alícuota", Width: 24}, {Title: "Neto gravado", Width: 26, Right: true},
		{Title: "Importe IVA", Width: 26, Right: true}}}
	for _, r := range i.Taxes.Rates {
		t.Rows = append(t.Rows, []string{"IVA " + country.PrintNumber(r.Rate.Trim()) + "%", printCents(r.Base),
			printCents(r.Amount)})
	}
	return t
}

// transparency is the block that Law 27.743 (RG 5614) wants on sales to consumers and
// exempt recipients, class B: the VAT and the indirect national taxes in the price.
// CABA, Entre Ríos and Chubut want their gross income perception there too
// (AGIP 169/2026, ATER 128/2026, ARECH 468/2026).
func transparency(i country.Issued, k kind) *country.Block {
	if k.letter != 'B' {
		return nil
	}
	currency, national := i.Document.Currency.Code, money.Zero
	var perceptions []country.Label
	for _, g := range i.Document.GlobalTaxes {
		switch g.Type {
		case nationalTax, internalTax:
			national = national.Add(g.Amount)
		case "perc_iibb":
			perceptions = append(perceptions, country.Label{Caption: globalText(g), Value: printMoney(currency, g.Amount)})
		}
	}
	return &country.Block{Title: "Régimen de Transparencia Fiscal al Consumidor (Ley 27.743)",
		Lines: append([]country.Label{
			{Caption: "IVA Contenido", Value: printMoney(currency, i.Taxes.Amounts.Tax)},
			{Caption: "Otros Impuestos Nacionales Indirectos", Value: printMoney(currency, national)},
		}, perceptions...)}
}
