package ar

import "folio/events"

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
