package cl

import (
	"folio/country"
	"folio/events"
)

// Corrected: a note says with CodRef what it corrects; orders, contracts and their like
// have none (FMT, reference area).
func (Rules) Corrected(r events.Reference) bool { return r.ReasonCode != "" }

// OtherRecipient: a note that corrects a text (CodRef 2, MntTotal 0) may correct that of the
// recipient.
func (Rules) OtherRecipient(r events.Reference) bool { return r.ReasonCode == country.CorrectsText }

// ExchangeDifferences: none.
func (Rules) ExchangeDifferences() bool { return false }
