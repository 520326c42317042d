package pdf

import (
	"fmt"

	"folio/country"
)

// Render draws the form on A4 pages and returns the PDF.
//
// It is a pure function: the same form and logo give the same bytes, today and on
// any machine, and it may be called concurrently. The form's Created is the PDF's
// creation date (UTC). The logo is what NormaliseLogo returned, or nil for none.
//
// Nothing of the form is left out. Text is broken into lines and pages as long as it
// takes; a character that no typeface here has is printed as its code, "[U+1F600]".
// Texts in Latin-1 and its relatives are set in the Helvetica that every reader has;
// any other Latin, Greek, Cyrillic or Hebrew letter makes the document carry the
// letters it uses of Liberation Sans.
//
// It refuses a logo that is neither an 8-bit PNG nor a JPEG, and a QR text or stamp
// that is longer than its code can hold; any other form is printed.
func Render(f country.Form, logo []byte) ([]byte, error) {
	f, face := prepare(f)
	image, err := readLogo(logo)
	if err != nil {
		return nil, fmt.Errorf("read the logo: %w", err)
	}
	code, err := encodeQR(f.QR)
	if err != nil {
		return nil, fmt.Errorf("encode the QR code: %w", err)
	}
	bars, err := encodePDF417(stampBytes(f.Stamp))
	if err != nil {
		return nil, fmt.Errorf("encode the stamp: %w", err)
	}
	l := &layout{form: f, face: face, logo: image, code: code, bars: bars}
	l.compose()
	l.composeSecond()
	out, err := paint(l)
	if err != nil {
		return nil, fmt.Errorf("paint the document: %w", err)
	}
	return out, nil
}
