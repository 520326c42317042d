package notices

import (
	"testing"
	"time"
)

func n(t *testing.T, date string) int {
	t.Helper()
	d, ok := dayOf(date)
	if !ok {
		t.Fatalf("%s is no date", date)
	}
	return d
}

func TestWhichNoticeIsOwed(t *testing.T) {
	for _, c := range []struct {
		name              string
		schedule          []int
		end, since, today string
		notice            int
		owed              bool
		next              string
	}{
		{"long before: none, the first is sixty days before", expiryDays, "2027-03-31", "2026-01-01", "2026-11-27", 0, false,
			"2027-01-30"},
		{"on the day", expiryDays, "2027-03-31", "2026-01-01", "2027-01-30", 60, true, "2027-02-14"},
		{"days are counted, months play no part", expiryDays, "2027-03-31", "2026-01-01", "2027-03-01", 30, true,
			"2027-03-16"},
		{"after downtime only the latest missed", expiryDays, "2027-03-31", "2026-01-01", "2027-03-20", 15, true,
			"2027-03-26"},
		{"the last one", expiryDays, "2027-03-31", "2026-01-01", "2027-03-30", 1, true, ""},
		{"uploaded with ten days left: at once", expiryFrom(10), "2027-03-31", "2027-03-21", "2027-03-21", 10, true,
			"2027-03-26"},
		{"uploaded with ten days left: the next", expiryFrom(10), "2027-03-31", "2027-03-21", "2027-03-26", 5, true,
			"2027-03-29"},
		{"uploaded with sixty-one days left", expiryFrom(61), "2027-03-31", "2027-01-29", "2027-01-29", 0, false,
			"2027-01-30"},
		{"uploaded with one day left", expiryFrom(1), "2027-03-31", "2027-03-30", "2027-03-30", 1, true, ""},
		{"uploaded on the very day of a notice", expiryDays, "2027-03-31", "2027-03-26", "2027-03-26", 5, true, "2027-03-29"},
		{"a range a week before its last day", rangeDays, "2026-12-31", "2026-07-01", "2026-12-24", 7, true, "2026-12-30"},
		{"a range on its last day", rangeDays, "2026-12-31", "2026-07-01", "2026-12-31", 0, true, "2027-01-01"},
		{"a range the day after", rangeDays, "2026-12-31", "2026-07-01", "2027-01-01", -1, true, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			notice, owed, next, more := due(c.schedule, n(t, c.end), n(t, c.since), n(t, c.today))
			if owed != c.owed || owed && notice != c.notice {
				t.Errorf("notice %d owed %v, want %d %v", notice, owed, c.notice, c.owed)
			}
			if more != (c.next != "") || more && next != n(t, c.next) {
				t.Errorf("next %s %v, want %q", start(next, time.UTC).Format(time.DateOnly), more, c.next)
			}
		})
	}
}

func TestHowFewNumbersCallForANotice(t *testing.T) {
	for _, c := range []struct {
		name                string
		left, total, figure int64
		untouched           bool
		want                int
	}{
		{"boletas: 51 of 100", 51, 100, 50, false, 0},
		{"boletas: 50 of 100", 50, 100, 50, false, 1},
		{"invoices: 21 of 100", 21, 100, 20, false, 0},
		{"invoices: 20 of 100", 20, 100, 20, false, 1},
		{"a fifth of a large range", 2000, 10_000, 20, false, 1},
		{"just above a fifth", 2001, 10_000, 20, false, 0},
		{"credit notes: 10 of 40", 10, 40, 10, false, 1},
		{"credit notes: 11 of 40", 11, 40, 10, false, 0},
		{"one left", 1, 100, 20, false, 2},
		{"none left", 0, 100, 20, false, 3},
		{"a fresh range of ten fires nothing", 10, 10, 20, true, 0},
		{"the first number of it was taken", 9, 10, 20, false, 1},
		{"a fresh range of one", 1, 1, 20, true, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := level(c.left, c.total, c.figure, c.untouched); got != c.want {
				t.Errorf("notice %d, want %d", got, c.want)
			}
		})
	}
}

func TestDaysAreThoseOfTheCompany(t *testing.T) {
	buenosAires := time.FixedZone("-03", -3*60*60)
	late := time.Date(2026, 12, 1, 1, 30, 0, 0, time.UTC) // 22:30 of 30 November there
	if day(late.In(buenosAires)) != n(t, "2026-11-30") {
		t.Error("the day is not the company's")
	}
	if got := start(n(t, "2026-11-30"), buenosAires); !got.Equal(time.Date(2026, 11, 30, 3, 0, 0, 0, time.UTC)) {
		t.Errorf("the day starts at %s", got.UTC())
	}
}

// Chile's summer time begins at midnight: an item that was due at 23:00 of the day before
// would be due again and again for an hour.
func TestADayBeginsOnThatDay(t *testing.T) {
	for _, c := range []struct{ zone, date, want string }{
		{"America/Santiago", "2027-09-05", "2027-09-05T01:00:00-03:00"},
		{"America/Santiago", "2027-09-06", "2027-09-06T00:00:00-03:00"},
		{"America/Santiago", "2027-04-04", "2027-04-04T00:00:00-04:00"},
		{"America/Montevideo", "2027-09-05", "2027-09-05T00:00:00-03:00"},
	} {
		in, err := time.LoadLocation(c.zone)
		if err != nil {
			t.Fatal(err)
		}
		if got := start(n(t, c.date), in).Format(time.RFC3339); got != c.want {
			t.Errorf("%s begins at %s in %s, want %s", c.date, got, c.zone, c.want)
		}
	}
}
