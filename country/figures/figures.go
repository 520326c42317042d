// Package figures is the one table of what the law sets by date: thresholds that change
// by decree, values of units that are published each year, and the days from which a
// format's elements are required. Nothing else in the program holds such a figure.
//
// A figure is in force from the day it names until the day of the next one of the same
// country and name. Days are those of the country's fiscal day.
package figures

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"folio/money"
)

// Figure is one value with the day from which it holds.
type Figure struct {
	Country string        `json:"country"` // ISO 3166-1 alpha-2
	Name    string        `json:"name"`    // one of Names
	Since   string        `json:"since"`   // first day, YYYY-MM-DD
	Value   money.Decimal `json:"value"`   // in the unit of its Name
	Source  string        `json:"source"`  // the act or the publisher
}

// Name says what the figures of a name mean.
type Name struct {
	Country, Name string
	Unit          string // of the values, as people read it
	Switch        bool   // 1 where something is so and 0 where it is not
	Yearly        bool   // one is due each year: without it the one of an earlier year is used
	Means         string
}

// is says whether it is the name of a country's figure.
func (n Name) is(country, name string) bool { return n.Country == country && n.Name == name }

// Table is a set of figures. The zero Table is the one that is built in.
type Table struct{ over []Figure }

// With is the table with more figures: one of the same country, name and day replaces
// what the table has. It refuses all of them when one has a fault.
func (t Table) With(more ...Figure) (Table, error) {
	if err := errors.Join(Faults(more)...); err != nil {
		return Table{}, err
	}
	return Table{over: append(slices.Clip(t.over), more...)}, nil
}

// Faults say of each row what is wrong with it, nil where nothing is: a name that no rule reads, a day that is none, a
// value below zero, or of more than 13 digits before and 6 after the point, or for a switch neither 0 nor 1, no source,
// and a second value of one day, since nobody could tell which of the two counts.
func Faults(rows []Figure) []error {
	faults := make([]error, len(rows))
	for i, f := range rows {
		wrong := f.faults()
		if before := slices.IndexFunc(rows[:i], f.sameDay); before >= 0 {
			wrong = append(wrong, fmt.Sprintf("row %d has a value of the same day: keep one of them", before+1))
		}
		if len(wrong) > 0 {
			faults[i] = fmt.Errorf("row %d (%s %s %s): %s", i+1, f.Country, f.Name, f.Since, strings.Join(wrong, "; "))
		}
	}
	return faults
}

func (f Figure) sameDay(other Figure) bool {
	return f.Country == other.Country && f.Name == other.Name && f.Since == other.Since
}

var one = money.MustParse("1")

// faults say what is wrong with a figure by itself.
func (f Figure) faults() []string {
	var wrong []string
	at := slices.IndexFunc(Names, func(n Name) bool { return n.is(f.Country, f.Name) })
	if at < 0 {
		wrong = append(wrong, "no rule reads a figure of this country and name: use "+known())
	}
	if day, err := time.Parse(time.DateOnly, f.Since); err != nil || day.Year() < 2000 || day.Year() > 2100 {
		wrong = append(wrong, fmt.Sprintf("since is the first day on which it holds, as YYYY-MM-DD, and %q is none", f.Since))
	}
	switch {
	case f.Value.Sign() < 0 || f.Value.WholeDigits() > 13 || f.Value.Decimals() > 6:
		wrong = append(wrong, fmt.Sprintf("%s is no value: it is 0 or above, with at most 13 digits before and 6 after the point",
			f.Value))
	case at >= 0 && Names[at].Switch && !f.Value.IsZero() && f.Value.Cmp(one) != 0:
		wrong = append(wrong, fmt.Sprintf("%s is no value of a switch: it is %s", f.Value, Names[at].Unit))
	}
	if strings.TrimSpace(f.Source) == "" {
		wrong = append(wrong, "source is missing: name the act or the publisher, for whoever looks later")
	}
	return wrong
}

func known() string {
	list := make([]string, 0, len(Names))
	for _, n := range Names {
		list = append(list, n.Country+" "+n.Name)
	}
	return strings.Join(list, ", ")
}

// At is the figure in force on a day; false before the first one.
func (t Table) At(country, name string, day time.Time) (Figure, bool) {
	on := day.Format(time.DateOnly)
	var found Figure
	for _, list := range [][]Figure{builtIn, t.over} {
		for _, f := range list {
			if f.Country == country && f.Name == name && f.Since <= on && f.Since >= found.Since {
				found = f
			}
		}
	}
	return found, found.Since != ""
}

// Holds says whether a figure that switches something, 1 from the day on which it is
// required and 0 where it is not yet, is 1 on a day.
func (t Table) Holds(country, name string, day time.Time) bool {
	f, ok := t.At(country, name, day)
	return ok && f.Value.Sign() > 0
}

// InForce are all figures in force on a day, in the order of Names.
func (t Table) InForce(day time.Time) []Figure {
	var list []Figure
	for _, n := range Names {
		if f, ok := t.At(n.Country, n.Name, day); ok {
			list = append(list, f)
		}
	}
	return list
}

// Missing is a yearly figure of which the day's year has none yet.
type Missing struct {
	Country string `json:"country"`
	Name    string `json:"name"`
	Year    int    `json:"year"`            // that has none
	Used    string `json:"used,omitempty"`  // first day of the one that is used instead
	Value   string `json:"value,omitempty"` // likewise
}

// Missing are the yearly figures that a year lacks; what is used is of an earlier year.
// today is the day in each country, which may differ between them on the last of the year.
func (t Table) Missing(today func(country string) time.Time) []Missing {
	list := []Missing{}
	for _, n := range Names {
		day := today(n.Country)
		f, ok := t.At(n.Country, n.Name, day)
		if !n.Yearly || !ok || f.Since[:4] == day.Format("2006") { // without one the rule has not begun
			continue
		}
		list = append(list, Missing{Country: n.Country, Name: n.Name, Year: day.Year(), Used: f.Since,
			Value: f.Value.String()})
	}
	return list
}
