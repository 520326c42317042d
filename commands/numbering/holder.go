package numbering

import (
	"slices"

	"folio/events"
)

// Holder is the invoice under a number of an open submission, or of the last that was
// settled; "" for none, as for a number that the settled one did not use.
func (s State) Holder(letter string, number int64) string {
	held := func(o Submission) string {
		if number < o.First || number > o.End() || s.Letter(o.SubmissionOpened) != letter {
			return ""
		}
		return o.Invoices[number-o.First]
	}
	for _, o := range s.Open {
		if id := held(o); id != "" {
			return id
		}
	}
	if s.Opened == nil || s.freed(number) {
		return ""
	}
	return held(Submission{SubmissionOpened: *s.Opened})
}

// freed says that the last settled submission freed a number: anybody may have it since. A number of a range is used up
// by a document that was rejected, too.
func (s State) freed(number int64) bool {
	return slices.ContainsFunc(s.Settled.Outcomes, func(o events.Outcome) bool {
		return o.Number == number && (o.Result == events.NotProcessed || o.Result == events.Rejected && s.Opened.Range == "")
	})
}

// Free says whether no document can have a number yet, since the authority counts and the number is higher than the
// last one, and which one comes next. A series that knows no number of its own yet says no: what came before Folio may
// have any. So does one with ranges: another system may have begun them.
func (s State) Free(number int64) (next int64, free bool) {
	last := s.Known
	for _, o := range s.Open {
		last = max(last, o.End())
	}
	known := len(s.Ranges) == 0 && (last > 0 || s.Settled != nil)
	return last + 1, known && number > last
}
