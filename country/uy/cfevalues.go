package uy

import (
	"strconv"
	"strings"
	"unicode"

	"folio/country"
	"folio/events"
	"folio/money"
)

func (w cfeWriter) detalle() []cfeItem {
	lines := make([]cfeItem, 0, len(w.d.Items))
	for i, item := range w.d.Items {
		l := cfeItem{NroLinDet: i + 1, IndFact: indFact(item, w.k.Code),
			NomItem:  country.ShortName(plain(item.Description), maxItemName),
			Cantidad: item.Quantity.Trim().String(), UniMed: unitOf(item)}
		if full := told(item.Description, maxDescription); full != l.NomItem {
			l.DscItem = full
		}
		if code := item.Code; code != nil {
			l.CodItem = []cfeCodItem{{TpoCod: tpoCod(*code), Cod: told(code.Value, maxItemCode)}}
		}
		if w.k.Code != codeRemito {
			l.price(item)
		}
		lines = append(lines, l)
	}
	return lines
}

// price fills in the amounts of a line. A negative line is told without its sign: its
// indicator, 7, says that MontoNF takes it off (CFE25 A-C127).
func (l *cfeItem) price(item events.Item) {
	l.PrecioUnitario, l.MontoItem = item.UnitPrice.Abs().Trim().String(), cents(amountOf(item).Abs())
	if !item.Discount.IsZero() {
		l.DescuentoMonto = cents(item.Discount)
	}
}

func unitOf(item events.Item) string {
	if found, ok := country.Find(units, item.UnitOfMeasure); ok {
		return found.OfficialCode
	}
	return "N/A"
}

// descuentos are the parts of a discount on the whole by what they fall on. TpoDR 1 says
// that ValorDR is an amount (CFE25 D-C3).
func (w cfeWriter) descuentos() *cfeDescuentos {
	var list []cfeDescuento
	lines, _ := summed(w.d.Items)
	discounted := lines.discount.Less(w.d.Totals.Discount)
	for _, share := range sharesOf(w.d) {
		ind, _ := strconv.Atoi(share.tax.code)
		if IsExport(w.k.Code) && share.tax.name == exempt {
			ind = indExport
		}
		line := cfeDescuento{NroLinDR: len(list) + 1, TpoMovDR: "D", TpoDR: 1, GlosaDR: "Descuento global",
			ValorDR: cents(share.amount.Abs()), IndFactDR: ind}
		if share.amount.Sign() < 0 {
			line.TpoMovDR = "R"
		}
		if share.amount.Sign() < 0 || !discounted {
			line.GlosaDR = "Redondeo"
		}
		list = append(list, line)
	}
	if len(list) == 0 {
		return nil
	}
	return &cfeDescuentos{list}
}

// mediosPago says what is paid with, in words: DGI has no codes for it (CFE25 E-C2).
func (w cfeWriter) mediosPago() *cfeMediosPago {
	m := w.d.PaymentMethod
	if m == nil || IsRemito(w.k.Code) {
		return nil
	}
	return &cfeMediosPago{[]cfeMedioPago{{NroLinMP: 1, GlosaMP: told(country.PaymentText(paymentMethods, m), 100),
		ValorPago: cents(w.d.Totals.Total)}}}
}

func (w cfeWriter) referencias() *cfeReferencias {
	if len(w.d.BillingReference) == 0 {
		return nil
	}
	h, _ := ParseHeader(w.d.HeaderInfo)
	var list []cfeReferencia
	for i, r := range w.d.BillingReference {
		x := cfeReferencia{NroLinRef: i + 1, RazonRef: told(razonRef(r, h.PeriodReason), 90)}
		if isGlobal(r) {
			x.IndGlobal = 1
		} else {
			code, _, _ := referenceType(r.Type)
			x.TpoDocRef, x.Serie, x.NroCFERef, x.FechaCFEref = code, r.Series, r.Number, r.Date
			x.MntCFEref, x.TpoMonedaRef, x.TpoCambioRef = w.corrected(r)
		}
		list = append(list, x)
	}
	return &cfeReferencias{list}
}

// corrected is how much of a named document a note changes, at most all of it, in that
// document's currency, which is the note's own, and its rate where that is not pesos (CFE25 F-C8 to F-C10, since
// 25 of 2025-07-11). All are empty where the note does not say how much is for each of
// several, or where the rate of a document in another currency is not known.
func (w cfeWriter) corrected(r events.Reference) (amount, currency, rate string) {
	if !w.k.IsNote() {
		return "", "", ""
	}
	currency = w.d.Currency.Code
	switch {
	case currency != localCurrency && r.Rate == nil:
		return "", "", ""
	case currency != localCurrency:
		rate = r.Rate.Round(3).String()
	}
	sum := w.d.Totals.Total
	switch {
	case r.Amount != nil:
		sum = *r.Amount
	case len(w.d.BillingReference) > 1:
		return "", "", ""
	}
	if r.Total != nil && r.Total.Less(sum) { // a debit note may add more than all of it
		sum = *r.Total
	}
	return cents(sum), currency, rate
}

// totales are the sums by indicator (CFE25 A-C110 to A-C130). Those that are nothing are
// told as 0, with both rates, as DGI's own examples do.
func (w cfeWriter) totales() cfeTotales {
	t := cfeTotales{CantLinDet: len(w.d.Items)}
	if w.k.Code == codeRemito {
		return t
	}
	s := sumsOf(w.d)
	t.TpoMoneda, t.MntTotal = w.d.Currency.Code, cents(s.total())
	if w.d.Currency.Code != localCurrency {
		t.TpoCambio = w.d.Currency.Rate.Round(3).String()
	}
	switch {
	case IsExport(w.k.Code):
		t.MntExpoyAsim = cents(s.exempt)
	default:
		t.MntNoGrv, t.MntExpoyAsim, t.MntImpuestoPerc, t.MntIVaenSusp = cents(s.exempt), nothing, nothing, nothing
		t.MntNetoIvaTasaMin, t.MntNetoIVATasaBasica, t.MntNetoIVAOtra = cents(s.minimum), cents(s.basic), nothing
		t.IVATasaMin, t.IVATasaBasica = "10.000", "22.000"
		t.MntIVATasaMin, t.MntIVATasaBasica, t.MntIVAOtra = cents(s.minimumTax), cents(s.basicTax), nothing
	}
	if w.k.Code != codeExportRemito {
		t.MontoNF, t.MntPagar = cents(s.notInvoiceable), cents(s.payable())
	}
	return t
}

const nothing = "0.00"

// cfeSums are the rows of a checked document's totals by what DGI calls them.
type cfeSums struct {
	exempt, minimum, basic, minimumTax, basicTax, notInvoiceable money.Decimal
}

func sumsOf(d events.Document) cfeSums {
	var s cfeSums
	for _, row := range d.Totals.Taxes {
		switch row.Type {
		case exempt, smallIssuer:
			s.exempt = s.exempt.Add(row.BaseAmount)
		case minimumRate:
			s.minimum, s.minimumTax = s.minimum.Add(row.BaseAmount), s.minimumTax.Add(row.Amount)
		case basicRate:
			s.basic, s.basicTax = s.basic.Add(row.BaseAmount), s.basicTax.Add(row.Amount)
		case notInvoiceable:
			s.notInvoiceable = s.notInvoiceable.Add(row.BaseAmount)
		}
	}
	return s
}

// total is MntTotal.
func (s cfeSums) total() money.Decimal {
	return money.Sum(s.exempt, s.minimum, s.basic, s.minimumTax, s.basicTax)
}

// payable is MntPagar.
func (s cfeSums) payable() money.Decimal { return s.total().Add(s.notInvoiceable) }

// told is a text as DGI gets it: on one line, without what XML cannot hold, at most so
// many characters. What comes from a caller was bounded by Check; this makes it certain.
func told(text string, limit int) string {
	return country.CutLine(plain(text), limit)
}

// plain leaves out control characters and what XML 1.0 has no place for; the white among
// them stays.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && !unicode.IsSpace(r) || r == 0xfffe || r == 0xffff {
			return -1
		}
		return r
	}, text)
}

// separator stands in the dates of a form: DD/MM/YYYY.
const separator = "/"

// printDay turns YYYY-MM-DD, with or without a time behind it, into DD/MM/YYYY.
func printDay(date string) string { return country.PrintDay(date, separator) }
