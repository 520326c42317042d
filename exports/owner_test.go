package exports

import (
	"testing"

	"folio/events"
)

// leftOut are the categories that no export has, and why.
var leftOut = map[string]string{
	"account":      "a person's, not the company's",
	"apikey":       "credentials",
	"webhook":      "a callback URL may have a token in it, and what is masked cannot be proven",
	"delivery":     "likewise",
	"replay":       "of deliveries",
	"access":       "who read what is for the owner to see",
	"taxpayer":     "shared by all companies with one tax identifier",
	"quarantine":   "an operator's decisions about a log",
	"transparency": "the log's",
	"folio":        "the log's",
}

// Each category of streams is in exports or is left out, and somebody has said so.
func TestEveryCategoryIsDecidedAbout(t *testing.T) {
	for _, e := range events.Catalog() {
		_, in := kinds[e.Category]
		if _, out := leftOut[e.Category]; in == out {
			t.Errorf("streams of %s are in exports: %v, left out: %v", e.Category, in, out)
		}
	}
}

func TestPeriods(t *testing.T) {
	for _, c := range []struct {
		from, to, date string
		want           bool
	}{
		{"", "", "2026-11-02", true},
		{"2026-11-01", "2026-11-30", "2026-11-30 23:59:59", true},
		{"2026-11-01", "2026-11-30", "2026-12-01", false},
		{"2026-11-01", "", "2026-10-31 23:00:00", false},
		{"", "2026-11-30", "2026-01-01", true},
	} {
		if got := (Order{From: c.from, To: c.to}).dated(c.date); got != c.want {
			t.Errorf("%s is in %q to %q: %v", c.date, c.from, c.to, got)
		}
	}
}
