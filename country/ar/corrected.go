package ar

import (
	"strings"

	"folio/country"
	"folio/events"
	"folio/fault"
)

// Corrected: remitos and their like (88 to 91, 990 to 995) are named beside what a note
// corrects (10040).
func (Rules) Corrected(r events.Reference) bool {
	return r.OfficialCode < 88 || r.OfficialCode > 91 && r.OfficialCode < 990
}

// OtherRecipient: none (RG 4540, article 3).
func (Rules) OtherRecipient(events.Reference) bool { return false }

// ExchangeDifferences: notes in pesos for differences of exchange. Whether ARCA takes them
// is unverified.
func (Rules) ExchangeDifferences() bool { return true }

// Differences: the buyer of an export mostly has no document, but a number at home, so that is
// who a note goes to. A note of services corrects services (2049) that went to the same country
// (2050).
func (Rules) Differences(note, original events.Document) []fault.Violation {
	if k, ok := findKind(note.Type); !ok || !k.isExport() {
		return nil
	}
	var v country.Violations
	own, _ := ParseExport(note.ExportInfo)
	of, _ := ParseExport(original.ExportInfo)
	a, b := own.ClientTaxID, of.ClientTaxID
	if a != "" && b != "" && !strings.EqualFold(taxID.Replace(a), taxID.Replace(b)) {
		v.Add(country.ExportPath("client_tax_id"), "NOTE_OTHER_RECIPIENT",
			"The document that it corrects was issued to %s: a note goes to the same recipient.", b)
	}
	if own.Kind != exportServices {
		return v.All
	}
	if of.Kind != exportServices {
		v.Add(country.ExportPath("export_kind"), "AR-EXPORT-03", "a note of services corrects an export of services, and this "+
			"one is of %s", of.Kind)
	} else if own.Destination != of.Destination {
		v.Add(country.ExportPath("destination_country"), "AR-EXPORT-04", "a note of services has the destination of what it "+
			"corrects: %s", of.Destination)
	}
	return v.All
}

// taxID leaves what people put between the digits of a number out.
var taxID = strings.NewReplacer("-", "", ".", "", " ", "", "/", "")
