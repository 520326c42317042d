package cl

import "folio/country"

var _ country.Signed = Rules{}

// SignedDocument is the DTE, in ISO-8859-1 as SII wants all its documents (FMT). It was
// signed before it was put in its envelope and so verifies without it.
func (Rules) SignedDocument(sent []byte, folio int64) (country.SignedFile, error) {
	return country.Inside{Document: "DTE", Number: "Folio", Charset: "ISO-8859-1"}.Cut(sent, folio)
}
