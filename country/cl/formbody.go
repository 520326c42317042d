package cl

import (
	"fmt"
	"slices"
	"strings"

	"folio/country"
	"folio/events"
	"folio/money"
)

func columns(d events.Document, k kind) []country.Column {
	list := []country.Column{
		{Title: "Código", Width: 18}, {Title: "Descripción", Width: 70}, {Title: "Cantidad", Width: 16, Right: true},
		{Title: "Unidad", Width: 16}, {Title: "Precio unit.", Width: 22, Right: true},
		{Title: "Descuento", Width: 20, Right: true}, {Title: "Valor", Width: 24, Right: true},
	}
	if marked(d, k) {
		list = append(list, country.Column{Title: "Imp.", Width: 14})
	}
	return list
}

// rows are the items, one cell a column. In a boleta afecta the prices have IVA.
func rows(d events.Document, k kind) [][]string {
	places := decimals(d.Currency.Code)
	list := make([][]string, 0, len(d.Items))
	special := marked(d, k)
	for _, item := range d.Items {
		code, discount := "", ""
		if item.Code != nil {
			code = item.Code.Value
		}
		if !item.Discount.IsZero() {
			discount = printAmount(item.Discount, places)
		}
		unit, _ := country.Find(country.Units, item.UnitOfMeasure)
		cells := []string{code, item.Description, country.PrintNumber(item.Quantity.Trim()), unit.Name,
			country.PrintPrice(item.UnitPrice, places), discount, printAmount(amountOf(item, places), places)}
		if special {
			cells = append(cells, taxMark(item, k))
		}
		list = append(list, cells)
	}
	return list
}

// marked says that any line has something special to say; else there is no column for it.
func marked(d events.Document, k kind) bool {
	return slices.ContainsFunc(d.Items, func(i events.Item) bool { return taxMark(i, k) != "" })
}

// taxMark says what is special about a line: EX, NF, or SII's codes beside IVA.
func taxMark(item events.Item, k kind) string {
	var marks []string
	for _, t := range item.Taxes {
		switch known, _ := findTax(t.Type); {
		case known.name == exempt && k.taxed: // elsewhere all lines are
			marks = append(marks, "EX")
		case known.name == notInvoiceable:
			marks = append(marks, "NF")
		case known.isAdditional():
			marks = append(marks, known.code)
		}
	}
	return strings.Join(marks, " ")
}

// markMeanings says what the marks of lines mean; SII's codes have a row in the totals.
func markMeanings(d events.Document, k kind) string {
	var list []string
	for _, m := range [][2]string{{"EX", "exento"}, {"NF", "no facturable"}} {
		if slices.ContainsFunc(d.Items, func(i events.Item) bool { return strings.Contains(taxMark(i, k), m[0]) }) {
			list = append(list, m[0]+": "+m[1]+".")
		}
	}
	return strings.Join(list, " ")
}

// totalLines lead to the total. What is not invoiceable stands behind SII's total.
func totalLines(i country.Issued) []country.Label {
	d, a := i.Document, i.Taxes.Amounts
	places := decimals(d.Currency.Code)
	var list []country.Label
	add := func(caption string, amount money.Decimal) {
		list = append(list, country.Label{Caption: caption,
			Value: country.PrintMoney(symbol(d.Currency.Code), amount.Round(places))})
	}
	if s, ok := summed(d.Items, places); ok && s.discount.Less(d.Totals.Discount) {
		add("Subtotal", s.gross.Sub(s.discount))
		add("Descuento global", s.discount.Sub(d.Totals.Discount))
	}
	if !a.Net.IsZero() {
		add("Monto neto", a.Net)
	}
	if !a.Exempt.IsZero() {
		add("Monto exento", a.Exempt)
	}
	if !a.Tax.IsZero() {
		add("IVA 19%", a.Tax)
	}
	for _, r := range i.Taxes.Rates {
		if known, ok := findTax(r.Type); ok && known.isAdditional() {
			add(known.text+" "+country.PrintNumber(known.rate)+"%", r.Amount)
		}
	}
	if !a.Untaxed.IsZero() {
		add("Monto total", a.Total)
		add("Monto no facturable", a.Untaxed)
		add("Valor a pagar", d.Totals.Total)
	} else {
		add("Monto total", d.Totals.Total)
	}
	list[len(list)-1].Strong = true
	return list
}

// breakdown tells additional taxes by code when there are several.
func breakdown(i country.Issued) *country.Table {
	t := &country.Table{Columns: []country.Column{
		{Title: "Código", Width: 14}, {Title: "Base", Width: 24, Right: true}, {Title: "Tasa", Width: 16, Right: true},
		{Title: "Monto", Width: 24, Right: true}}}
	for _, r := range i.Taxes.Rates {
		if known, ok := findTax(r.Type); ok && known.isAdditional() {
			t.Rows = append(t.Rows, []string{known.code, printAmount(r.Base, 0), country.PrintNumber(known.rate) + "%",
				printAmount(r.Amount, 0)})
		}
	}
	if len(t.Rows) < 2 {
		return nil
	}
	return t
}

// notes are what the document says besides its lines: what it corrects and names, the
// currency, observations.
func notes(i country.Issued, k kind, h Header) []string {
	d := i.Document
	var list []string
	for n, r := range d.BillingReference {
		_, name, _ := referenceName(r.Type)
		text := fmt.Sprintf("Referencia %d: %s N° %s", n+1, name, folioOf(r))
		if r.Date != "" {
			text += " del " + printDay(r.Date)
		}
		if other := otherIssuer(r, d, i.Profile); other != "" {
			text += " de R.U.T. " + PrintRUT(other)
		}
		if why := country.ReasonTexts[r.ReasonCode]; why != "" {
			text += ". " + why
		}
		list = append(list, text+".")
	}
	if cur := d.Currency; cur.Code != localCurrency && cur.Code != "" {
		name, _ := country.Find(currencies, cur.Code)
		// Totals have at most 13 digits and rates 6, which the 19 of a decimal hold.
		pesos := d.Totals.Total.Mul(cur.Rate)
		list = append(list, fmt.Sprintf("Moneda: %s (%s). Tipo de cambio: $ %s. Total en pesos: $ %s.",
			name.Name, cur.Code, country.PrintNumber(cur.Rate.Trim()), printAmount(pesos, 0)))
	}
	if k.isReceipt() && !i.Taxes.Amounts.Tax.IsZero() {
		list = append(list, "El IVA incluido en esta boleta es de $ "+printAmount(i.Taxes.Amounts.Tax, 0)+".")
	}
	if meanings := markMeanings(d, k); meanings != "" {
		list = append(list, meanings)
	}
	if h.Seller != "" {
		list = append(list, "Vendedor: "+h.Seller+".")
	}
	if d.Observations != "" {
		list = append(list, d.Observations)
	}
	return list
}

// printAmount writes an amount as Chileans do, rounded: 1.234.567 or 1.234,50.
func printAmount(a money.Decimal, places int) string { return country.PrintNumber(a.Round(places)) }

// separator stands in the dates of a form: DD-MM-YYYY.
const separator = "-"

// printDay turns YYYY-MM-DD, with or without a time behind it, into DD-MM-YYYY.
func printDay(date string) string { return country.PrintDay(date, separator) }

// symbol stands before an amount: $ for pesos, the ISO code for the rest.
func symbol(currency string) string {
	if currency == localCurrency || currency == "" {
		return "$"
	}
	return currency
}
