package sii

import (
	"fmt"
	"slices"
	"strings"

	"github.com/beevik/etree"

	"folio/money"
)

// keptTaxes are the codes of ImptoReten that the buyer retains, so that they lessen the
// total ("Formato DTE", table of taxes).
var keptTaxes = []string{"15", "30", "31", "32", "33", "34", "36", "37", "38", "39", "41", "47", "48"}

// part is what the lines of one IndExe come to, before and after discounts on the whole.
type part struct{ lines, left money.Decimal }

// totalsOf makes the totals again from the lines, and says where a document has others. That
// SII refuses such a document, and does not only remark on it, is not verified.
func totalsOf(body *etree.Element) (wrong []remark) {
	if !summable(body) {
		return []remark{{"TOT-3-500", "Montos demasiado grandes"}}
	}
	said := func(path string) money.Decimal { return amountAt(body, path) }
	kind := textAt(body, "Encabezado/IdDoc/TipoDTE")
	differ := func(what string, said, made money.Decimal) {
		if !said.Equal(made) {
			wrong = append(wrong, remark{"TOT-3-500", fmt.Sprintf("%s dice %s y es %s", what, said, made)})
		}
	}
	places := 0
	if currency := textAt(body, "Encabezado/Totales/TpoMoneda"); currency != "" && currency != "PESO CL" &&
		currency != "YEN" {
		places = 2
	}
	parts, bases := lineParts(body, places, differ)
	for _, d := range body.FindElements("DscRcgGlobal") {
		by := amountAt(d, "ValorDR")
		if textAt(d, "TpoMov") == "D" {
			by = by.Neg()
		}
		p := parts[textAt(d, "IndExeDR")]
		p.left = p.left.Add(by)
		parts[textAt(d, "IndExeDR")] = p
	}
	totals := "Encabezado/Totales/"
	taxed, exempt := parts[""], parts["1"].left
	if slices.Contains([]string{"110", "111", "112"}, kind) { // all of an export is exempt
		taxed, exempt = part{}, exempt.Add(taxed.left)
	}
	net, tax := taxed.left, taxed.left.Mul(money.MustParse("0.19")).Round(0)
	if kind == "39" { // prices have IVA in them
		net = taxed.left.Quo(money.MustParse("1.19")).Round(0)
		tax = taxed.left.Sub(net)
	}
	differ("MntNeto", said(totals+"MntNeto"), net)
	differ("IVA", said(totals+"IVA"), tax)
	differ("MntExe", said(totals+"MntExe"), exempt)
	differ("MontoNF", said(totals+"MontoNF"), parts["2"].left)
	total := money.Sum(net, tax, exempt)
	for _, t := range body.FindElements(totals + "ImptoReten") {
		amount := amountAt(t, "MontoImp")
		wrong = append(wrong, additional(t, amount, bases[textAt(t, "TipoImp")], taxed)...)
		if slices.Contains(keptTaxes, textAt(t, "TipoImp")) {
			amount = amount.Neg()
		}
		total = total.Add(amount)
	}
	differ("MntTotal", said(totals+"MntTotal"), total)
	return wrong
}

// maxDigits before the point leave room for the sums of a thousand lines.
const maxDigits = 15

// summable says that no amount, and no product of a line, is too large for exact decimals.
func summable(body *etree.Element) bool {
	for _, path := range []string{"Detalle/MontoItem", "Detalle/DescuentoMonto", "DscRcgGlobal/ValorDR",
		"Encabezado/Totales/ImptoReten/MontoImp", "Encabezado/Totales/ImptoReten/TasaImp"} {
		for _, e := range body.FindElements(path) {
			if amountAt(e, ".").WholeDigits() > maxDigits || strings.HasSuffix(path, "TasaImp") &&
				amountAt(e, ".").WholeDigits() > 3 {
				return false
			}
		}
	}
	return !slices.ContainsFunc(body.FindElements("Detalle"), func(l *etree.Element) bool {
		return amountAt(l, "QtyItem").WholeDigits()+amountAt(l, "PrcItem").WholeDigits() > maxDigits
	})
}

// lineParts makes each MontoItem again, and sums them by IndExe and by additional tax.
func lineParts(body *etree.Element, places int,
	differ func(string, money.Decimal, money.Decimal)) (map[string]part, map[string]money.Decimal) {
	parts, bases := map[string]part{}, map[string]money.Decimal{}
	for _, l := range body.FindElements("Detalle") {
		amount := amountAt(l, "MontoItem")
		made := amountAt(l, "QtyItem").Mul(amountAt(l, "PrcItem")).Round(places).Sub(amountAt(l, "DescuentoMonto"))
		differ("MontoItem de la linea "+textAt(l, "NroLinDet"), amount, made)
		p := parts[textAt(l, "IndExe")]
		parts[textAt(l, "IndExe")] = part{p.lines.Add(amount), p.left.Add(amount)}
		for _, code := range l.SelectElements("CodImpAdic") {
			bases[code.Text()] = bases[code.Text()].Add(amount)
		}
	}
	return parts, bases
}

// additional compares a tax beside IVA with its lines. How much of a discount on the whole
// falls on them the document does not say: anything from none to all of what falls on the
// taxed lines is right, but no more is left of them than of all taxed lines.
func additional(t *etree.Element, amount, lines money.Decimal, taxed part) []remark {
	rate, discount := amountAt(t, "TasaImp"), taxed.lines.Sub(taxed.left)
	least, most := lines.Sub(discount), lines
	if least.Sign() < 0 {
		least = money.Zero
	}
	if taxed.left.Less(most) {
		most = taxed.left
	}
	if amount.Less(least.Percent(rate).Round(0)) || most.Percent(rate).Round(0).Less(amount) {
		return []remark{{"TOT-3-500", fmt.Sprintf("MontoImp %s dice %s y es el %s %% de %s", textAt(t, "TipoImp"), amount,
			rate, lines)}}
	}
	return nil
}

func textAt(e *etree.Element, path string) string {
	if found := e.FindElement(path); found != nil {
		return strings.TrimSpace(found.Text())
	}
	return ""
}

// amountAt is an amount below an element, zero when it is not there.
func amountAt(e *etree.Element, path string) money.Decimal {
	v, err := money.Parse(textAt(e, path))
	if err != nil {
		return money.Zero
	}
	return v
}
