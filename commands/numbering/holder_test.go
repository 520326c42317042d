package numbering_test

import (
	"testing"

	"folio/commands/numbering"
	"folio/events"
)

// Who has a number, and whether anybody can have it.
func TestTheFateOfANumber(t *testing.T) {
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
		fate   numbering.Fate
		next   int64
	}{
		{name: "a series that was never used", number: 1, fate: numbering.Unknown},
		{name: "another system's", given: counted, number: 3, fate: numbering.Elsewhere},
		{name: "the last that was settled", given: counted, number: 4, holder: "I4", fate: numbering.Elsewhere},
		{name: "an open one", given: counted, number: 5, holder: "I5", fate: numbering.Elsewhere},
		{name: "one that nobody has", given: counted, number: 6, fate: numbering.Free, next: 6},
		{name: "a contingency point's", given: []events.Event{events.ContingencyIssued{Invoice: "I", Number: 7}}, number: 8,
			fate: numbering.Free, next: 8},
		{name: "of a range, nobody has it", given: []events.Event{range5}, number: 5, fate: numbering.Free, next: 5},
		{name: "before the range", given: []events.Event{range5}, number: 4, fate: numbering.Elsewhere},
		{name: "behind the range", given: []events.Event{range5}, number: 11, fate: numbering.Elsewhere},
		{name: "of another letter", given: []events.Event{range5}, letter: "B", number: 5, fate: numbering.Elsewhere},
		{name: "of that letter", given: []events.Event{range5, lettered}, letter: "B", number: 5, fate: numbering.Free,
			next: 1},
		{name: "passed over", given: []events.Event{range5, events.NumberingStartConfigured{Range: "a", From: 7}}, number: 6,
			fate: numbering.Elsewhere},
		{name: "an open one of a range", given: []events.Event{range5, open("S1", "a", 5, "I5", "I6")}, number: 6,
			holder: "I6", fate: numbering.Elsewhere},
		{name: "the next of a range", given: []events.Event{range5, open("S1", "a", 5, "I5", "I6")}, number: 7,
			fate: numbering.Free, next: 7},
		{name: "behind a range that is used up", given: []events.Event{uploaded("a", 5, 5, ""), open("S1", "a", 5, "I5")},
			number: 6, fate: numbering.Unknown},
		{name: "before it", given: []events.Event{uploaded("a", 5, 5, ""), open("S1", "a", 5, "I5")}, number: 4,
			fate: numbering.Elsewhere},
	} {
		s := numbering.Decider.Fold(c.given...)
		fate, next := s.Fate(c.letter, c.number)
		if holder := s.Holder(c.letter, c.number); holder != c.holder || fate != c.fate || next != c.next {
			t.Errorf("%s: %q has it, fate %d, next %d; want %q, %d, %d", c.name, holder, fate, next, c.holder, c.fate, c.next)
		}
	}
}
