package numbering_test

import (
	"testing"

	"folio/commands/numbering"
	"folio/events"
)

// Who has a number, and whether anybody can have it.
func TestWhoHasANumber(t *testing.T) {
	open := func(id, rng string, first int64, invoices ...string) events.SubmissionOpened {
		return events.SubmissionOpened{Submission: id, Range: rng, First: first, Invoices: invoices}
	}
	settled := func(id string, outcomes ...events.Outcome) events.SubmissionSettled {
		return events.SubmissionSettled{Submission: id, Outcomes: outcomes}
	}
	lettered := uploaded("b", 1, 10, "")
	lettered.Series = "B"
	range5 := uploaded("a", 5, 10, "")
	counted := []events.Event{events.ForeignNumbersNoticed{From: 1, To: 3}, open("S1", "", 4, "I4"),
		settled("S1", events.Outcome{Invoice: "I4", Number: 4, Result: events.Accepted}), open("S2", "", 5, "I5")}
	for _, c := range []struct {
		name   string
		given  []events.Event
		letter string
		number int64
		holder string
		next   int64 // of a free one; 0: it is not free
	}{
		{name: "a series that was never used", number: 1},
		{name: "another system's", given: counted, number: 3},
		{name: "the last that was settled", given: counted, number: 4, holder: "I4"},
		{name: "one that was rejected", given: []events.Event{open("S1", "", 4, "I4"),
			settled("S1", events.Outcome{Invoice: "I4", Number: 4, Result: events.Rejected})}, number: 4, next: 1},
		{name: "one that was not processed", given: []events.Event{open("S1", "", 4, "I4", "I5"),
			settled("S1", events.Outcome{Invoice: "I4", Number: 4, Result: events.Accepted},
				events.Outcome{Invoice: "I5", Number: 5, Result: events.NotProcessed})}, number: 5, next: 5},
		{name: "one of a range that was rejected", given: []events.Event{range5, open("S1", "a", 5, "I5"),
			settled("S1", events.Outcome{Invoice: "I5", Number: 5, Result: events.Rejected})}, number: 5, holder: "I5"},
		{name: "an open one", given: counted, number: 5, holder: "I5"},
		{name: "one that nobody has", given: counted, number: 6, next: 6},
		{name: "a contingency point's", given: []events.Event{events.ContingencyIssued{Invoice: "I", Number: 7}}, number: 8,
			next: 8},
		{name: "of a range, nobody has it", given: []events.Event{range5}, number: 5},
		{name: "before the range", given: []events.Event{range5}, number: 4},
		{name: "behind the range", given: []events.Event{range5}, number: 11},
		{name: "of another letter", given: []events.Event{range5}, letter: "B", number: 5},
		{name: "of that letter", given: []events.Event{range5, lettered}, letter: "B", number: 5},
		{name: "passed over", given: []events.Event{range5, events.NumberingStartConfigured{Range: "a", From: 7}}, number: 6},
		{name: "an open one of a range", given: []events.Event{range5, open("S1", "a", 5, "I5", "I6")}, number: 6,
			holder: "I6"},
		{name: "the next of a range", given: []events.Event{range5, open("S1", "a", 5, "I5", "I6")}, number: 7},
		{name: "behind a range that is used up", given: []events.Event{uploaded("a", 5, 5, ""), open("S1", "a", 5, "I5")},
			number: 6},
		{name: "before it", given: []events.Event{uploaded("a", 5, 5, ""), open("S1", "a", 5, "I5")}, number: 4},
	} {
		s := numbering.Decider.Fold(c.given...)
		next, free := s.Free(c.number)
		if holder := s.Holder(c.letter, c.number); holder != c.holder || free != (c.next > 0) || free && next != c.next {
			t.Errorf("%s: %q has it, free %v, next %d; want %q and %d", c.name, holder, free, next, c.holder, c.next)
		}
	}
}
