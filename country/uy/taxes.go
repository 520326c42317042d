package uy

import (
	"slices"
	"strings"

	"folio/country"
	"folio/events"
	"folio/money"
)

// The ways in which a line meets IVA; a line has exactly one.
const (
	basicRate      = "iva22"
	minimumRate    = "iva10"
	exempt         = "exempt"          // of an export: exportación y asimiladas
	notInvoiceable = "not_invoiceable" // counts in MontoNF, not in MntTotal
	smallIssuer    = "iva_minimo"      // sold by a company of IVA mínimo or monotributo: see regime
)

// The indicators of CFE25 B-C4 (IndFact) that Folio's lines can have.
const (
	indExempt                 = 1
	indMinimum                = 2
	indBasic                  = 3
	indFree                   = 5 // free delivery: price 0
	indNotInvoiceable         = 6
	indNotInvoiceableNegative = 7
	indExport                 = 10
	indSmallIssuer            = 16
)

// lineTax is one way of meeting IVA.
type lineTax struct {
	name string
	code string // IndFact
	rate money.Decimal
	text string
}

// lineTaxes: the rates are those of XSD TasaIVAType, 10 and 22 percent.
var lineTaxes = []lineTax{
	{basicRate, "3", money.FromInt(22), "IVA tasa básica 22 %"},
	{minimumRate, "2", money.FromInt(10), "IVA tasa mínima 10 %"},
	{exempt, "1", money.Zero, "Exento de IVA; en una exportación, exportación y asimiladas"},
	{notInvoiceable, "6", money.Zero, "No facturable"},
	{smallIssuer, "16", money.Zero, "Vendido por contribuyente de IVA mínimo, Monotributo o Monotributo Social MIDES"},
}

// findTax looks a type up in any case; iva0 is exempt.
func findTax(name string) (lineTax, bool) {
	if strings.EqualFold(name, "iva0") {
		name = exempt
	}
	i := slices.IndexFunc(lineTaxes, func(t lineTax) bool { return strings.EqualFold(t.name, name) })
	if i < 0 {
		return lineTax{}, false
	}
	return lineTaxes[i], true
}

// taxOrder is the place in the table, so that what is told does not depend on the order
// in which a caller lists rows.
func taxOrder(name string) int {
	return slices.IndexFunc(lineTaxes, func(t lineTax) bool { return t.name == name })
}

// lineTaxOf is how a checked line meets IVA; false when it says nothing, as the lines of
// an e-Remito.
func lineTaxOf(i events.Item) (lineTax, bool) {
	if len(i.Taxes) == 0 {
		return lineTax{}, false
	}
	return findTax(i.Taxes[0].Type)
}

// indFact is IndFact of a checked line (CFE25 B-C4); 0 when the element is left out, as
// remitos do for all that has a price.
func indFact(i events.Item, code int) int {
	t, ok := lineTaxOf(i)
	switch {
	case code == codeRemito:
		return 0
	case i.UnitPrice.IsZero():
		return indFree
	case code == codeExportRemito || !ok:
		return 0
	case t.name == notInvoiceable && i.UnitPrice.Sign() < 0:
		return indNotInvoiceableNegative
	case t.name == notInvoiceable:
		return indNotInvoiceable
	case IsExport(code):
		return indExport
	case t.name == basicRate:
		return indBasic
	case t.name == minimumRate:
		return indMinimum
	case t.name == smallIssuer:
		return indSmallIssuer
	}
	return indExempt
}

// taxTypeList is built once: it is looked up for every document.
var taxTypeList = country.Collect(lineTaxes, lineTax.catalogued)

func (t lineTax) catalogued() country.Catalogued {
	return country.Catalogued{Code: t.name, OfficialCode: t.code, Name: t.text}
}
