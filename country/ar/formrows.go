package ar

import (
	"folio/country"
	"folio/events"
	"folio/money"
)

// columns of the items. Class A shows net prices and the rate; B and C show what the
// consumer pays, and no VAT by line (RG 1415 annex II).
func columns(k kind) []country.Column {
	list := []country.Column{
		{Title: "Código", Width: 14}, {Title: "Producto / Servicio", Width: 58}, {Title: "Cantidad", Width: 14, Right: true},
		{Title: "U. medida", Width: 15}, {Title: "Precio unit.", Width: 20, Right: true},
		{Title: "Bonif.", Width: 16, Right: true}, {Title: "Subtotal", Width: 22, Right: true},
	}
	if k.letter == 'A' {
		list = append(list, country.Column{Title: "IVA", Width: 13, Right: true})
	}
	return list
}

// rows are the items, one cell a column.
func rows(d events.Document, k kind) [][]string {
	list := make([][]string, 0, len(d.Items))
	for _, item := range d.Items {
		shown := show(item, k)
		code := ""
		if item.Code != nil {
			code = item.Code.Value
		}
		unit, _ := country.Find(units, item.UnitOfMeasure)
		row := []string{code, item.Description, country.PrintNumber(item.Quantity.Trim()), unit.Name,
			printAmount(shown.price), printCents(shown.discount), printCents(shown.subtotal)}
		if k.letter == 'A' {
			row = append(row, rateText(item))
		}
		list = append(list, row)
	}
	return list
}

// carried are the subtotals of a document of several pages (RG 1415 annex II: "transporte").
func carried(d events.Document, k kind) *country.Carried {
	if len(d.Items) < 2 {
		return nil
	}
	c, sum := &country.Carried{Caption: "Transporte"}, money.Zero
	for _, item := range d.Items {
		sum = sum.Add(show(item, k).subtotal)
		c.After = append(c.After, printMoney(d.Currency.Code, sum))
	}
	return c
}

// shownLine is a line as it is printed.
type shownLine struct{ price, discount, subtotal money.Decimal }

// show adds the tax to a line of class B. Its subtotal has the tax that the caller
// gave, so that the lines come to the total; only when the caller took a discount on
// the whole document off that tax does it have the line's own.
func show(item events.Item, k kind) shownLine {
	l := measure(item)
	if k.letter != 'B' || l.tax.name == "" {
		return shownLine{price: item.UnitPrice, discount: l.discount, subtotal: l.net}
	}
	tax := l.amount
	if own := l.net.Percent(l.tax.rate); !inMargin(tax, own) {
		tax = own
	}
	return shownLine{
		price:    item.UnitPrice.Add(item.UnitPrice.Percent(l.tax.rate)).Round(4),
		discount: l.discount.Add(l.discount.Percent(l.tax.rate)),
		subtotal: l.net.Add(tax),
	}
}

// rateText is the rate of a line: 21%, Exento.
func rateText(item events.Item) string {
	l := measure(item)
	if l.tax.code == "" {
		return l.tax.text
	}
	return country.PrintNumber(l.tax.rate) + "%"
}
