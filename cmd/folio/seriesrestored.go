package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"folio/commands"
	"folio/commands/company"
	"folio/commands/numbering"
	"folio/countries"
	"folio/country"
	"folio/events"
)

// restoredFrom begins why a restore holds a series.
const restoredFrom = "Restored from the backup of "

func heldByRestore(held string) bool { return strings.HasPrefix(held, restoredFrom) }

// confirmed refuses to release what a restore holds without the next number: those that were given out since the backup
// would be given out again.
func confirmed(held string, c numbering.Command) error {
	if r, release := c.(numbering.Release); release && r.Next == 0 && heldByRestore(held) {
		return errors.New("a restore holds it: look up the last number that was given out, and name the one behind it with " +
			"--next; where its ranges have none left, upload the next one first")
	}
	return nil
}

// releasing is the command that lets a held series go on. After a restore one without --next would give out again the
// numbers that were used since the backup.
func releasing(series, held string) string {
	next := ""
	if heldByRestore(held) {
		next = " --next N"
	}
	return "folio series release " + series + next + " --reason ..."
}

// heldSeries is what a restore did with the series that could give a number out again.
type heldSeries struct {
	held       []string
	contingent []string // held too: series of contingency points
	unused     []string // up to the backup, so that they go on
}

func (h heldSeries) say() {
	for _, id := range h.held {
		fmt.Printf("series %s is held: numbers given out after the backup are not in this log. Find the last one used, "+
			"then release it: folio series release %s --next N --reason ...\n", id, id)
	}
	for _, id := range h.contingent {
		fmt.Printf("series %s of a contingency point is held: ARCA does not know documents that were not reported. Find "+
			"the last one issued (1 comes next if there is none), then release it: folio series release %s --next N "+
			"--reason ...\n", id, id)
	}
	if len(h.held)+len(h.contingent) > 1 {
		fmt.Println("all of them, one question each: folio series release --all --reason ...")
	}
	for _, id := range h.unused {
		fmt.Printf("series %s goes on: no number of its ranges was used up to the backup. If one was used after it: "+
			"folio series hold %s --reason ...\n", id, id)
	}
}

// holdSeries stops every series that would give numbers out again: those whose numbers come from ranges that were in
// use, and those of contingency points. Where the authority's last number is the truth (Argentina's ordinary points)
// nothing can go wrong.
func holdSeries(ctx context.Context, s *stores, n note) (found heldSeries, err error) {
	states, order, err := allSeries(ctx, s)
	if err != nil {
		return found, err
	}
	companies, err := allCompanies(ctx, s.log)
	if err != nil {
		return found, err
	}
	points := contingencySeries(companies)
	x := commands.NewExecutor(s.log, time.Now)
	reason := events.Because(restoredFrom+"%s: numbers given out after it are not known. Confirm the last number used, then "+
		"release", n.At.Format(time.RFC3339))
	for _, id := range slices.Concat(order, missing(points, states)) {
		state := states[id]
		contingent := state.Contingent.Last > 0 || slices.Contains(points, id)
		if len(state.Ranges) == 0 && !contingent || state.trouble != nil {
			continue // what cannot be read is held by that
		}
		if _, last := state.LastTaken(); last == 0 && state.Held == "" && !contingent {
			found.unused = append(found.unused, id)
			continue
		}
		_, err := commands.Bind(x, numbering.Decider).Execute(ctx, id, numbering.Hold{Reason: reason}, commands.Request{
			ID: commands.Derived("folio restore", id+n.At.String()), Actor: "folio restore", At: time.Now()})
		if err != nil {
			return found, fmt.Errorf("hold series %s: %w", id, err)
		}
		if contingent {
			found.contingent = append(found.contingent, id)
			continue
		}
		found.held = append(found.held, id)
	}
	return found, nil
}

// contingencySeries are the series that the contingency points of companies may have, whatever their mode is now, those
// of earlier settings too. The first document of one may have been issued after the backup, in the environment that
// the company is in now or in Production, where it may have gone meanwhile.
func contingencySeries(companies map[string]company.State) (ids []string) {
	for id, co := range companies {
		rules, known := countries.ByCode(co.Country)
		may, contingent := rules.(country.Contingent)
		if !known || !contingent {
			continue
		}
		environments := []string{"Production", "Testing"}
		if co.Environment() == environments[0] {
			environments = environments[:1]
		}
		for _, point := range co.ContingencyPoints {
			for _, environment := range environments {
				for _, kind := range may.ContingencyTypes() {
					ids = append(ids, numbering.Series{Company: id, Environment: environment, OfficialCode: kind,
						BranchOffice: point}.ID())
				}
			}
		}
	}
	slices.Sort(ids)
	return ids
}

// missing are the series that no event has named yet.
func missing(ids []string, known map[string]series) (out []string) {
	for _, id := range ids {
		if _, ok := known[id]; !ok {
			out = append(out, id)
		}
	}
	return out
}
