package uy

import (
	"folio/country"
	"folio/events"
	"folio/money"
)

func columns(k kind, h Header) []country.Column {
	list := []country.Column{
		{Title: "Código", Width: 18}, {Title: "Descripción", Width: 70}, {Title: "Cantidad", Width: 18, Right: true},
		{Title: "Unidad", Width: 18},
	}
	if k.Code == codeRemito {
		return list
	}
	list = append(list, country.Column{Title: "Precio unit.", Width: 22, Right: true},
		country.Column{Title: "Descuento", Width: 20, Right: true},
		country.Column{Title: "Importe", Width: 24, Right: true})
	if k.taxed() && !regimeOf(h.Issuer).small() {
		list = append(list, country.Column{Title: "IVA", Width: 16, Right: true})
	}
	return list
}

// rows are the items, one cell a column.
func rows(d events.Document, k kind, h Header) [][]string {
	list := make([][]string, 0, len(d.Items))
	for _, item := range d.Items {
		code, discount := "", ""
		if item.Code != nil {
			code = item.Code.Value
		}
		if !item.Discount.IsZero() {
			discount = printAmount(item.Discount)
		}
		unit, _ := country.Find(units, item.UnitOfMeasure)
		if unit.OfficialCode == "N/A" {
			unit.Name = ""
		}
		cells := []string{code, item.Description, country.PrintNumber(item.Quantity.Trim()), unit.Name}
		if k.Code != codeRemito {
			cells = append(cells, country.PrintPrice(item.UnitPrice, places), discount, printAmount(amountOf(item)))
		}
		if k.taxed() && !regimeOf(h.Issuer).small() {
			cells = append(cells, taxMark(item))
		}
		list = append(list, cells)
	}
	return list
}

// taxMark is how a line meets IVA: its rate, or why there is none.
func taxMark(item events.Item) string {
	switch t, ok := lineTaxOf(item); {
	case !ok:
		return ""
	case item.UnitPrice.IsZero():
		return "Sin cargo"
	case t.name == exempt:
		return "Exento"
	case t.name == notInvoiceable:
		return "No fact."
	default:
		return country.PrintNumber(t.rate) + " %"
	}
}

// totalLines lead to the total; what is not invoiceable stands behind MntTotal.
func totalLines(i country.Issued, k kind) []country.Label {
	if k.Code == codeRemito {
		return nil
	}
	d, s := i.Document, sumsOf(i.Document)
	var list []country.Label
	add := func(caption string, amount money.Decimal) {
		list = append(list, country.Label{Caption: caption,
			Value: country.PrintMoney(symbol(d.Currency.Code), amount.Round(places))})
	}
	some := func(caption string, amount money.Decimal) {
		if !amount.IsZero() {
			add(caption, amount)
		}
	}
	if lines, ok := summed(d.Items); ok && lines.discount.Less(d.Totals.Discount) {
		add("Subtotal", lines.gross.Sub(lines.discount))
		add("Descuento global", lines.discount.Sub(d.Totals.Discount))
	}
	some("Redondeo", roundingTold(d))
	if IsExport(k.Code) {
		some("Exportación y asimiladas", s.exempt)
	} else {
		some("No gravado", s.exempt)
	}
	some("Neto IVA tasa mínima", s.minimum)
	some("Neto IVA tasa básica", s.basic)
	some("IVA tasa mínima (10 %)", s.minimumTax)
	some("IVA tasa básica (22 %)", s.basicTax)
	if !s.notInvoiceable.IsZero() {
		add("Monto total", s.total())
		add("Monto no facturable", s.notInvoiceable)
	}
	caption := "Total a pagar"
	if IsRemito(k.Code) {
		caption = "Valor total"
	}
	add(caption, d.Totals.Total)
	list[len(list)-1].Strong = true
	return list
}

// roundingTold is what the caller's rounding adds to the rounded lines, so that the lines
// on paper lead to the total.
func roundingTold(d events.Document) money.Decimal {
	lines, ok := summed(d.Items)
	shares := sharesOf(d)
	if !ok || len(shares) == 0 {
		return money.Zero
	}
	off := money.Sum(country.Collect(shares, func(x share) money.Decimal { return x.amount })...)
	return d.Totals.Discount.Sub(lines.discount).Sub(off)
}

// printAmount writes an amount with its cents: 1.234,50.
func printAmount(a money.Decimal) string { return country.PrintNumber(a.Round(places)) }

// symbol stands before an amount: $ for pesos, U$S for dollars, the code for the rest.
func symbol(currency string) string {
	switch currency {
	case localCurrency, "":
		return "$"
	case "USD":
		return "U$S"
	}
	return currency
}
