package notices

import (
	"slices"
	"time"
)

// expiryDays are the notices before a certificate's expiry (specification, CER schedule).
var expiryDays = []int{60, 45, 30, 15, 5, 2, 1}

// expiryFrom is the schedule of a certificate that had so many days left when it was
// uploaded: where the first notice should have gone before, one goes at once.
func expiryFrom(left int) []int {
	if left >= expiryDays[0] || left <= 0 {
		return expiryDays
	}
	rest := slices.DeleteFunc(slices.Clone(expiryDays), func(n int) bool { return n >= left })
	return append([]int{left}, rest...)
}

// rangeDays are the notices around a range's last day (specification, ENU schedule by
// expiry date): before, on the day itself, and one day after.
var rangeDays = []int{7, 1, 0, -1}

// day is a calendar day as a number, so that months and summer time play no part.
func day(t time.Time) int {
	y, m, d := t.Date()
	return int(time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Unix() / 86_400)
}

// dayOf reads YYYY-MM-DD.
func dayOf(date string) (int, bool) {
	t, err := time.Parse(time.DateOnly, date)
	return day(t), err == nil
}

// start is the first moment of a day in a place. Where summer time begins at midnight, as
// in Chile, that day begins at 1:00, and its midnight is 23:00 of the day before.
func start(n int, in *time.Location) time.Time {
	t := time.Unix(int64(n)*86_400, 0).UTC()
	first := time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, in)
	if day(first) < n {
		first = first.Add(time.Hour)
	}
	return first
}

// due says which notice of a schedule is owed today, and on which day the next one is.
// Notices whose day was before since, the day on which the thing came to be, are not
// owed; of several that were missed only the latest is. The schedule is in days before
// end, the earliest first.
func due(schedule []int, end, since, today int) (notice int, owed bool, next int, more bool) {
	for _, before := range schedule {
		switch on := end - before; {
		case on < since:
		case on <= today:
			notice, owed = before, true
		case !more:
			next, more = on, true
		}
	}
	return notice, owed, next, more
}

// level is the notice that so few numbers left call for (specification, ENU schedule by
// remaining quantity): 3 at none, 2 at one, 1 at or below the class's figure or a fifth
// of the total, whichever is larger; 0 for none. Untouched says that no number of the
// newest range was taken: such a range fires nothing unless one or none is left.
func level(left, total, figure int64, untouched bool) int {
	switch {
	case left == 0:
		return 3
	case left == 1:
		return 2
	case !untouched && (left <= figure || left*5 <= total):
		return 1
	}
	return 0
}
