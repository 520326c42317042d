package verify_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"folio/clock"
	"folio/events"
	"folio/eventstore"
	"folio/projections"
	"folio/projections/engine"
	"folio/tables"
	"folio/verify"
)

// source is a log as projections follow it.
type source struct{ *eventstore.Log }

func (s source) Head(ctx context.Context) (events.Position, error) { return s.End(ctx) }

func (s source) Read(ctx context.Context, stream string, from uint64) iter.Seq2[events.Recorded, error] {
	return s.Log.Read(ctx, stream, from)
}

func (s source) Follow(ctx context.Context, after events.Position, types []string,
	handle func(context.Context, engine.Batch) error) error {
	return s.Log.Follow(ctx, after, eventstore.Filter{Types: types}, eventstore.FollowOptions{CheckpointEvery: 1},
		func(ctx context.Context, b eventstore.Batch) error { return handle(ctx, engine.Batch(b)) })
}

// fold makes read models of the log.
func (w *world) fold(of ...engine.Projection) {
	w.t.Helper()
	r, err := engine.NewRunner(engine.Options{Tables: w.tables, Source: source{w.log}, Store: "L", Owner: "test",
		Projections: of})
	if err != nil {
		w.t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	ended := make(chan error, 1)
	go func() { ended <- r.Run(ctx) }()
	for _, p := range of {
		for built := false; !built && err == nil; clock.Sleep(ctx, time.Millisecond) {
			built, err = engine.Built(ctx, w.tables, p)
			err = errors.Join(err, ctx.Err())
		}
	}
	stop()
	if err = errors.Join(err, <-ended); err != nil {
		w.t.Fatal(err)
	}
}

// Of what one event makes no row is kept, only the sum of all: where that is not the live one, the log is read once
// more to name the row. A run that may be gone on from keeps rows, and names it as well.
func TestARowOfWhichOnlyTheSumIsKnownIsNamed(t *testing.T) {
	w := newWorld(t, many(2_000))
	w.fold(projections.Facts, projections.Invoices)
	opened := 0
	verified := func(state string) (verify.Report, error) {
		c := w.config()
		c.State, c.Models = state, []engine.Projection{projections.Facts, projections.Invoices}
		c.Scratch = func(context.Context) (tables.Store, error) {
			opened++
			return w.open(fmt.Sprintf("scratch-%d.db", opened)), nil
		}
		return verify.Run(t.Context(), c)
	}
	report, err := verified("")
	if err != nil || report.Documents < 2_000 {
		t.Fatalf("of data that nobody touched: %+v, %v", report, err)
	}
	db, err := sql.Open("sqlite", filepath.Join(w.dir, "tables.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	table := fmt.Sprintf("t_facts_v%d", projections.Facts.Version())
	var stream string
	var revision uint64
	if err := db.QueryRowContext(t.Context(), `UPDATE `+table+`
		SET body = CAST(replace(CAST(body AS TEXT), 'C1', 'C2') AS BLOB)
		WHERE id = (SELECT id FROM `+table+` ORDER BY id LIMIT 1 OFFSET 700) RETURNING json_extract(CAST(body AS TEXT),
		'$.stream'), json_extract(CAST(body AS TEXT), '$.revision')`).Scan(&stream, &revision); err != nil {
		t.Fatal(err)
	}
	for _, state := range []string{"", filepath.Join(t.TempDir(), "state")} {
		_, err := verified(state)
		var d *verify.Difference
		if !errors.As(err, &d) || d.Stream != stream || d.Revision != revision || !strings.Contains(d.What, "facts") ||
			!strings.Contains(d.What, "its content") {
			t.Errorf("with state %q it ends with %v, and the row is of revision %d of %s", state, err, revision, stream)
		}
	}
}

// Rows and checkpoint are written together, so whoever takes the checkpoint away hides no row behind it.
func TestACheckpointThatWasTakenAwayHidesNothing(t *testing.T) {
	w := newWorld(t, many(20))
	w.fold(projections.Invoices)
	db, err := sql.Open("sqlite", filepath.Join(w.dir, "tables.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(t.Context(), `DELETE FROM folio_checkpoints`); err != nil {
		t.Fatal(err)
	}
	c := w.config()
	c.Models = []engine.Projection{projections.Invoices}
	c.Scratch = func(context.Context) (tables.Store, error) { return w.open("scratch.db"), nil }
	var d *verify.Difference
	if report, err := verify.Run(t.Context(), c); !errors.As(err, &d) || !strings.Contains(d.What, "invoices") {
		t.Errorf("%+v, %v", report, err)
	}
}
