package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"

	"folio/events"
	"folio/eventstore"
	"folio/flat"
	"folio/quarantine"
)

type exportCmd struct {
	Company exportCompanyCmd `cmd:"" help:"All that the log has of a company, with proofs, in a ZIP that others verify without this program."`
	Events  exportEventsCmd  `cmd:"" help:"Every event of the log: one JSON object a line, or tables for analysts."`
}

type exportEventsCmd struct {
	dataFlags
	untilFlag
	After  string `help:"Begin after this position, such as the last one of the export before." placeholder:"POSITION"`
	Format string `enum:"ndjson,parquet" default:"ndjson" help:"ndjson: events, one a line. parquet: a folder with tables of events, invoices and lines."`
	Out    string `help:"Write to this file, or with parquet into this folder; without it to standard output." placeholder:"FILE"`
}

// Validate is called by the parser.
func (c *exportEventsCmd) Validate() error {
	switch {
	case c.Format != "parquet":
		return nil
	case c.Out == "":
		return errors.New("three tables do not go to standard output: name a folder with --out")
	case c.After != "":
		return errors.New("the tables have the whole log, so that invoices are as they stand: leave --after away")
	}
	return nil
}

// exported is an event as the feed has it.
type exported struct {
	ID       string          `json:"id"`
	Type     string          `json:"type"`
	Schema   int             `json:"schema"`
	Time     time.Time       `json:"time"`      // of the request that led to it
	LoggedAt time.Time       `json:"logged_at"` // by the log's clock
	Actor    string          `json:"actor,omitempty"`
	Stream   string          `json:"stream"`
	Revision uint64          `json:"revision"`
	Position string          `json:"position"`
	Data     json.RawMessage `json:"data"` // as stored: see /api/events/schemas/{type}/{schema}
}

// Run works beside a running service and without one.
func (c *exportEventsCmd) Run(ctx context.Context) error {
	until, err := c.moment()
	if err != nil {
		return err
	}
	var after events.Position
	if c.After != "" {
		if after, err = events.ParseEventPosition(c.After); err != nil {
			return fmt.Errorf("--after: %w", err)
		}
	}
	return onStores(ctx, c.dataFlags, func(s *stores) (err error) {
		err = cmp.Or(come(ctx, s.log, "--after", events.Moment{Position: after}), come(ctx, s.log, "--until", until))
		if err != nil {
			return err
		}
		if c.Format == "parquet" {
			return exportTables(ctx, s, c.Out, until)
		}
		if c.Out == "" {
			return exportEvents(ctx, os.Stdout, s.log, after, until)
		}
		f, err := os.Create(c.Out)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, f.Close()) }()
		return exportEvents(ctx, f, s.log, after, until)
	})
}

// exportEvents writes Folio's own events after a position, up to a moment.
func exportEvents(ctx context.Context, to io.Writer, log *eventstore.Log, after events.Position,
	until events.Moment) error {
	w := bufio.NewWriter(to)
	out := lines(w)
	for r, err := range log.All(ctx, after, eventstore.Filter{}) {
		if err != nil {
			return fmt.Errorf("export: %w", err)
		}
		if !until.Holds(r) {
			break
		}
		if events.KinshipOf(r) == events.Foreign {
			continue
		}
		if err := out.Encode(exported{r.ID, r.Type, r.Meta.Schema, r.Meta.At.UTC(), r.When().UTC(), r.Meta.Actor, r.Stream,
			r.Revision,
			r.Position.String(), json.RawMessage(r.Raw)}); err != nil {
			return fmt.Errorf("export %s at %s: %w", r.Type, r.Position, err)
		}
	}
	return w.Flush()
}

// exportTables writes the tables of package flat into a folder.
func exportTables(ctx context.Context, s *stores, dir string, until events.Moment) error {
	room, err := quarantine.Open(ctx, s.log, s.tables, time.Now, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	n, err := flat.Write(ctx, s.log, dir, until, room.Skips)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(os.Stderr, "%d events, %d invoices and %d lines up to %s are in %s\n",
		n.Events, n.Invoices, n.Lines, n.UpTo, dir)
	return err
}
