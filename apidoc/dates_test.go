package apidoc

import (
	"testing"
	"time"
)

func TestExamplesAreServedAsOfToday(t *testing.T) {
	got := datedAt(`"2001-01-15 10:30:00" "2001-02-14" "2001-01-06" 2001-99-99`,
		time.Date(2026, 12, 1, 2, 0, 0, 0, time.UTC)) // still 30 November there
	if want := `"2026-11-30 10:30:00" "2026-12-30" "2026-11-21" 2001-99-99`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
