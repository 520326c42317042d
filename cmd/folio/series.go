package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"folio/commands/numbering"
	"folio/eventstore"
	"folio/waiting"
)

type seriesCmd struct {
	List    seriesListCmd    `cmd:"" help:"List the numbering series with their last numbers, and why one is held or waits."`
	Hold    seriesHoldCmd    `cmd:"" help:"Hold a series: nothing of it is sent until it is released."`
	Release seriesReleaseCmd `cmd:"" help:"Release a held series, once you have looked."`
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
	states, order, err := allSeries(ctx, s.log)
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

// allSeries folds every numbering stream, in order of first use.
func allSeries(ctx context.Context, log *eventstore.Log) (map[string]numbering.State, []string, error) {
	return foldAll(ctx, log, numbering.Decider)
}

// openExisting opens the stores of a data folder that must be there.
func openExisting(ctx context.Context, d dataFlags) (*stores, error) {
	if err := d.exists(); err != nil {
		return nil, err
	}
	return openStores(ctx, d, false, d.logger())
}
