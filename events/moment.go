package events

import (
	"fmt"
	"strings"
	"time"
)

// Moment is an end of what is read of the past: a position of the log, or a time. The zero
// value is no moment: everything is read.
type Moment struct {
	Position Position
	Time     time.Time // UTC; of a moment that is a time
}

// ParseMoment reads the position of an event, like C:12/P:12, or a time of RFC 3339.
func ParseMoment(text string) (Moment, error) {
	if strings.HasPrefix(text, "C:") {
		p, err := ParseEventPosition(text)
		return Moment{Position: p}, err
	}
	t, err := time.Parse(time.RFC3339, text)
	if err != nil || t.IsZero() {
		return Moment{}, fmt.Errorf("%.40q is neither a position like C:12/P:12 nor a time like 2026-03-02T15:04:05Z", text)
	}
	return Moment{Time: t.UTC()}, nil
}

// IsZero says that m is no moment.
func (m Moment) IsZero() bool { return m.Position.IsZero() && m.Time.IsZero() }

// String is what ParseMoment reads.
func (m Moment) String() string {
	if m.Time.IsZero() {
		return m.Position.String()
	}
	return m.Time.Format(time.RFC3339Nano)
}

// Holds says that r was in the log at the moment: at the position or before it, or appended
// at that time or earlier.
func (m Moment) Holds(r Recorded) bool {
	switch {
	case m.IsZero():
		return true
	case m.Time.IsZero():
		return !m.Position.Before(r.Position)
	}
	return !r.When().After(m.Time)
}

// When is the time at which r was appended, by the log's clock: the time that all events
// share, whichever process recorded them. An event that did not come from a log has the
// time of its request.
func (r Recorded) When() time.Time {
	if r.Logged.IsZero() {
		return r.Meta.At
	}
	return r.Logged
}
