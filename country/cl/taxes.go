package cl

import (
	"slices"
	"strings"

	"folio/money"
)

// The ways in which a line meets IVA; a line has exactly one.
const (
	iva            = "iva19"
	exempt         = "exempt"          // IndExe 1
	notInvoiceable = "not_invoiceable" // IndExe 2: counts in MontoNF, not in MntTotal
)

// lineTax is one tax that a line may have.
type lineTax struct {
	name string // Folio's type: iva19, or SII's code as text
	code string // SII's code; empty for exempt and not_invoiceable
	rate money.Decimal
	text string
	kept bool // a retention: the buyer pays it to the treasury, so it lessens the total
}

// isAdditional says that the tax stands beside IVA, in ImptoReten.
func (t lineTax) isAdditional() bool { return t.code != "" && t.name != iva }

// signed is an amount of this tax as the API writes it: retained ones are negative.
func (t lineTax) signed(amount money.Decimal) money.Decimal {
	if t.kept {
		return amount.Neg()
	}
	return amount
}

func added(code, rate, text string) lineTax {
	return lineTax{name: code, code: code, rate: money.MustParse(rate), text: text}
}

func retained(code, rate, text string) lineTax {
	t := added(code, rate, text)
	t.kept = true
	return t
}

// ivaRate is the one of DL 825, article 14.
var ivaRate = money.FromInt(19)

// lineTaxes are IVA, what is free of it, and SII's codes of additional and retained
// taxes with their rates (FMT, table of taxes). Those whose rate changes from week to
// week (fuels: 28, 35, 51) are not among them.
var lineTaxes = []lineTax{
	{name: iva, code: "14", rate: ivaRate, text: "IVA 19%"},
	{name: exempt, text: "Exento"},
	{name: notInvoiceable, text: "No facturable"},
	added("17", "5", "IVA anticipado faenamiento carne"),
	added("18", "5", "IVA anticipado carne"),
	added("19", "12", "IVA anticipado harina"),
	added("23", "15", "Impuesto adicional art. 37 letras a, b, c"),
	added("24", "31.5", "Impuesto art. 42 licores, piscos y destilados"),
	added("25", "20.5", "Impuesto art. 42 vinos"),
	added("26", "20.5", "Impuesto art. 42 cervezas y bebidas alcohólicas"),
	added("27", "10", "Impuesto art. 42 bebidas analcohólicas y minerales"),
	added("44", "15", "Impuesto adicional art. 37 letras e, h, i, l"),
	added("45", "50", "Impuesto adicional art. 37 letra j"),
	added("271", "18", "Impuesto art. 42 bebidas con elevado contenido de azúcares"),
	retained("15", "19", "IVA retenido total"),
	retained("30", "10", "IVA retenido legumbres"),
	retained("31", "19", "IVA retenido silvestre"),
	retained("32", "8", "IVA retenido ganado"),
	retained("33", "8", "IVA retenido madera"),
	retained("34", "4", "IVA retenido trigo"),
	retained("36", "10", "IVA retenido arroz"),
	retained("37", "10", "IVA retenido hidrobiológicas"),
	retained("38", "19", "IVA retenido chatarra"),
	retained("39", "19", "IVA retenido PPA"),
	retained("41", "19", "IVA retenido construcción"),
	retained("47", "19", "IVA retenido cartones"),
	retained("48", "14", "IVA retenido frambuesas y pasas"),
}

// findTax looks a type up in any case; 14, SII's code of IVA, is iva19.
func findTax(name string) (lineTax, bool) {
	i := slices.IndexFunc(lineTaxes, func(t lineTax) bool {
		return strings.EqualFold(t.name, name) || t.code != "" && t.code == name
	})
	if i < 0 {
		return lineTax{}, false
	}
	return lineTaxes[i], true
}

// taxOrder is the place in the table, so that what is told does not depend on the
// order in which a caller lists rows.
func taxOrder(name string) int {
	return slices.IndexFunc(lineTaxes, func(t lineTax) bool { return t.name == name })
}
