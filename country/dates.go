package country

import (
	"strings"
	"time"
)

// Day is the civil day of t at midnight UTC, so that days can be compared.
func Day(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
}

// Either is a document's day, or today where its date could not be read.
func Either(date, today time.Time) time.Time {
	if date.IsZero() {
		return today
	}
	return date
}

// DayOf is the day of a date that may have a time behind it, both as documents hold them.
func DayOf(date string) string { return strings.TrimSpace(Cut(date, len(time.DateOnly))) }

// Date reads a date of this century and returns its day; false, and a violation, when it
// is none.
func (v *Violations) Date(code, path, text, layout string) (time.Time, bool) {
	t, err := time.Parse(layout, text)
	// time.Parse also takes fractions of a second, and commas before them.
	if err != nil || len(text) != len(layout) || t.Year() < 2000 {
		example := strings.NewReplacer("2006-01-02", "YYYY-MM-DD", "15:04:05", "HH:MM:SS").Replace(layout)
		v.Add(path, code, "it must be a date as %s, of the year 2000 or a later one", example)
		return time.Time{}, false
	}
	return Day(t), true
}

// Zoned is implemented by the rules of countries whose companies are in several time zones.
type Zoned interface {
	ZoneOf(issuer Issuer) *time.Location
}

// ZoneOf is where the fiscal day of a company is counted: that of the rules; the country's
// where they do not say.
func ZoneOf(rules Rules, issuer Issuer) *time.Location {
	if z, ok := rules.(Zoned); ok {
		return z.ZoneOf(issuer)
	}
	return rules.Location()
}

// Zone is a time zone of the IANA database as a TZif file in the program: so any host
// computes the same day, one without time zone data too. It panics on another file.
func Zone(name string, tzif []byte) *time.Location {
	l, err := time.LoadLocationFromTZData(name, tzif)
	if err != nil {
		panic("load " + name + ": " + err.Error())
	}
	return l
}
