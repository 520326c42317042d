package cl

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"time"

	"folio/country"
	"folio/events"
	"folio/money"
)

const (
	stampName   = 40 // characters of RSR and IT1
	stampLayout = "2006-01-02T15:04:05"
)

// Stamp is the timbre electrónico (TED) of a checked document under its number: the
// element that goes into the DTE and, byte for byte, into the barcode of the printed
// form. It is ISO-8859-1 without white between tags (FMT, annex 2). At is the moment
// of stamping; it is written in Chilean time.
//
// It is a pure function: the same arguments give the same bytes. It refuses a number
// outside the CAF, a document of another type or issuer, and texts that ISO-8859-1
// cannot write.
func Stamp(d events.Document, number int64, s Signer, at time.Time) ([]byte, error) {
	issuer, err := ParseRUT(d.Issuer.DocumentNumber)
	switch {
	case err != nil:
		return nil, fmt.Errorf("stamp the document: issuer: %w", err)
	case issuer != s.RUT:
		return nil, fmt.Errorf("stamp the document: the CAF is of %s, the document of %s", s.RUT, issuer)
	case d.OfficialCode != s.Type:
		return nil, fmt.Errorf("stamp the document: the CAF is for type %d, the document is a %d", s.Type, d.OfficialCode)
	case number < s.From || number > s.To:
		return nil, fmt.Errorf("stamp the document: %d is not in the CAF's %d to %d", number, s.From, s.To)
	case len(d.Items) == 0 || len(d.Date) < len(time.DateOnly):
		return nil, errors.New("stamp the document: it has no items or no date")
	}
	name, err := ToLatin1(escape(country.Cut(line(recipientName(d)), stampName)))
	if err != nil {
		return nil, fmt.Errorf("stamp the document: recipient: %w", err)
	}
	item, err := ToLatin1(escape(country.Cut(line(itemName(d.Items[0].Description)), stampName)))
	if err != nil {
		return nil, fmt.Errorf("stamp the document: first item: %w", err)
	}
	var dd bytes.Buffer
	fmt.Fprintf(&dd, "<DD><RE>%s</RE><TD>%d</TD><F>%d</F><FE>%s</FE><RR>%s</RR><RSR>%s</RSR><MNT>%s</MNT><IT1>%s</IT1>%s<TSTED>%s</TSTED></DD>",
		s.RUT, s.Type, number, d.Date[:len(time.DateOnly)], recipientRUT(d), name, stampTotal(d), item, s.Element,
		at.In(LocationOf(d)).Format(stampLayout))
	signature := base64.StdEncoding.EncodeToString(s.Private.Sign(dd.Bytes()))
	return []byte(`<TED version="1.0">` + dd.String() + `<FRMT algoritmo="SHA1withRSA">` + signature + `</FRMT></TED>`),
		nil
}

// stampTotal is MntTotal. In exports the schema lets the stamp have decimals.
func stampTotal(d events.Document) string { return totalOf(d).Trim().String() }

// totalOf is MntTotal of a document: totals.total without what is not invoiceable,
// which SII counts in MontoNF.
func totalOf(d events.Document) money.Decimal {
	total := d.Totals.Total
	for _, row := range d.Totals.Taxes {
		if row.Type == notInvoiceable {
			total = total.Sub(row.BaseAmount)
		}
	}
	return total
}

// recipientRUT is RUTRecep: the recipient's, SII's for foreigners who have none, or the one
// of who is not named. A passport never leaves as the last.
func recipientRUT(d events.Document) string {
	p := identified(d.Recipient)
	switch {
	case IsExport(d.OfficialCode) || isForeign(p):
		return ForeignRUT
	case p.DocumentNumber != "":
		return p.DocumentNumber
	}
	return UnnamedRUT
}

// unnamed is printed and stamped where a boleta names no buyer: RSR may not be empty.
const unnamed = "Consumidor final"

func recipientName(d events.Document) string {
	if country.Blank(d.Recipient.LegalName) {
		return unnamed
	}
	return strings.TrimSpace(d.Recipient.LegalName)
}

// escape writes & < > as references; quotes need none between tags.
func escape(text string) string { return escapes.Replace(text) }

var escapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
