package pdf

import (
	"fmt"

	"folio/country"
	"folio/fault"
)

// MaxPages is the most pages of one document, all copies together.
const MaxPages = 400

// Render draws the form on A4 pages and returns the PDF.
//
// It is a pure function: the same form and logo give the same bytes, today and on
// any machine, and it may be called concurrently. The form's Created is the PDF's
// creation date (UTC). The logo is what NormaliseLogo returned, or nil for none.
//
// No word of the form is left out. Text is broken into lines and pages as long as it
// takes, MaxPages at most; line ends beyond the thousandth are printed as spaces; a character that no typeface here
// has is printed as its code, "[U+1F600]".
// Texts in Latin-1 and its relatives are set in the Helvetica that every reader has;
// any other Latin, Greek, Cyrillic or Hebrew letter makes the document carry the
// letters it uses of Liberation Sans.
//
// It refuses a logo that is neither an 8-bit PNG nor a JPEG, and a QR text or stamp
// that is longer than its code can hold, and a form that takes more than MaxPages (a
// fault); any other form is printed.
func Render(f country.Form, logo []byte) ([]byte, error) {
	return printed(f, logo, medium{(*layout).compose, maxColumns})
}

// Ticket draws the form on a roll of 80 mm, of which a printer reaches the middle 72: all
// that Render shows, with the same promises and refusals, texts in black only. A copy is
// one page, as long as what it holds, with two bounds: the 5 m that a page of a PDF may
// have (ISO 32000-1, annex C), and the 35.6 cm that DGI allows in Uruguay, where a page has
// 15 cm at least too. What is longer goes on, on a further page. MaxRoll is the most of all
// pages together.
func Ticket(f country.Form, logo []byte) ([]byte, error) {
	return printed(f, logo, medium{(*layout).composeRoll, rollColumns})
}

// medium is what a form is drawn for: how its sheets are made, and how many columns its
// PDF417 code may have.
type medium struct {
	compose func(*layout)
	columns int
}

// printed draws a form for its medium.
func printed(f country.Form, logo []byte, on medium) ([]byte, error) {
	f, face := prepare(f)
	image, err := readLogo(logo)
	if err != nil {
		return nil, fmt.Errorf("read the logo: %w", err)
	}
	code, err := encodeQR(f.QR)
	if err != nil {
		return nil, fmt.Errorf("encode the QR code: %w", err)
	}
	bars, err := encodePDF417(stampBytes(f.Stamp), on.columns)
	if err != nil {
		return nil, fmt.Errorf("encode the stamp: %w", err)
	}
	l := &layout{form: f, face: face, logo: image, code: code, bars: bars}
	on.compose(l)
	l.composeSecond(on.compose)
	if long := l.rolled(); long > MaxRoll {
		return nil, fault.New(fault.Conflict, "DOCUMENT_TOO_LONG", fmt.Sprintf(
			"The ticket would be %d m long, and at most %d m are printed. Download the A4 document instead.",
			int(long/1000), int(MaxRoll/1000)))
	}
	if len(l.sheets) > MaxPages {
		return nil, fault.New(fault.Conflict, "DOCUMENT_TOO_LONG", fmt.Sprintf(
			"The document would take %d pages, and at most %d are printed. Its record has everything: read the invoice instead.",
			len(l.sheets), MaxPages))
	}
	out, err := paint(l)
	if err != nil {
		return nil, fmt.Errorf("paint the document: %w", err)
	}
	return out, nil
}
