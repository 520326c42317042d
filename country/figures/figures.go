// Package figures is the one table of what the law sets by date: thresholds that change
// by decree, values of units that are published each year, and the days from which a
// format's elements are required. Nothing else in the program holds such a figure.
//
// A figure is in force from the day it names until the day of the next one of the same
// country and name. Days are those of the country's fiscal day.
package figures

import (
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
	Yearly        bool   // one is due each year: without it the one of an earlier year is used
	Means         string
}

// is says whether it is the name of a country's figure.
func (n Name) is(country, name string) bool { return n.Country == country && n.Name == name }

// Table is a set of figures. The zero Table is the one that is built in.
type Table struct{ over []Figure }

// With is the table with more figures: one of the same country, name and day replaces
// what the table has. It refuses, as a whole, a name that no rule reads, a day that is
// none and a value below zero or of more than 13 digits before and 6 after the point.
func (t Table) With(more ...Figure) (Table, error) {
	for _, f := range more {
		if !slices.ContainsFunc(Names, func(n Name) bool { return n.is(f.Country, f.Name) }) {
			return Table{}, fmt.Errorf("%q of %q is no figure that a rule reads: use %s", f.Name, f.Country, known())
		}
		if at, err := time.Parse(time.DateOnly, f.Since); err != nil || at.Year() < 2000 || at.Year() > 2100 {
			return Table{}, fmt.Errorf("%s %s: since is the first day on which it holds, as YYYY-MM-DD, and %q is none",
				f.Country, f.Name, f.Since)
		}
		if f.Value.Sign() < 0 || f.Value.WholeDigits() > 13 || f.Value.Decimals() > 6 {
			return Table{}, fmt.Errorf("%s %s: %s is no value: it is 0 or above, with at most 13 digits before and 6 after "+
				"the point", f.Country, f.Name, f.Value)
		}
	}
	return Table{over: append(slices.Clip(t.over), more...)}, nil
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
