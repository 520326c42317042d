// Package uy has Uruguay's rules: the comprobantes fiscales electrónicos (CFE) of the
// Dirección General Impositiva (DGI), their catalogue, what can be known to be wrong
// before DGI is asked, its numbering files (CAE) and the printed form.
//
// Sources are named beside each rule: CFE25 is DGI's "Formato de los CFE" v25-1, XSD are
// the schemas 1.44.2 (CFEType.xsd), SOB5 is the "Formato de sobre" v05, RG 798 is
// resolución DGI 798/012 with its amendments.
package uy

import (
	"time"

	"folio/country"
)

// localCurrency is the Uruguayan peso.
const localCurrency = "UYU"

// identifierName is shared with Chile, whose RUT has a check digit behind a hyphen.
const identifierName = "RUT"

// identifier is printed as it is: 12 digits.
var identifier = country.Identifier{Name: identifierName, Parse: ParseRUT,
	Print: func(rut string) string { return rut }}

// Rules are Uruguay's; they hold no state.
type Rules struct{}

// Code is UY.
func (Rules) Code() string { return "UY" }

// Location is America/Montevideo.
func (Rules) Location() *time.Location { return location }

// Authority is the DGI driver.
func (Rules) Authority() string { return "dgi" }

// Currency is UYU.
func (Rules) Currency() string { return localCurrency }

// IdentifierName is RUT.
func (Rules) IdentifierName() string { return identifierName }

// Identifier verifies a RUT and returns its 12 digits.
func (Rules) Identifier(text string) (string, error) { return ParseRUT(text) }

// DocumentTypes are those that can be issued, by id.
func (Rules) DocumentTypes() []country.DocumentType { return documentTypes }

// documentTypes are shared by all who ask.
var documentTypes = country.DocumentTypes(kinds)

// DocumentType finds a kind by invoice_type in any case or by official code ("111").
func (Rules) DocumentType(text string) (country.DocumentType, bool) {
	k, ok := findKind(text)
	return k.DocumentType, ok
}
