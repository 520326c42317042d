package ar

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/text/encoding/charmap"

	"folio/country"
	"folio/money"
)

// The files of Libro IVA Digital, sales (RG 4597): one line of 266 characters a document, and
// one of 62 characters a rate. The layout is that of the record design of RG 3685, which the
// book took over; docs/argentina.md has each field with its sources and what is unverified.
const (
	salesFile = "cbte"
	ratesFile = "alicuotas"
)

// BookFiles implements country.BookFiler.
func (Rules) BookFiles() []string { return []string{salesFile, ratesFile} }

// BookLines implements country.BookFiler.
func (Rules) BookLines(file string, l country.BookLine) ([]byte, error) {
	w := &fixed{}
	switch file {
	case salesFile:
		w.sale(l)
	case ratesFile:
		for _, r := range ratesOf(l) {
			w.rate(l, r)
		}
	default:
		return nil, fmt.Errorf("there is no file %q", file)
	}
	return []byte(w.text.String()), w.err
}

// fixed writes fields of fixed width.
type fixed struct {
	text strings.Builder
	err  error
}

func (w *fixed) number(field string, width int, digits string) {
	if len(digits) > width || !country.AllDigits(digits) {
		w.fail(field, digits)
		digits = ""
	}
	w.text.WriteString(strings.Repeat("0", width-len(digits)) + digits)
}

func (w *fixed) fail(field, value string) {
	if w.err == nil {
		w.err = fmt.Errorf("%s %q does not fit into its field", field, value)
	}
}

// amount writes 13 digits and two decimals without a point.
func (w *fixed) amount(field string, a money.Exact) {
	w.number(field, 15, strings.Replace(a.Round(2).Fixed(2), ".", "", 1))
}

// words writes text of one byte a character, padded with spaces.
func (w *fixed) words(width int, text string) {
	raw := make([]byte, 0, width)
	for _, r := range country.CutLine(text, width) {
		b, ok := charmap.ISO8859_1.EncodeRune(r)
		if !ok {
			b = '?'
		}
		raw = append(raw, b)
	}
	w.text.Write(raw)
	w.text.WriteString(strings.Repeat(" ", width-len(raw)))
}

func (w *fixed) date(field, date string) {
	w.number(field, 8, strings.ReplaceAll(date, "-", ""))
}

func (w *fixed) sale(l country.BookLine) {
	docType, docNumber := DocTipo(l.RecipientType, l.RecipientNumber)
	currency, ok := MonID(l.Currency)
	if !ok {
		w.fail("the currency", l.Currency)
	}
	number := strconv.FormatInt(l.Number, 10)
	w.date("the date", l.Date)
	w.number("the type", 3, strconv.Itoa(l.OfficialCode))
	w.number("the point of sale", 5, strconv.Itoa(l.BranchOffice))
	w.number("the number", 20, number)
	w.number("the last number", 20, number)
	w.number("the recipient's document type", 2, strconv.Itoa(docType))
	w.number("the recipient's document", 20, strconv.FormatInt(docNumber, 10))
	w.words(30, buyer(l, docType))
	w.amount("the total", l.Total)
	w.amount("what is not taxed", l.Untaxed)
	w.amount("perceptions of who is not categorized", l.Others[uncategorizedIV])
	w.amount("what is exempt", l.Exempt)
	w.amount("national perceptions", l.Others["perc_iva"])
	w.amount("perceptions of gross income", l.Others["perc_iibb"])
	w.amount("municipal perceptions", l.Others["perc_mun"])
	w.amount("internal taxes", l.Others[internalTax])
	w.words(3, currency)
	w.number("the exchange rate", 10, strings.Replace(l.Rate.Round(6).Fixed(6), ".", "", 1))
	w.number("the number of rates", 1, strconv.Itoa(len(ratesOf(l))))
	w.words(1, operation(l))
	w.amount("other taxes", otherTaxes(l))
	w.due(l)
	w.text.WriteString("\r\n")
}

func (w *fixed) rate(l country.BookLine, r country.BookRate) {
	w.number("the type", 3, strconv.Itoa(l.OfficialCode))
	w.number("the point of sale", 5, strconv.Itoa(l.BranchOffice))
	w.number("the number", 20, strconv.FormatInt(l.Number, 10))
	w.amount("a base", r.Base)
	w.number("a rate", 4, r.Code)
	w.amount("a tax", r.Amount)
	w.text.WriteString("\r\n")
}

// otherTaxes are those without a field of their own.
func otherTaxes(l country.BookLine) money.Exact {
	left := l.Other
	for _, name := range []string{uncategorizedIV, "perc_iva", "perc_iibb", "perc_mun", internalTax} {
		left = left.Add(l.Others[name].Neg())
	}
	return left
}

// ratesOf are the rates of a document; one without any has the one of 0 percent, with nothing
// in it.
func ratesOf(l country.BookLine) []country.BookRate {
	if len(l.Rates) > 0 {
		return l.Rates
	}
	zero, _ := findLineTax("iva0")
	return []country.BookRate{{Code: zero.code}}
}

// operation is "Código de operación": why a document has no rate; blank for those that have
// (RG 3685, field 20).
func operation(l country.BookLine) string {
	k, _ := findKind(strconv.Itoa(l.OfficialCode))
	switch {
	case k.isExport():
		return "X"
	case len(l.Rates) > 0:
		return " "
	case !l.Exempt.IsZero():
		return "E"
	case !l.Untaxed.IsZero():
		return "N"
	}
	return " "
}

// buyer is the recipient's name; one who is not identified has the legend of RG 3685, field 8.
func buyer(l country.BookLine, docType int) string {
	if docType == docUnidentified {
		return "CONSUMIDOR FINAL"
	}
	return l.RecipientName
}

// due writes the due date, or the document's own where there is none; zeros for exports and
// credit invoices, of which it is not told.
func (w *fixed) due(l country.BookLine) {
	k, _ := findKind(strconv.Itoa(l.OfficialCode))
	if k.isExport() || k.fce {
		w.number("the due date", 8, "0")
		return
	}
	w.date("the due date", cmp.Or(l.Due, l.Date))
}
