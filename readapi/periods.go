package readapi

import (
	"time"

	"folio/strict"
)

// wholeDay is what a date has as an upper bound that is not included itself.
const wholeDay = 24 * time.Hour

// datesOf reads the first and the last day of what is asked for. A period that ends before it begins is refused, since
// nothing can lie in it.
func datesOf(q *strict.Query) (from, to string) {
	from, to = q.Date("date_from"), q.Date("date_to")
	if from != "" && to != "" && to < from {
		q.EndsBefore("date_from", "date_to")
	}
	return from, to
}

// timesOf reads the bounds of a period, from and to. Where to is a date, ofDate is added to its beginning. A period
// that ends before it begins is refused.
func timesOf(q *strict.Query, ofDate time.Duration) (from, to time.Time) {
	from, _ = instantOf(q, "from")
	to, day := instantOf(q, "to")
	last := to
	if day {
		last, to = to.Add(wholeDay-1), to.Add(ofDate)
	}
	if !from.IsZero() && !to.IsZero() && last.Before(from) {
		q.EndsBefore("from", "to")
	}
	return from, to
}

// instantOf reads a bound of a period: RFC 3339, or a date in UTC (day), whose beginning it is.
func instantOf(q *strict.Query, name string) (at time.Time, day bool) {
	text := q.String(name, strict.MaxLen(40))
	if text == "" {
		return time.Time{}, false
	}
	at, err := time.Parse(time.DateOnly, text)
	day = err == nil
	if !day {
		at, err = time.Parse(time.RFC3339, text)
	}
	if year := at.UTC().Year(); err != nil || year < 0 || year > 9999 {
		q.Fail(name, strict.CodeFormat, "Write a time like 2026-03-02T15:04:05Z or a date like 2026-03-02.")
		return time.Time{}, false
	}
	return at.UTC(), day
}
