package monitor

import (
	"testing"
	"time"

	"folio/projections"
)

// A code is owed while a document by it is unreported, and from the end of its fortnight until it is closed.
func TestWhatIsOwedOfACodeHasDaysLeft(t *testing.T) {
	const none = -99
	zone := time.FixedZone("-03", -3*60*60)
	s := Sources{Zone: func(string) *time.Location { return zone }}
	for _, c := range []struct {
		now              string
		issued, reported int64
		days             float64
	}{
		{"2026-12-03T12:00:00Z", 0, 0, none},
		{"2026-12-03T12:00:00Z", 2, 2, none},
		{"2026-12-03T12:00:00Z", 2, 1, 20},
		{"2026-12-16T02:59:00Z", 0, 0, none}, // in Argentina it is still the 15th
		{"2026-12-16T03:00:00Z", 0, 0, 7},
		{"2026-12-23T12:00:00Z", 2, 2, 0},
		{"2026-12-25T12:00:00Z", 2, 1, -2},
	} {
		now, err := time.Parse(time.RFC3339, c.now)
		if err != nil {
			t.Fatal(err)
		}
		to := contingencies{unreported: map[string]int64{}, daysLeft: map[string]float64{}}
		s.owed(to, projections.Code{Environment: "Testing", From: "2026-12-01", To: "2026-12-15",
			ReportUntil: "2026-12-23", Issued: c.issued, Reported: c.reported}, "AR", now)
		days, owed := to.daysLeft["Testing"]
		if !owed {
			days = none
		}
		if days != c.days || to.unreported["Testing"] != c.issued-c.reported {
			t.Errorf("%+v: %v days, %d documents", c, days, to.unreported["Testing"])
		}
	}
}

// The code of the next fortnight is missed shortly before it begins, and not earlier.
func TestACodeIsLackingShortlyBeforeItsFortnight(t *testing.T) {
	first := projections.Code{From: "2026-12-01", To: "2026-12-15"}
	next := projections.Code{From: "2026-12-16", To: "2026-12-31"}
	for _, c := range []struct {
		day  int
		held []projections.Code
		want int64
	}{{1, nil, 1}, {1, []projections.Code{first}, 0}, {13, []projections.Code{first}, 0},
		{14, []projections.Code{first}, 1}, {14, []projections.Code{first, next}, 0},
		{16, []projections.Code{first}, 1}, {16, []projections.Code{next}, 0}} {
		today := time.Date(2026, 12, c.day, 9, 0, 0, 0, time.UTC)
		if got := (fortnights{"C1Testing": c.held}).lacking("C1Testing", today); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
}
