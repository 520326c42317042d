package notices_test

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"folio/commands"
	"folio/country"
	"folio/country/ar"
	"folio/events"
	"folio/processors/notices"
	"folio/processors/processortest"
	"folio/tables"
	"folio/tables/sqlite"
)

// ranged is a country like Argentina whose numbers come from files.
type ranged struct{ ar.Rules }

func (ranged) ParseRange([]byte, country.Trust) (country.RangeFile, error) {
	return country.RangeFile{}, nil
}
func (ranged) LastDay(f country.RangeFile) string { return f.ExpiresOn }
func (ranged) NoticeThreshold(int) int64          { return 20 }

type world struct {
	t      *testing.T
	log    *processortest.Log
	clock  *processortest.Clock
	x      *commands.Executor
	tables tables.Store
	rules  country.Rules
	p      *notices.Processor
	keys   forgotten
	stop   func()
}

func newWorld(t *testing.T, now time.Time) *world {
	t.Helper()
	store, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "tables.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	w := &world{t: t, log: processortest.NewLog(), clock: processortest.At(now), tables: store, rules: ranged{},
		keys: forgotten{gone: make(chan string, 10)}}
	w.x = commands.NewExecutor(w.log, w.clock.Now)
	return w
}

// start runs a processor until stop.
func (w *world) start() {
	w.t.Helper()
	base := w.log.Base(w.x, w.tables, w.clock)
	base.Rules = func(string) (country.Rules, bool) { return w.rules, true }
	p := notices.New(base, &w.keys)
	w.p = p
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- p.Run(ctx) }()
	w.stop = func() {
		cancel()
		if err := <-done; err != nil {
			w.t.Error(err)
		}
	}
}

// record appends facts to a stream, at the clock's time.
func (w *world) record(stream string, facts ...events.Event) {
	w.t.Helper()
	w.log.Record(w.t, w.clock.Now(), stream, facts...)
}

func await[E events.Event](w *world, n int) []E {
	w.t.Helper()
	return processortest.Await[E](w.t, w.log, n)
}

// forgotten is a vault that tells what left it. It may be away for some calls.
type forgotten struct {
	away int
	gone chan string // nil: nobody asks
}

func (f *forgotten) Delete(_ context.Context, ref string) error {
	if f.away > 0 {
		f.away--
		return errors.New("the vault is away")
	}
	if f.gone != nil {
		f.gone <- ref
	}
	return nil
}
