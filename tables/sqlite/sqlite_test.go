package sqlite_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"folio/events"
	"folio/tables"
	"folio/tables/sqlite"
	"folio/tables/tabletest"
)

func open(t testing.TB, path string, opts ...sqlite.Option) *sqlite.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), path, opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func at(n int) events.Position { return events.Position{Commit: uint64(n), Prepare: uint64(n)} }

func TestSuite(t *testing.T) {
	tabletest.Run(t, func(t *testing.T) tables.Store { return open(t, filepath.Join(t.TempDir(), "tables.db")) })
}

var counters = tables.Schema{Name: "counters_v1"}

// counter reads and writes the document that writers compete for.
func counter(n int) tables.Batch {
	return tables.Batch{
		Writes: []tables.Write{{Table: counters.Name, Documents: []tables.Document{{ID: "n", At: at(n),
			Body: fmt.Append(nil, n)}}}},
		Checkpoint: &tables.Checkpoint{Name: "feed", Store: "log", At: at(n), After: at(n - 1)},
	}
}

// racing is counter without a checkpoint, which only one writer can move.
func racing(n int) tables.Batch {
	b := counter(n)
	b.Checkpoint = nil
	return b
}

func TestWritersAtOnceEndWithTheLatestPosition(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tables.db")
	stores := []*sqlite.Store{open(t, path), open(t, path)} // as two processes would
	must(t, stores[0].Define(t.Context(), counters))
	var wg sync.WaitGroup
	for w := range 20 {
		wg.Go(func() {
			for i := range 10 {
				if err := stores[w%2].Apply(t.Context(), racing(1+(i*20+w*7)%200)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	d, err := stores[0].Get(t.Context(), counters.Name, "n")
	must(t, err)
	if string(d.Body) != fmt.Sprint(d.At.Commit) || d.At != at(200) {
		t.Fatalf("document %s at %s", d.Body, d.At)
	}
}

func TestReadersNeverSeeACheckpointAheadOfItsDocuments(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tables.db")
	w, r := open(t, path), open(t, path)
	must(t, w.Define(t.Context(), counters))
	must(t, w.Apply(t.Context(), counter(1)))
	done := make(chan struct{})
	go func() {
		defer close(done)
		for n := 2; n <= 300; n++ {
			if err := w.Apply(t.Context(), counter(n)); err != nil {
				t.Error(err)
			}
		}
	}()
	for reading := true; reading; {
		select {
		case <-done:
			reading = false
		default:
		}
		c, err := r.Checkpoint(t.Context(), "feed")
		must(t, err)
		d, err := r.Get(t.Context(), counters.Name, "n") // read later, so at least as new
		must(t, err)
		if d.At.Before(c.At) {
			t.Fatalf("checkpoint %s, document %s", c.At, d.At)
		}
	}
}

func TestCancelledBatchLeavesNothing(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "tables.db"))
	must(t, s.Define(t.Context(), counters))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Apply(ctx, counter(1)); !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v", err)
	}
	if _, err := s.Get(t.Context(), counters.Name, "n"); !errors.Is(err, tables.ErrNotFound) {
		t.Fatalf("error %v", err)
	}
	must(t, s.Apply(t.Context(), counter(1))) // the writer is free again
}

func TestStoreOutlivesTheProcessAndIsItsOwners(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "with space?#%ñ")
	must(t, os.Mkdir(folder, 0o700))
	path := filepath.Join(folder, "tables.db")
	s, err := sqlite.Open(t.Context(), path)
	must(t, err)
	must(t, s.Define(t.Context(), counters))
	must(t, s.Apply(t.Context(), racing(7)))
	files, err := os.ReadDir(folder)
	must(t, err)
	for _, f := range files {
		info, err := f.Info()
		must(t, err)
		if info.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %o", f.Name(), info.Mode().Perm())
		}
	}
	must(t, s.Close())
	s = open(t, path)
	d, err := s.Get(t.Context(), counters.Name, "n") // without Define
	must(t, err)
	if string(d.Body) != "7" {
		t.Fatalf("body %s", d.Body)
	}
}

func TestDamagedFileSaysThatItCanBeDeleted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tables.db")
	must(t, os.WriteFile(path, []byte(strings.Repeat("not a database ", 1000)), 0o600))
	_, err := sqlite.Open(t.Context(), path)
	if err == nil || !strings.Contains(err.Error(), "delete it") || !strings.Contains(err.Error(), path) {
		t.Fatalf("error %v", err)
	}
}

func TestLeaseEndsByTheInjectedClock(t *testing.T) {
	now := time.Date(2026, time.March, 3, 12, 0, 0, 0, time.UTC)
	s := open(t, filepath.Join(t.TempDir(), "tables.db"), sqlite.WithClock(func() time.Time { return now }))
	a, ok, err := s.Acquire(t.Context(), "feed", "a", time.Minute)
	if err != nil || !ok || a.Token != 1 || !a.Until.Equal(now.Add(time.Minute)) {
		t.Fatalf("%+v, %v, %v", a, ok, err)
	}
	now = now.Add(time.Minute - 1)
	if _, ok, _ := s.Acquire(t.Context(), "feed", "b", time.Minute); ok {
		t.Fatal("taken a nanosecond too early")
	}
	now = now.Add(1)
	if _, ok, _ := s.Renew(t.Context(), a, time.Minute); ok {
		t.Fatal("renewed after its end")
	}
	again, ok, err := s.Acquire(t.Context(), "feed", "a", time.Minute)
	if err != nil || !ok || again.Token != 2 {
		t.Fatalf("own after expiry: %+v, %v, %v", again, ok, err)
	}
}

func TestATableDroppedByAnotherProcessIsGone(t *testing.T) {
	for name, use := range map[string]func(*sqlite.Store) error{
		"get": func(s *sqlite.Store) error { _, err := s.Get(t.Context(), counters.Name, "n"); return err },
		"get many": func(s *sqlite.Store) error {
			_, err := s.GetMany(t.Context(), counters.Name, []string{"n"})
			return err
		},
		"page": func(s *sqlite.Store) error {
			_, err := s.Page(t.Context(), tables.Query{Table: counters.Name, Limit: 1})
			return err
		},
		"apply":    func(s *sqlite.Store) error { return s.Apply(t.Context(), racing(2)) },
		"truncate": func(s *sqlite.Store) error { return s.Truncate(t.Context(), counters.Name) },
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "tables.db")
			a, b := open(t, path), open(t, path)
			must(t, a.Define(t.Context(), counters))
			must(t, a.Apply(t.Context(), counter(1)))
			must(t, use(b))
			must(t, a.Drop(t.Context(), counters.Name))
			for range 2 {
				if err := use(b); !errors.Is(err, tables.ErrNoTable) {
					t.Errorf("got %v", err)
				}
			}
			must(t, a.Define(t.Context(), counters))
			must(t, a.Apply(t.Context(), counter(1)))
			must(t, use(b))
		})
	}
}

func TestReadersBesideADropFindTheTableOrNone(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "tables.db"))
	must(t, s.Define(t.Context(), counters))
	stop := make(chan struct{})
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				_, err := s.Get(t.Context(), counters.Name, "n")
				if err != nil && !errors.Is(err, tables.ErrNoTable) && !errors.Is(err, tables.ErrNotFound) {
					t.Error(err)
					return
				}
			}
		})
	}
	for range 30 {
		must(t, s.Drop(t.Context(), counters.Name))
		must(t, s.Define(t.Context(), counters))
		must(t, s.Apply(t.Context(), counter(1)))
	}
	close(stop)
	readers.Wait()
}

// A table that somebody dropped by hand is not listed, and Define makes it anew whatever is noted of it.
func TestATableThatWasDroppedByHandIsDefinedAnew(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tables.db")
	s := open(t, path)
	must(t, s.Define(t.Context(), counters))
	must(t, s.Apply(t.Context(), counter(1)))
	db, err := sql.Open("sqlite", path)
	must(t, err)
	_, err = db.ExecContext(t.Context(), "DROP TABLE t_"+counters.Name)
	must(t, errors.Join(err, db.Close()))
	if all, err := s.Tables(t.Context()); err != nil || len(all) != 0 {
		t.Errorf("listed are %v, %v", all, err)
	}
	if _, err := s.Get(t.Context(), counters.Name, "n"); !errors.Is(err, tables.ErrNoTable) {
		t.Errorf("read from it: %v", err)
	}
	must(t, s.Define(t.Context(), counters))
	if all, err := s.Tables(t.Context()); err != nil || len(all) != 1 {
		t.Errorf("listed are %v, %v", all, err)
	}
	if _, err := s.Get(t.Context(), counters.Name, "n"); !errors.Is(err, tables.ErrNotFound) {
		t.Errorf("it is made anew and empty: %v", err)
	}
}
