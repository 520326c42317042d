package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"strings"
	"text/tabwriter"

	"folio/country"
	"folio/events"
	"folio/eventstore"
	"folio/past"
	"folio/projections"
	"folio/projections/engine"
	"folio/tables"
)

// projectionFlag names one projection.
type projectionFlag struct {
	dataFlags
	Name string `arg:"" help:"Projection, as folio projections list shows it."`
}

// on runs f for the projection.
func (c projectionFlag) on(ctx context.Context, f func(s *stores, p engine.Projection) error) error {
	p, ok := projections.Named(c.Name)
	if !ok {
		return fmt.Errorf("there is no projection %q: see folio projections list", c.Name)
	}
	return onStores(ctx, c.dataFlags, func(s *stores) error { return f(s, p) })
}

// steered runs a change of the projection's build and says what it did.
func (c projectionFlag) steered(ctx context.Context, done string,
	change func(context.Context, tables.Store, engine.Projection) error) error {
	return c.on(ctx, func(s *stores, p engine.Projection) error {
		if err := change(ctx, s.tables, p); err != nil {
			return err
		}
		fmt.Printf("projection %s: %s\n", p.Name(), done)
		return nil
	})
}

type projectionsPauseCmd struct{ projectionFlag }

// Run has the rebuild stand.
func (c *projectionsPauseCmd) Run(ctx context.Context) error {
	return c.steered(ctx, "its rebuild is paused", engine.Pause)
}

type projectionsResumeCmd struct{ projectionFlag }

// Run has the rebuild go on.
func (c *projectionsResumeCmd) Run(ctx context.Context) error {
	return c.steered(ctx, "its rebuild goes on", engine.Resume)
}

type projectionsCancelCmd struct{ projectionFlag }

// Run gives the rebuild up.
func (c *projectionsCancelCmd) Run(ctx context.Context) error {
	return c.steered(ctx, "its rebuild was given up", engine.Cancel)
}

// waitFlag waits for what the service does when it is asked.
type waitFlag struct {
	projectionFlag
	Wait bool `help:"Wait until it is done. The service does it, so it must run."`
}

// steered changes the build, and waits for what follows when that is wanted.
func (c waitFlag) steered(ctx context.Context, under string,
	change func(context.Context, tables.Store, engine.Projection) error) error {
	if err := c.projectionFlag.steered(ctx, under, change); err != nil || !c.Wait {
		return err
	}
	return c.on(ctx, func(s *stores, p engine.Projection) error {
		return awaitBuilt(ctx, []rebuilding{awaitProjection(ctx, s, p)})
	})
}

type projectionsSwitchCmd struct{ waitFlag }

// Run lets a held rebuild take over.
func (c *projectionsSwitchCmd) Run(ctx context.Context) error {
	return c.steered(ctx, "its rebuild takes over as soon as it has caught up", engine.Switch)
}

type projectionsRollbackCmd struct{ waitFlag }

// Run returns to what was kept.
func (c *projectionsRollbackCmd) Run(ctx context.Context) error {
	return c.steered(ctx, "back to the documents of before the rebuild; lists wait until they have caught up",
		engine.Rollback)
}

type projectionsDropCmd struct{ projectionFlag }

// Run drops what was kept for a rollback, and older versions.
func (c *projectionsDropCmd) Run(ctx context.Context) error {
	return c.on(ctx, func(s *stores, p engine.Projection) error {
		dropped, err := engine.DropKept(ctx, s.tables, p)
		for _, table := range dropped {
			fmt.Printf("dropped %s\n", table)
		}
		if err == nil && len(dropped) == 0 {
			fmt.Printf("projection %s: nothing is kept\n", p.Name())
		}
		return err
	})
}

// formatFlag chooses how tables are printed.
type formatFlag struct {
	Format string `enum:"text,json,csv" default:"text" help:"text, json (one object a line) or csv."`
}

// print writes rows under columns. In JSON a number is a number.
func (f formatFlag) print(to io.Writer, columns []string, rows [][]any) error {
	switch f.Format {
	case "json":
		out := lines(to)
		for _, row := range rows {
			object := map[string]any{}
			for i, name := range columns {
				object[name] = row[i]
			}
			if err := out.Encode(object); err != nil {
				return err
			}
		}
		return nil
	case "csv":
		w := past.NewCSV(to)
		w.Row(columns...)
		for _, row := range rows {
			w.Row(texts(row)...)
		}
		return w.Flush()
	}
	w := tabwriter.NewWriter(to, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, strings.ToUpper(strings.Join(columns, "\t")))
	for _, row := range rows {
		fmt.Fprintln(w, strings.Join(texts(row), "\t"))
	}
	return w.Flush()
}

// texts are the cells of a row; nil is empty.
func texts(row []any) []string {
	return country.Collect(row, func(cell any) string {
		if cell == nil {
			return ""
		}
		return fmt.Sprint(cell)
	})
}

type projectionsListCmd struct {
	dataFlags
	formatFlag
}

// Run lists every projection with its documents, and how far a rebuild came.
func (c *projectionsListCmd) Run(ctx context.Context) error {
	return onStores(ctx, c.dataFlags, func(s *stores) error {
		end, err := s.log.End(ctx)
		if err != nil {
			return err
		}
		var rows [][]any
		var absent []string
		for _, p := range projections.All {
			b, err := engine.Inspect(ctx, s.tables, p)
			if err != nil {
				return err
			}
			done, err := doneOf(ctx, s.log, p, b.At, end)
			if err != nil {
				return err
			}
			built, err := doneOf(ctx, s.log, p, b.BuiltTo, end)
			if err != nil {
				return err
			}
			older, err := engine.Older(ctx, s.tables, p)
			if err != nil {
				return err
			}
			state := conditionOf(b)
			if !b.Begun {
				state, absent = "not begun", append(absent, fmt.Sprintf("%s: %s\n", p.Name(), notBegun(p)))
			}
			rows = append(rows, []any{p.Name(), p.Version(), b.Table, state, done, b.Building, built, b.Kept,
				strings.Join(older, " ")})
		}
		fmt.Fprint(os.Stderr, strings.Join(absent, ""))
		return c.print(os.Stdout, []string{"name", "version", "table", "state", "done", "building", "built", "kept",
			"older"}, rows)
	})
}

// conditionOf is how a projection stands, in a word.
func conditionOf(b engine.Build) string {
	switch {
	case b.Building != "" && b.Paused:
		return "rebuild paused"
	case b.Building != "" && b.Held:
		return "rebuild held"
	case b.Building != "":
		return "rebuilding"
	case !b.Ready:
		return "first build"
	case b.Behind:
		return "catching up"
	}
	return "ready"
}

// percent is a part of a hundred: a number in JSON, with its sign elsewhere.
type percent float64

// String has one decimal.
func (p percent) String() string { return fmt.Sprintf("%.1f%%", float64(p)) }

// MarshalJSON has one decimal, too.
func (p percent) MarshalJSON() ([]byte, error) {
	return json.Marshal(json.Number(fmt.Sprintf("%.1f", float64(p))))
}

// wholeLog is the log as doneOf reads it.
type wholeLog interface {
	All(ctx context.Context, after events.Position, f eventstore.Filter) iter.Seq2[events.Recorded, error]
}

// doneOf is how much of the log is behind a position: all of it when no event follows that
// the projection reads. nil: nothing is built, or there is nothing to build from.
func doneOf(ctx context.Context, log wholeLog, p engine.Projection, at, end events.Position) (any, error) {
	if at.IsZero() || end.Commit == 0 {
		return nil, nil
	}
	if at.Before(end) {
		for _, err := range log.All(ctx, at, eventstore.Filter{Types: p.Types()}) {
			return percent(min(99.9, 100*float64(at.Commit)/float64(end.Commit))), err
		}
	}
	return percent(100), nil
}

type projectionsShowCmd struct {
	projectionFlag
	ID    string `arg:"" optional:"" help:"Document; none: all of them."`
	Limit int    `default:"100" help:"The most documents."`
	formatFlag
}

// Run prints documents as they are kept.
func (c *projectionsShowCmd) Run(ctx context.Context) error {
	return c.on(ctx, func(s *stores, p engine.Projection) error {
		b, err := engine.Inspect(ctx, s.tables, p)
		if err != nil {
			return err
		}
		side := engine.Side{Store: s.tables, Table: b.Table}
		if c.ID != "" {
			d, err := s.tables.Get(ctx, b.Table, c.ID)
			if err != nil {
				return c.missing(err)
			}
			return c.rows([]tables.Document{d}, p)
		}
		docs, err := engine.First(ctx, p, projections.Companies, side, c.Limit)
		if err != nil {
			return err
		}
		return c.rows(docs, p)
	})
}

// missing says what to do where there is no such document.
func (c *projectionsShowCmd) missing(err error) error {
	switch {
	case errors.Is(err, tables.ErrNotFound):
		return fmt.Errorf("projection %s has no document %q: without an id its documents are listed", c.Name, c.ID)
	case errors.Is(err, tables.ErrNoTable):
		return fmt.Errorf("projection %s is not built yet: a service that runs builds it", c.Name)
	}
	return err
}

func (c *projectionsShowCmd) rows(docs []tables.Document, p engine.Projection) error {
	if c.Format != "csv" {
		out := lines(os.Stdout)
		for _, d := range docs {
			if err := out.Encode(struct {
				ID       string          `json:"id"`
				List     string          `json:"list,omitempty"`
				Position string          `json:"position"`
				Document json.RawMessage `json:"document"`
			}{d.ID, d.List, d.At.String(), d.Body}); err != nil {
				return err
			}
		}
		return nil
	}
	columns := []string{"id", "list", "position"}
	for _, a := range p.Attributes() {
		columns = append(columns, a.Name)
	}
	rows := make([][]any, len(docs))
	for i, d := range docs {
		rows[i] = []any{d.ID, d.List, d.At.String()}
		for _, a := range p.Attributes() {
			rows[i] = append(rows[i], d.Attributes[a.Name])
		}
		rows[i] = append(rows[i], string(d.Body))
	}
	return c.print(os.Stdout, append(columns, "document"), rows)
}
