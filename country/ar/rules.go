// Package ar has Argentina's rules: the documents of ARCA's WSFEv1 (RG 4291) and of its
// WSFEXv1 for exports (RG 2758), their catalogue, what can be known to be wrong before
// ARCA is asked, the QR of RG 4892 and the printed form of RG 1415 annex II.
//
// Sources are named beside each rule. Five-digit numbers are error codes of the
// "Manual para el desarrollador WSFEv1" (v4.8), four-digit ones those of the manual of
// WSFEXv1 (3.1.1), RG is a resolución general.
package ar

import (
	"time"

	"folio/country"
)

var identifier = country.Identifier{Name: "CUIT", Parse: ParseCUIT, Print: PrintCUIT}

// Rules are Argentina's; they hold no state.
type Rules struct{}

var _ country.Rules = Rules{}

// location is the fiscal day's: Argentina has had UTC-3 all year since 2009. It is
// fixed so that no host without time zone data computes another day.
var location = time.FixedZone("America/Argentina/Buenos_Aires", -3*60*60)

// Code is AR.
func (Rules) Code() string { return "AR" }

// Location is UTC-3.
func (Rules) Location() *time.Location { return location }

// Authority is the ARCA driver.
func (Rules) Authority() string { return "arca" }

// Currency is ARS.
func (Rules) Currency() string { return localCurrency }

// IdentifierName is CUIT.
func (Rules) IdentifierName() string { return "CUIT" }

// Identifier verifies a CUIT and returns its 11 digits.
func (Rules) Identifier(text string) (string, error) { return ParseCUIT(text) }

// DocumentTypes are those that can be issued, by id.
func (Rules) DocumentTypes() []country.DocumentType { return documentTypes }

// documentTypes are shared by all who ask.
var documentTypes = country.DocumentTypes(kinds)

// DocumentType finds a kind by invoice_type in any case or by official code ("1", "001").
func (Rules) DocumentType(text string) (country.DocumentType, bool) {
	k, ok := findKind(text)
	return k.DocumentType, ok
}

// ProfileFields has none: Argentina needs only what every country's profile has.
func (Rules) ProfileFields() []country.ProfileField { return nil }

// Branches are the points of sale, 1 to 99998 (WSFEv1 10004), each with its own domicile
// and first day, which the document prints (RG 1415, annex II).
func (Rules) Branches() country.Branches { return country.Branches{Max: 99_998, PointOfSale: true} }

// Missing is the condition before VAT. Documents of class C wait for it, no others do: see
// MissingFor.
func (Rules) Missing(issuer country.Issuer) []string {
	if _, ok := findCondition(issuer.Profile.TaxCondition); !ok {
		return []string{taxCondition}
	}
	return nil
}

const taxCondition = "tax_condition"

// MissingFor is the issuer's condition before VAT for documents of class C: the printed
// document must say it (RG 1415 annex II), and those of monotributo, exempt and not reached
// have it alike. A, B and M come from a responsable inscripto only (RG 1415 articles 15 to
// 17), and nothing is known about exports, which then say nothing: none of them waits.
func (Rules) MissingFor(invoiceType string, issuer country.Issuer) []string {
	k, ok := findKind(invoiceType)
	if !ok || k.letter != 'C' {
		return nil
	}
	own, ok := findCondition(issuer.Profile.TaxCondition)
	switch {
	case !ok:
		return []string{taxCondition}
	case !mayIssue(own, k):
		return []string{"a " + taxCondition + " that issues class C (" + own.name + " does not)"}
	}
	return nil
}
