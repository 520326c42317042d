package dgi

import (
	"slices"
	"strings"

	"github.com/beevik/etree"

	"folio/money"
)

// nets are the totals that lines add up to, by their IndFact, with the rate inside of
// gross prices (Formato de CFE v25, A-C112 to A-C130).
var nets = []struct {
	name string
	of   []string
	rate money.Decimal
}{
	{"MntNoGrv", []string{"1", "16"}, money.Zero},
	{"MntExpoyAsim", []string{"10"}, money.Zero},
	{"MntImpuestoPerc", []string{"11"}, money.Zero},
	{"MntIVaenSusp", []string{"12", "13", "14", "15", "17"}, money.Zero},
	{"MntNetoIvaTasaMin", []string{"2"}, money.FromInt(10)},
	{"MntNetoIVATasaBasica", []string{"3"}, money.FromInt(22)},
	{"MntNetoIVAOtra", []string{"4"}, money.Zero},
}

// names of amounts in Totales.
var amountNames = []string{"MntNoGrv", "MntExpoyAsim", "MntImpuestoPerc", "MntIVaenSusp", "MntNetoIvaTasaMin",
	"MntNetoIVATasaBasica", "MntNetoIVAOtra",
	"MntIVATasaMin", "MntIVATasaBasica", "MntIVAOtra", "MntTotal", "MntTotRetenido", "MontoNF", "MntPagar"}

// amountAt is an amount below an element, zero when it is not there.
func amountAt(e *etree.Element, path string) money.Decimal {
	if found := e.FindElement(path); found != nil {
		if v, err := money.Parse(strings.TrimSpace(found.Text())); err == nil {
			return v
		}
	}
	return money.Zero
}

// amounts are those of Totales.
func (x *examination) amounts() map[string]money.Decimal {
	out := map[string]money.Decimal{}
	for _, name := range amountNames {
		out[name] = amountAt(x.d.body, "Encabezado/Totales/"+name)
	}
	return out
}

// totals makes the totals again from the lines (E05). Withholdings and e-Boletas de
// entrada are not made again, nor is IVA of another rate, which no rule gives.
func (x *examination) totals() {
	d := x.d.body
	if !slices.Contains([]string{"eTck", "eFact", "eFact_Exp", "eRem_Exp"}, d.Tag) {
		return
	}
	if !summable(d) {
		x.refuse("E05", "montos demasiado grandes")
		return
	}
	tolerance := x.Knobs().Tolerance
	wrong := func(where string, said, made money.Decimal) {
		if tolerance.Less(said.Sub(made).Abs()) {
			x.refuse("E05", "%s dice %s y es %s", where, said, made)
		}
	}
	sums := x.lines(wrong)
	x.global(sums)
	said, total := x.amounts(), money.Zero
	gross := x.d.at("Encabezado/IdDoc/MntBruto") == "1"
	for _, n := range nets {
		made := money.Zero
		for _, kind := range n.of {
			made = made.Add(sums[kind])
		}
		if gross {
			made = made.Quo(n.rate.Add(money.FromInt(100))).Mul(money.FromInt(100))
		}
		made = made.Round(2)
		wrong(n.name, said[n.name], made)
		total = total.Add(made)
	}
	minimum, basic := said["MntNetoIvaTasaMin"].Percent(money.FromInt(10)).Round(2),
		said["MntNetoIVATasaBasica"].Percent(money.FromInt(22)).Round(2)
	wrong("MntIVATasaMin", said["MntIVATasaMin"], minimum)
	wrong("MntIVATasaBasica", said["MntIVATasaBasica"], basic)
	total = money.Sum(total, minimum, basic, said["MntIVAOtra"])
	wrong("MntTotal", said["MntTotal"], total)
	if d.Tag == "eRem_Exp" {
		return
	}
	withheld := money.Zero
	for _, r := range d.FindElements("Encabezado/Totales/RetencPercep") {
		withheld = withheld.Add(amountAt(r, "ValRetPerc"))
	}
	wrong("MntTotRetenido", said["MntTotRetenido"], withheld)
	other := sums["6"].Sub(sums["7"]).Round(2)
	wrong("MontoNF", said["MontoNF"], other)
	pay := money.Sum(total, withheld, other)
	if pay.Sign() < 0 && said["MntPagar"].IsZero() {
		pay = money.Zero
	}
	wrong("MntPagar", said["MntPagar"], pay)
}

// maxDigits before the point are those of DGI's amounts (17.2), and leave room for a rate and
// for the sums of all lines.
const maxDigits = 15

// summable says that no amount of a document, no product of a line and no sum of its lines
// is too large for exact decimals.
func summable(d *etree.Element) bool {
	whole := func(e *etree.Element, path string) int { return amountAt(e, path).WholeDigits() }
	sum := money.Zero
	for _, item := range d.FindElements("Detalle/Item") {
		for _, name := range []string{"MontoItem", "DescuentoMonto", "RecargoMnt"} {
			if whole(item, name) > maxDigits {
				return false
			}
		}
		if whole(item, "Cantidad")+whole(item, "PrecioUnitario") > maxDigits+1 { // 1 × 15 digits are 15
			return false
		}
		if sum = sum.Add(amountAt(item, "MontoItem").Abs()); sum.WholeDigits() > maxDigits {
			return false
		}
	}
	for _, g := range d.FindElements("DscRcgGlobal/DRG_Item") {
		digits := maxDigits
		if textAt(g, "TpoDR") == "2" {
			digits = 3 // a percentage
		}
		if whole(g, "ValorDR") > digits {
			return false
		}
	}
	for _, path := range append([]string{"RetencPercep/ValRetPerc"}, amountNames...) {
		for _, e := range d.FindElements("Encabezado/Totales/" + path) {
			if whole(e, ".") > maxDigits {
				return false
			}
		}
	}
	return true
}

// lines makes each MontoItem again and sums them by IndFact.
func (x *examination) lines(wrong func(where string, said, made money.Decimal)) map[string]money.Decimal {
	sums := map[string]money.Decimal{}
	for _, item := range x.d.body.FindElements("Detalle/Item") {
		made := halfUp(amountAt(item, "Cantidad").Mul(amountAt(item, "PrecioUnitario")).Sub(
			amountAt(item, "DescuentoMonto")).Add(amountAt(item, "RecargoMnt")))
		said := amountAt(item, "MontoItem")
		kind := textAt(item, "IndFact")
		if kind == "5" {
			made = money.Zero // free delivery
		}
		wrong("MontoItem de la linea "+textAt(item, "NroLinDet"), said, made)
		switch {
		case x.d.body.Tag == "eRem_Exp" && kind == "":
			kind = "10" // lines of a remito are not told apart
		case kind == "8": // a line to subtract
			kind, said = "10", said.Neg()
		}
		sums[kind] = sums[kind].Add(said)
	}
	return sums
}

// halfUp rounds to cents as the format has it: half a cent goes up, also below zero. So a
// line of 0.565 with a discount of 0.57 comes to 0.00, and it is the same whether the
// discount, which has cents only, is taken off before or after.
func halfUp(v money.Decimal) money.Decimal {
	rounded := v.Round(2) // half away from zero
	if v.Sign() < 0 && v.Sub(rounded).Equal(money.MustParse("0.005")) {
		return rounded.Add(money.MustParse("0.01"))
	}
	return rounded
}

// global takes discounts and adds surcharges on the whole, of an amount or (TpoDR 2) of
// a percentage of the lines of their IndFact.
func (x *examination) global(sums map[string]money.Decimal) {
	changes := map[string]money.Decimal{}
	for _, g := range x.d.body.FindElements("DscRcgGlobal/DRG_Item") {
		kind, by := textAt(g, "IndFactDR"), amountAt(g, "ValorDR")
		if textAt(g, "TpoDR") == "2" {
			by = sums[kind].Percent(by).Round(2)
		}
		if textAt(g, "TpoMovDR") == "D" {
			by = by.Neg()
		}
		changes[kind] = changes[kind].Add(by)
	}
	for kind, by := range changes {
		sums[kind] = sums[kind].Add(by)
	}
}

func textAt(e *etree.Element, path string) string {
	if found := e.FindElement(path); found != nil {
		return strings.TrimSpace(found.Text())
	}
	return ""
}
