package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"folio/commands"
	"folio/commands/numbering"
	"folio/events"
	"folio/eventstore"
	"folio/waiting"
)

type seriesCmd struct {
	List    seriesListCmd    `cmd:"" help:"List the numbering series with their last numbers, and why one is held or waits."`
	Hold    seriesHoldCmd    `cmd:"" help:"Hold a series: nothing of it is sent until it is released."`
	Release seriesReleaseCmd `cmd:"" help:"Release a held series, once you have looked."`
	Ledger  seriesLedgerCmd  `cmd:"" help:"Tell the life of each number of a series."`
	Gaps    seriesGapsCmd    `cmd:"" help:"Tell which numbers of a series are no accepted documents, and why."`
}

type seriesListCmd struct{ dataFlags }

// Run works beside a running service and without one.
func (c *seriesListCmd) Run(ctx context.Context) error {
	s, err := openExisting(ctx, c.dataFlags)
	if err != nil {
		return err
	}
	err = listSeries(ctx, s)
	return errors.Join(err, s.close(ctx))
}

func listSeries(ctx context.Context, s *stores) error {
	notes, err := waiting.Open(ctx, s.tables, time.Now)
	if err != nil {
		return err
	}
	states, order, err := allSeries(ctx, s)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "SERIES\tLAST\tOPEN\tSTATE")
	for _, id := range order {
		state, what := states[id], "goes on"
		reason, err := notes.Get(ctx, id)
		if err != nil {
			return err
		}
		switch {
		case state.trouble != nil:
			what = "CANNOT BE READ: " + firstLine(state.trouble.Error())
		case state.Held != "":
			what = "HELD: " + state.Held
		case reason != nil:
			what = string(reason.Code) + ": " + reason.Text
		}
		open := "-"
		if len(state.Open) > 0 {
			documents := 0
			for _, o := range state.Open {
				documents += len(o.Invoices)
			}
			open = fmt.Sprintf("%d documents from %d", documents, state.Open[0].First)
		}
		letter, number := state.LastTaken()
		last := strings.TrimSpace(fmt.Sprint(letter, " ", number))
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", id, last, open, what)
	}
	return w.Flush()
}

// series is a numbering series as the log has it, or why that cannot be told.
type series struct {
	numbering.State
	trouble error
}

// allSeries loads every numbering stream, in order of first use. One that cannot be read
// keeps the others from nothing.
func allSeries(ctx context.Context, s *stores) (map[string]series, []string, error) {
	states, order := map[string]series{}, []string{}
	x, err := s.guardedExecutor(ctx)
	if err != nil {
		return nil, nil, err
	}
	prefix := numbering.Decider.Category + "-"
	for r, err := range s.log.All(ctx, events.Position{}, eventstore.Filter{Streams: []string{prefix}}) {
		if err != nil {
			return nil, nil, fmt.Errorf("read the numbering streams: %w", err)
		}
		id := r.Stream[len(prefix):]
		if _, known := states[id]; known || events.KinshipOf(r) == events.Foreign {
			continue
		}
		state, _, err := commands.Bind(x, numbering.Decider).Load(ctx, id)
		var t *events.Trouble
		if err != nil && !errors.As(err, &t) {
			return nil, nil, err
		}
		if states[id], order = (series{state, nil}), append(order, id); t != nil {
			states[id] = series{state, t}
		}
	}
	return states, order, nil
}

// openExisting opens the stores of a data folder that must be there.
func openExisting(ctx context.Context, d dataFlags) (*stores, error) {
	if err := d.exists(); err != nil {
		return nil, err
	}
	return openStores(ctx, d, false, d.logger())
}
