package company

import (
	"slices"
	"time"

	"folio/country"
)

// condition is a tax condition of the company, and since when it has it.
type condition struct {
	name  string // empty while the profile told none
	since time.Time
}

// maxConditions is how many are remembered: the oldest of more count no longer. Documents
// are dated back by days or months, and a company changes its condition once in years.
const maxConditions = 100

func dated(s State, at time.Time) State {
	s.recorded = at
	return s
}

// conditioned is the history with the condition that a new profile tells. One that follows
// a time when none was told counts for that time too: its documents wait for it.
func conditioned(history []condition, now condition) []condition {
	last := len(history) - 1
	switch {
	case last >= 0 && history[last].name == now.name:
		return history
	case last >= 0 && history[last].name == "":
		now.since = history[last].since
		history = history[:last]
	}
	if last > 0 && len(history) == last && history[last-1].name == now.name {
		return slices.Clip(history) // it was only left out for a while
	}
	history = append(slices.Clip(history), now)
	return history[max(0, len(history)-maxConditions):]
}

// On is the company with the tax condition that was in force on the day of a document's
// date (YYYY-MM-DD, a time may follow): the last that was set on that day or before, in
// the country's local time. The first one counts for the days before it too. A date that
// cannot be read changes nothing.
func (s State) On(date string, local *time.Location) State {
	day := country.DayOf(date)
	if _, err := time.Parse(time.DateOnly, day); err != nil || len(s.conditions) == 0 {
		return s
	}
	inForce := s.conditions[0]
	for _, c := range s.conditions[1:] {
		if c.since.In(local).Format(time.DateOnly) > day {
			break
		}
		inForce = c
	}
	s.Profile.TaxCondition = inForce.name
	return s
}
