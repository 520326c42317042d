package main

import (
	"context"
	"fmt"
	"time"

	"folio/commands"
	"folio/commands/numbering"
)

// heldSeries is what a restore did with the series whose numbers come from ranges.
type heldSeries struct {
	held   []string
	unused []string // up to the backup, so that they go on
}

func (h heldSeries) say() {
	for _, id := range h.held {
		fmt.Printf("series %s is held: numbers given out after the backup are not in this log. Find the last one used, "+
			"then release it: folio series release %s --next N --reason ...\n", id, id)
	}
	if len(h.held) > 1 {
		fmt.Println("all of them, one question each: folio series release --all --reason ...")
	}
	for _, id := range h.unused {
		fmt.Printf("series %s goes on: no number of its ranges was used up to the backup. If one was used after it: "+
			"folio series hold %s --reason ...\n", id, id)
	}
}

// holdSeries stops every series whose numbers come from ranges that were in use: a number that was given out after
// the backup would be given out again. Where the authority's last number is the truth (Argentina) nothing can go
// wrong.
func holdSeries(ctx context.Context, s *stores, n note) (found heldSeries, err error) {
	states, order, err := allSeries(ctx, s)
	if err != nil {
		return found, err
	}
	x := commands.NewExecutor(s.log, time.Now)
	reason := fmt.Sprintf("Restored from the backup of %s: numbers given out after it are not known. Confirm the last "+
		"number used, then release.", n.At.Format(time.RFC3339))
	for _, id := range order {
		if len(states[id].Ranges) == 0 || states[id].trouble != nil {
			continue // what cannot be read is held by that
		}
		if _, last := states[id].LastTaken(); last == 0 && states[id].Held == "" {
			found.unused = append(found.unused, id)
			continue
		}
		_, err := commands.Bind(x, numbering.Decider).Execute(ctx, id, numbering.Hold{Reason: reason}, commands.Request{
			ID: commands.Derived("folio restore", id+n.At.String()), Actor: "folio restore", At: time.Now()})
		if err != nil {
			return found, fmt.Errorf("hold series %s: %w", id, err)
		}
		found.held = append(found.held, id)
	}
	return found, nil
}
