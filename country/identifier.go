package country

import (
	"strconv"
	"strings"

	"folio/events"
)

// Identifier is how a country names, reads and prints its tax identifier.
type Identifier struct {
	Name  string                            // "CUIT"
	Parse func(text string) (string, error) // its canonical form, or what is wrong in words for the caller
	Print func(canonical string) string
}

// Identified is a recipient without the document of one that stands for nobody, as 99 and 0
// do. A read returns the recipient as it came.
func (id Identifier) Identified(p events.Party) events.Party {
	blank := strings.Trim(p.DocumentNumber, "0 .-") == ""
	if blank && (p.DocumentType == "" || p.DocumentType == "99" || strings.EqualFold(p.DocumentType, id.Name)) {
		p.DocumentType, p.DocumentNumber = "", ""
	}
	return p
}

// Issuer wants the company itself, own, as the issuer, and writes the canonical identifier
// into the party (codes prefix-01 to prefix-03).
func (v *Violations) Issuer(prefix string, id Identifier, own string, p *events.Party) {
	if p.DocumentType != "" && !strings.EqualFold(p.DocumentType, id.Name) {
		v.Add("issuer.document_type", prefix+"-01", "the issuer's document is its %s, not %.20q", id.Name, p.DocumentType)
	}
	p.DocumentType = id.Name
	number, err := id.Parse(p.DocumentNumber)
	switch {
	case err != nil:
		v.Add("issuer.document_number", prefix+"-02", "the %s of the issuer is required: %s", id.Name, err)
	case number != own:
		v.Add("issuer.document_number", prefix+"-03", "the issuer must be the company of this key, %s", id.Print(own))
	default:
		p.DocumentNumber = number
	}
}

// Issuers says whose documents a reference may name: those of the company with this number, and
// others'.
type Issuers struct {
	Own    string
	Others bool
}

// ReferenceIssuer reads whose document the i-th reference names: the company's own, which
// is filled in where it is left out, or another's where the country takes that.
func (v *Violations) ReferenceIssuer(code string, i int, id Identifier, of Issuers, r *events.Reference) {
	if r.DocumentNumber == "" {
		r.DocumentNumber = of.Own
		return
	}
	number, err := id.Parse(r.DocumentNumber)
	switch {
	case err != nil:
		v.Add(ReferencePath(i, "document_number"), code, "the %s of the document's issuer: %s", id.Name, err)
	case number != of.Own && !of.Others:
		v.Add(ReferencePath(i, "document_number"), code, "the document must be one of the issuer's own, %s", id.Print(of.Own))
	default:
		r.DocumentNumber = number
	}
}

// ReadShown takes a number as a record shows it where numbers have no point of sale:
// "0000-00000007" is 7.
func ReadShown(r *events.Reference) {
	number, shown := strings.CutPrefix(r.Folio, "0000-")
	n, err := strconv.ParseUint(number, 10, 63)
	if shown && err == nil && r.Number == 0 {
		r.Number, r.Folio = int64(n), ""
	}
}

// ReferenceNumber wants the number of the document that the i-th reference names, from 1
// to greatest; a text does not do for one.
func (v *Violations) ReferenceNumber(code string, i int, r events.Reference, greatest int64) {
	switch {
	case r.Folio != "":
		v.Add(ReferencePath(i, "number"), code, "%.20q is no number of this document: write the number alone, from 1 to "+
			"%d, such as \"number\": 1", r.Folio, greatest)
	case r.Number < 1 || r.Number > greatest:
		v.Add(ReferencePath(i, "number"), code, "a number is required, from 1 to %d", greatest)
	}
}

// unnamed is the RUT that stands for a consumer who is not identified (SII), in digits.
const unnamed = "666666666"

var separators = strings.NewReplacer("-", "", ".", "", " ", "")

// Nobody says that the number of a recipient's document names nobody, however it is written:
// there is none, it is of zeros, or the one that stands for a consumer who is not identified.
func Nobody(number string) bool {
	digits := separators.Replace(number)
	return strings.Trim(digits, "0") == "" || digits == unnamed
}
