package uy

import "folio/country"

var _ country.Signed = Rules{}

// SignedDocument is one CFE of an envelope, or of the e-Tickets that are only reported. It
// was signed before it was put there and so verifies alone; its signature names the
// certificate and does not hold it (XSD, KeyInfo).
func (Rules) SignedDocument(sent []byte, number int64) (country.SignedFile, error) {
	return country.Inside{Document: "CFE", Number: "Nro", Charset: "UTF-8"}.Cut(sent, number)
}
