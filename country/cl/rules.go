// Package cl has Chile's rules: the electronic tax documents of the Servicio de
// Impuestos Internos (SII), their catalogue, what can be known to be wrong before SII
// is asked, its numbering files (CAF), the stamp that every document carries (timbre
// electrónico) and the printed form.
//
// Sources are named beside each rule: FMT is SII's "Formato de documentos tributarios
// electrónicos" v2.2, XSD are the schemas DTE_v10 and EnvioBOLETA_v11.
package cl

import (
	"time"

	"folio/country"
)

// localCurrency is the Chilean peso, which has no smaller unit.
const localCurrency = "CLP"

// identifierName is shared with Uruguay, whose RUT has 12 digits.
const identifierName = "RUT"

var identifier = country.Identifier{Name: identifierName, Parse: ParseRUT, Print: PrintRUT}

// Rules are Chile's; they hold no state.
type Rules struct{}

var (
	_ country.Rules                = Rules{}
	_ country.Ranged               = Rules{}
	_ country.PersonalCertificates = Rules{}
)

// Code is CL.
func (Rules) Code() string { return "CL" }

// Location is America/Santiago, daylight saving time included.
func (Rules) Location() *time.Location { return location }

// Authority is the SII driver.
func (Rules) Authority() string { return "sii" }

// Currency is CLP.
func (Rules) Currency() string { return localCurrency }

// IdentifierName is RUT.
func (Rules) IdentifierName() string { return identifierName }

// Identifier verifies a RUT and returns it as 76192083-9.
func (Rules) Identifier(text string) (string, error) { return ParseRUT(text) }

// DocumentTypes are those that can be issued, by id.
func (Rules) DocumentTypes() []country.DocumentType { return documentTypes }

// documentTypes are shared by all who ask.
var documentTypes = country.DocumentTypes(kinds)

// DocumentType finds a kind by invoice_type in any case or by official code ("33").
func (Rules) DocumentType(text string) (country.DocumentType, bool) {
	k, ok := findKind(text)
	return k.DocumentType, ok
}

// HasPersonalCertificates is true: a Chilean certificate is a person's, and SII knows
// which companies that person may send for (manual of automatic authentication).
func (Rules) HasPersonalCertificates() bool { return true }
