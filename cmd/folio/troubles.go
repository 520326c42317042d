package main

import (
	"fmt"
	"strings"
)

// troubles are what is wrong, a line each, with what to do where a command tells more: readyz for a person.
func (r readiness) troubles() (all []string) {
	tell := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	if r.Log.State != "" && r.Log.State != "ok" {
		tell("log: %s since %s: %s", r.Log.State, r.Log.Since.Format("2006-01-02 15:04:05Z07:00"), r.Log.Fault)
	}
	for _, s := range r.Stores {
		if s.State != "ok" {
			tell("%s: %s: %s", s.Name, s.State, s.Fault)
		}
	}
	all = append(all, r.feedTroubles()...)
	for _, a := range r.Authorities {
		if !a.Up {
			tell("authority %s (%s): down since %s, invoices wait: %s", a.Authority, a.Environment,
				a.Since.Format("2006-01-02 15:04:05Z07:00"), a.Fault)
		}
	}
	if r.Quarantine.Held > 0 {
		tell("streams that are held: %d (folio quarantine list)", r.Quarantine.Held)
	}
	if n := len(r.Series.Standing); r.Series.Held > 0 || n > 0 {
		tell("series that are held: %d, that stand: %d (folio series list)", r.Series.Held, n)
	}
	if r.Outages.Open > 0 {
		tell("outages of companies' authorities: %d (folio outages list --open)", r.Outages.Open)
	}
	for _, f := range r.MissingFigures {
		tell("no %s %s of %d (folio figures)", f.Country, f.Name, f.Year)
	}
	return all
}

// feedTroubles has a line for each fault, and one for all that are only late.
func (r readiness) feedTroubles() (all []string) {
	var behind, others []string
	for _, f := range r.Feeds {
		switch {
		case f.Fault != "":
			all = append(all, fmt.Sprintf("%s: %s: %s", f.Name, f.State, f.Fault))
		case f.State == standby:
			others = append(others, f.Name)
		case !f.CaughtUp:
			behind = append(behind, f.Name)
		}
	}
	if len(behind) > 0 {
		all = append(all, "not as new as the log yet: "+strings.Join(behind, ", ")+" (folio projections list)")
	}
	if len(others) > 0 {
		all = append(all, "another process does, or this one soon: "+strings.Join(others, ", "))
	}
	return all
}
