//go:build long

package verify_test

import (
	"context"
	"iter"
	"log/slog"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"folio/events"
	"folio/eventstore"
	"folio/projections"
	"folio/tables"
	"folio/verify"
)

// largeEvents is how many events are verified.
const largeEvents = 200_000

// many are submissions of ten invoices each, 42 events.
func many(count int) iter.Seq[fact] {
	return func(yield func(fact) bool) {
		if !yield(fact{"transparency-L", events.TreeBegun{Tree: "L", Origin: "folio/log/L"}}) {
			return
		}
		for n, made := 0, 0; made < count; n++ {
			for _, f := range submission(n, 1+10*n, 10, theFile()) {
				if !yield(f) {
					return
				}
				made++
			}
		}
	}
}

// Verifying a million events takes at most three times as long as reading them, in less than 200 MB.
func TestAMillionEvents(t *testing.T) {
	w := newWorld(t, many(largeEvents))
	began, read := time.Now(), 0
	for _, err := range w.log.All(t.Context(), events.Position{}, eventstore.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		read++
	}
	reading := time.Since(began)
	w.fold()
	runtime.GC()
	c := w.config()
	c.Models, c.Scratch = projections.All, func(context.Context) (tables.Store, error) { return w.open("scratch.db"), nil }
	began = time.Now()
	report, err := verify.Run(t.Context(), c)
	if err != nil || report.Events != int64(read) {
		t.Fatalf("%d events of %d: %v", report.Events, read, err)
	}
	verifying := time.Since(began)
	ratio := reading.Seconds() / verifying.Seconds()
	t.Logf("reading %s, verifying %s: %.2f of reading alone; %s", reading, verifying, ratio, peak(t))
	if ratio < 0.3 {
		t.Errorf("it is verified at %.2f of reading alone", ratio)
	}
}

// fold builds the live read models.
func (w *world) fold() {
	w.t.Helper()
	runner, err := projections.NewRunner(projections.Options{Tables: w.tables, Source: source{w.log}, Store: "L", Owner: "test", Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		w.t.Fatal(err)
	}
	ctx, stop := context.WithCancel(w.t.Context())
	ended := make(chan error, 1)
	go func() { ended <- runner.Run(ctx) }()
	end, err := w.log.End(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	for _, p := range projections.All {
		if err := runner.WaitFor(w.t.Context(), p.Name(), end); err != nil {
			w.t.Fatal(err)
		}
	}
	stop()
	<-ended
}

// source is the log as projections read it.
type source struct{ log *eventstore.Log }

func (s source) Head(ctx context.Context) (events.Position, error) { return s.log.End(ctx) }

func (s source) Follow(ctx context.Context, after events.Position, types []string, handle func(context.Context, projections.Batch) error) error {
	return s.log.Follow(ctx, after, eventstore.Filter{Types: types}, eventstore.FollowOptions{CheckpointEvery: 1},
		func(ctx context.Context, b eventstore.Batch) error { return handle(ctx, projections.Batch(b)) })
}

// peak is the most memory that the process had.
func peak(t *testing.T) string {
	t.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(status)) {
		if strings.HasPrefix(line, "VmHWM") {
			return strings.TrimSpace(line)
		}
	}
	return ""
}
