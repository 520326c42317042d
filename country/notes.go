package country

import (
	"folio/events"
	"folio/fault"
)

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

// Comparer is implemented by the rules of countries whose notes agree with what they correct in
// more than date, recipient and currency.
type Comparer interface {
	// Differences are the faults of a checked note beside the document that it corrects.
	Differences(note, original events.Document) []fault.Violation
}

// Differences are those of the rules, none where they do not say.
func Differences(rules Rules, note, original events.Document) []fault.Violation {
	if r, ok := rules.(Comparer); ok {
		return r.Differences(note, original)
	}
	return nil
}

// Referrer is implemented by the rules of countries whose authority is told of each document
// that a note corrects, how much of it and in which currency.
type Referrer interface {
	// Untold are the faults of the i-th reference of a checked note to a document that is not
	// the company's own: what its own record would tell and the reference does not.
	Untold(note events.Document, i int) []fault.Violation
	// MustItemise says which documents a checked note names one by one, and not by their
	// period; false where a period will do.
	MustItemise(note events.Document) (Itemised, bool)
}

// Itemised are documents that a note may not name by their period.
type Itemised struct {
	Type      string // invoice_type
	Otherwise string // what to do where they cannot be named
}

// Untold are those of the rules, none where they do not say.
func Untold(rules Rules, note events.Document, i int) []fault.Violation {
	if r, ok := rules.(Referrer); ok {
		return r.Untold(note, i)
	}
	return nil
}

// MustItemise is that of the rules; where they do not say, a period will do.
func MustItemise(rules Rules, note events.Document) (Itemised, bool) {
	if r, ok := rules.(Referrer); ok {
		return r.MustItemise(note)
	}
	return Itemised{}, false
}
