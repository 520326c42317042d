package numbering

import (
	"slices"

	"folio/events"
	"folio/fault"
)

// Release lets a held series go on. Next, unless it is 0, is the first number that
// nobody has used: after a restore the log does not know the numbers that were given out
// since the backup. It is for series with ranges, where it spends the ranges before its own,
// and for those of contingency points, whose unreported documents the authority does not know
// either. It never takes a number back, and is refused where a submission was ever opened
// and the authority's last number is the truth. Range names the one that is meant, where two
// series letters have the same numbers (Uruguay).
//
// Void names an open submission whose numbers are given up, for series with ranges: what
// the authority has of it keeps its verdict, everything else is rejected with Reason, and
// its numbers are void. It is for numbers that can never be ours, and only somebody who has
// looked at the authority's own records knows that. A series that is not held is held in
// the same append, so that nobody can be in the middle of sending it: whoever is about to
// send reads that it was given up.
type Release struct {
	Reason string
	Next   int64
	Range  string
	Void   string
}

// Refusals of a release.
var (
	ErrNothing = fault.New(fault.Conflict, "NUMBERS_NOT_VOIDED",
		"The authority gives out the numbers of this series, none has to be voided: release it, and what was not "+
			"processed gets the next free number.")
	ErrNoRanges = fault.New(fault.Conflict, "SERIES_WITHOUT_RANGES",
		"The authority's last number is the truth in this series: release it without a next number.")
	ErrOutside = fault.New(fault.Invalid, "OUTSIDE_RANGE", "No uploaded range holds this next number: upload its "+
		"numbering file first, or look at the number again.")
	ErrTaken     = fault.New(fault.Conflict, "NUMBER_TAKEN", "This log knows that the number was used: name a later one.")
	ErrAmbiguous = fault.New(fault.Invalid, "RANGE_AMBIGUOUS",
		"Ranges of two series letters hold this next number: name the range too.")
)

func (c Release) decide(s State) ([]events.Event, error) {
	if s.Held == "" && c.Void == "" {
		return nil, nil
	}
	e := events.SeriesReleased{Reason: c.Reason}
	if c.Next != 0 {
		r, err := c.next(s)
		if err != nil {
			return nil, err
		}
		e.Range, e.Next = r.Range, c.Next
	}
	if c.Void == "" {
		return []events.Event{e}, nil
	}
	switch {
	case len(s.Ranges) == 0:
		return nil, ErrNothing
	case s.at(c.Void) < 0:
		return nil, ErrNotOpen
	}
	e.Voids = c.Void
	if s.Held == "" {
		return []events.Event{events.SeriesHeld{Reason: c.Reason}, e}, nil
	}
	return []events.Event{e}, nil
}

// next is the range that the next number is of.
func (c Release) next(s State) (Range, error) {
	if len(s.Ranges) == 0 {
		return Range{}, c.nextContingency(s)
	}
	var found []Range
	for _, r := range s.Ranges {
		if r.From <= c.Next && c.Next <= r.To && (c.Range == "" || c.Range == r.Range) {
			found = append(found, r)
		}
	}
	switch {
	case len(found) == 0:
		return Range{}, ErrOutside
	case len(found) > 1:
		return Range{}, ErrAmbiguous
	case c.Next < found[0].Next:
		return Range{}, ErrTaken
	}
	return found[0], nil
}

// nextContingency refuses a next number where the authority gives them out, and one that is used.
func (c Release) nextContingency(s State) error {
	switch {
	case s.Settled != nil || len(s.Open) > 0:
		return ErrNoRanges
	case c.Range != "":
		return ErrOutside
	case c.Next < s.NextContingency():
		return ErrTaken
	}
	return nil
}

// passed is the last number that anybody used, after an operator named the next one of a
// series without ranges.
func (s State) passed(e events.SeriesReleased) int64 {
	if e.Range != "" {
		return s.Known
	}
	return max(s.Known, e.Next-1)
}

// released moves the ranges on to the next number that an operator named.
func (s State) released(e events.SeriesReleased) []Range {
	i := slices.IndexFunc(s.Ranges, func(r Range) bool { return r.Range == e.Range })
	if e.Next == 0 || i < 0 {
		return s.Ranges
	}
	ranges := slices.Clone(s.Ranges)
	for n := range i {
		ranges[n].Next = ranges[n].To + 1
	}
	ranges[i].Next = max(ranges[i].Next, e.Next)
	return ranges
}
