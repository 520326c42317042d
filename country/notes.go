package country

import "folio/events"

// Corrector is implemented by the rules of countries whose notes name more than what they
// correct, or may correct the recipient.
type Corrector interface {
	// Corrected says that a note corrects what the reference names, and does not only tell
	// of it.
	Corrected(r events.Reference) bool
	// OtherRecipient says that the note may go to another recipient than what it corrects.
	OtherRecipient(r events.Reference) bool
	// ExchangeDifferences says that notes in local currency may correct documents in another
	// one, if the operator lets them.
	ExchangeDifferences() bool
}

// Corrected is that of the rules; where they do not say, a note corrects what it names.
func Corrected(rules Rules, r events.Reference) bool {
	c, ok := rules.(Corrector)
	return !ok || c.Corrected(r)
}

// OtherRecipient is that of the rules; where they do not say, the recipient stays.
func OtherRecipient(rules Rules, r events.Reference) bool {
	c, ok := rules.(Corrector)
	return ok && c.OtherRecipient(r)
}

// ExchangeDifferences is that of the rules; where they do not say, currencies agree.
func ExchangeDifferences(rules Rules) bool {
	c, ok := rules.(Corrector)
	return ok && c.ExchangeDifferences()
}
