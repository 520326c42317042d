package events_test

import (
	"testing"
	"time"

	"folio/events"
)

func TestAMomentIsAPositionOrATime(t *testing.T) {
	noon := time.Date(2026, 11, 27, 12, 0, 0, 500_000_000, time.UTC)
	for text, want := range map[string]events.Moment{
		"C:12/P:12":                     {Position: events.Position{Commit: 12, Prepare: 12}},
		"2026-11-27T12:00:00.5Z":        {Time: noon},
		"2026-11-27T09:00:00.500-03:00": {Time: noon},
	} {
		m, err := events.ParseMoment(text)
		if err != nil || m != want {
			t.Errorf("%s is %+v, %v", text, m, err)
		}
		if again, err := events.ParseMoment(m.String()); err != nil || again != m {
			t.Errorf("%s is written as %s", text, m)
		}
	}
	for _, text := range []string{"", "C:0/P:0", "12", "2026-11-27", "2026-11-27T12:00:00", "0001-01-01T00:00:00Z",
		"C:12/P:12 ", "C:12/P:13", "C:13/P:12", "C:12/P:0"} {
		if m, err := events.ParseMoment(text); err == nil {
			t.Errorf("%q is %v", text, m)
		}
	}
}

func TestWhatAMomentHolds(t *testing.T) {
	noon := time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)
	at := func(n uint64, logged time.Time) events.Recorded {
		return events.Recorded{
			Position: events.Position{Commit: n, Prepare: n},
			Logged:   logged,
			Meta:     events.Meta{At: noon.Add(-time.Hour)},
		}
	}
	position := events.Moment{Position: events.Position{Commit: 7, Prepare: 7}}
	clock := events.Moment{Time: noon}
	for name, c := range map[string]struct {
		m    events.Moment
		r    events.Recorded
		want bool
	}{
		"no moment holds all":            {events.Moment{}, at(9, noon.Add(1)), true},
		"the event at the position":      {position, at(7, noon.Add(1)), true},
		"an event after the position":    {position, at(8, noon.Add(-1)), false},
		"an event appended at the time":  {clock, at(8, noon), true},
		"an event appended after it":     {clock, at(6, noon.Add(1)), false},
		"an event that is in no log yet": {clock, at(6, time.Time{}), true},
	} {
		if c.m.Holds(c.r) != c.want {
			t.Errorf("%s: %v", name, !c.want)
		}
	}
}
