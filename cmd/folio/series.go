package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/oklog/ulid/v2"

	"folio/commands"
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
		if state.Open != nil {
			open = fmt.Sprintf("%d documents from %d", len(state.Open.Invoices), state.Open.First)
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

type seriesHoldCmd struct {
	dataFlags
	Series string `arg:"" help:"Series as 'folio series list' shows it."`
	Reason string `help:"Why, for everybody who looks." required:""`
}

// Run works beside a running service and without one.
func (c *seriesHoldCmd) Run(ctx context.Context) error {
	return decideSeries(ctx, c.dataFlags, c.Series, numbering.Hold{Reason: c.Reason}, "held", "is held already")
}

type seriesReleaseCmd struct {
	dataFlags
	Series string `arg:"" help:"Series as 'folio series list' shows it."`
	Reason string `help:"What you found." required:""`
	Next   int64  `help:"First number that nobody has used (Chile, Uruguay): after a restore the log does not know those given out since the backup."`
	Range  string `help:"The id_enumeration of the range that --next is of, where two series letters have the same numbers."`
	Void   bool   `name:"void-open" help:"Give up the open numbers (Chile, Uruguay): what the authority has of them keeps its verdict, every other invoice is rejected with the reason and its number is void. Only when you saw in the authority's records that they can never be ours."`
}

// Validate is called by the parser.
func (c *seriesReleaseCmd) Validate() error {
	if c.Next < 0 || c.Range != "" && c.Next == 0 {
		return errors.New("--next is a number from 1 on, and --range says whose")
	}
	return nil
}

// Run works beside a running service and without one.
func (c *seriesReleaseCmd) Run(ctx context.Context) error {
	return decideSeries(ctx, c.dataFlags, c.Series, numbering.Release{Reason: c.Reason, Next: c.Next, Range: c.Range, VoidOpen: c.Void}, "released", "is not held")
}

// decideSeries records what an operator decides about a series that exists.
func decideSeries(ctx context.Context, d dataFlags, series string, c numbering.Command, done, nothing string) error {
	if _, err := numbering.ParseSeries(series); err != nil {
		return fmt.Errorf("%w: 'folio series list' shows them", err)
	}
	s, err := openExisting(ctx, d)
	if err != nil {
		return err
	}
	x := commands.NewExecutor(s.log, time.Now)
	_, found, err := commands.Load(ctx, x, numbering.Decider, series)
	if err == nil && !found {
		err = fmt.Errorf("there is no series %s: 'folio series list' shows them", series)
	}
	if err == nil {
		var out commands.Outcome[numbering.State]
		out, err = commands.Execute(ctx, x, numbering.Decider, series, c, commands.Request{
			ID: commands.Derived("folio series", ulid.Make().String()), Actor: "folio series", At: time.Now()})
		if err == nil {
			if len(out.Events) == 0 {
				done = nothing
			}
			fmt.Printf("series %s %s\n", series, done)
		}
	}
	return errors.Join(err, s.close(ctx))
}

// openExisting opens the stores of a data folder that must be there.
func openExisting(ctx context.Context, d dataFlags) (*stores, error) {
	if err := d.exists(); err != nil {
		return nil, err
	}
	return openStores(ctx, d, false, d.logger())
}
