package reactor_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"folio/clock"
	"folio/events"
	"folio/processors/reactor"
	"folio/tables"
	"folio/tables/sqlite"
)

// leases is a lease store in memory that can fail, and hang.
type leases struct {
	mu    sync.Mutex
	held  tables.Grant
	fail  error
	hangs bool
}

func (l *leases) answer(ctx context.Context) error {
	l.mu.Lock()
	fail, hangs := l.fail, l.hangs
	l.mu.Unlock()
	if hangs {
		<-ctx.Done()
		return ctx.Err()
	}
	return fail
}

func (l *leases) Acquire(ctx context.Context, name, owner string, ttl time.Duration) (tables.Grant, bool, error) {
	if err := l.answer(ctx); err != nil {
		return tables.Grant{}, false, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.held.Owner != owner && time.Now().Before(l.held.Until) {
		return l.held, false, nil
	}
	l.held = tables.Grant{Name: name, Owner: owner, Token: l.held.Token + 1, Until: time.Now().Add(ttl)}
	return l.held, true, nil
}

func (l *leases) Renew(ctx context.Context, g tables.Grant, ttl time.Duration) (tables.Grant, bool, error) {
	if err := l.answer(ctx); err != nil {
		return tables.Grant{}, false, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.held.Token != g.Token || !time.Now().Before(l.held.Until) {
		return l.held, false, nil
	}
	l.held.Until = time.Now().Add(ttl)
	return l.held, true, nil
}

func (l *leases) Release(_ context.Context, g tables.Grant) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.held.Token == g.Token {
		l.held.Until = time.Time{}
	}
	return nil
}

func (l *leases) set(fail error, hangs bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.fail, l.hangs = fail, hangs
}

// give gives the lease to somebody else.
func (l *leases) give(owner string, d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.held = tables.Grant{Name: "p", Owner: owner, Token: l.held.Token + 1, Until: time.Now().Add(d)}
}

func (l *leases) until() time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.held.Until
}

// watch counts who runs at the same time.
type watch struct {
	mu      sync.Mutex
	running map[string]bool
	most    int
	runs    map[string]int
	cause   error
}

func newWatch() *watch { return &watch{running: map[string]bool{}, runs: map[string]int{}} }

func (w *watch) run(name string, f func(context.Context) error) func(context.Context) error {
	return func(ctx context.Context) error {
		w.mu.Lock()
		w.running[name] = true
		w.runs[name]++
		w.most = max(w.most, len(w.running))
		w.mu.Unlock()
		err := f(ctx)
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.running, name)
		if cause := context.Cause(ctx); cause != nil {
			w.cause = cause
		}
		return err
	}
}

func (w *watch) runsOf(name string) (running bool, runs int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.running[name], w.runs[name]
}

// atMost is how many ran at once, and why a run ended last.
func (w *watch) atMost() (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.most, w.cause
}

func untilEnd(ctx context.Context) error {
	<-ctx.Done()
	return nil
}

// loop is a processor whose run is a function.
type loop struct {
	*reactor.Reactor
	run func(context.Context) error
}

func (l loop) Run(ctx context.Context) error { return l.run(ctx) }

func looping(run func(context.Context) error) loop {
	b := reactor.Base{Tables: noTables{}, Clock: clock.Real{}, Logger: slog.New(slog.DiscardHandler)}
	return loop{b.New("p"), run}
}

// noTables have no checkpoints and no worklists.
type noTables struct{ tables.Store }

func (noTables) Worklist(string) tables.Worklist { return nil }

func (noTables) Checkpoint(context.Context, string) (tables.Checkpoint, error) {
	return tables.Checkpoint{}, tables.ErrNotFound
}

// own starts an owner and returns what stops it.
func own(l tables.Leases, name string, run func(context.Context) error) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		reactor.Own(ctx, slog.New(slog.DiscardHandler), l, name, looping(run))
	}()
	return func() { cancel(); <-done }
}

func TestOneOwnerRunsAndTheOtherTakesOverAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, w := &leases{}, newWatch()
		stopA := own(l, "a", w.run("a", untilEnd))
		synctest.Wait()
		stopB := own(l, "b", w.run("b", untilEnd))
		time.Sleep(time.Hour) // renewed again and again
		if a, _ := w.runsOf("a"); !a {
			t.Error("a does not run")
		}
		stopA() // releases the lease
		time.Sleep(3 * time.Second)
		b, _ := w.runsOf("b")
		if most, _ := w.atMost(); !b || most != 1 {
			t.Errorf("b runs: %v, at most %d at once", b, most)
		}
		stopB()
	})
}

func TestALeaseThatWentToAnotherEndsTheRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, w := &leases{}, newWatch()
		stop := own(l, "a", w.run("a", untilEnd))
		time.Sleep(time.Second)
		l.give("b", time.Minute)
		time.Sleep(5 * time.Second)
		a, _ := w.runsOf("a")
		if _, cause := w.atMost(); a || cause == nil || errors.Is(cause, context.Canceled) {
			t.Errorf("a runs: %v, cause %v", a, cause)
		}
		time.Sleep(2 * time.Minute) // until b's is over
		if a, runs := w.runsOf("a"); !a || runs != 2 {
			t.Errorf("a runs: %v, %d times", a, runs)
		}
		stop()
	})
}

// An owner stops by the end of its lease, whatever its renewals do.
func TestAnOwnerThatCannotRenewStopsBeforeAnotherStarts(t *testing.T) {
	for name, trouble := range map[string]func(*leases){
		"renewals fail": func(l *leases) { l.set(errors.New("away"), false) },
		"renewals hang": func(l *leases) { l.set(nil, true) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l, w := &leases{}, newWatch()
				stopA := own(l, "a", w.run("a", untilEnd))
				time.Sleep(14 * time.Second)
				end := l.until()
				trouble(l)
				time.Sleep(time.Until(end) - time.Millisecond)
				if a, _ := w.runsOf("a"); !a {
					t.Error("a gave up early")
				}
				time.Sleep(time.Millisecond)
				synctest.Wait()
				if a, _ := w.runsOf("a"); a {
					t.Error("a runs without a lease")
				}
				l.set(nil, false)
				stopB := own(l, "b", w.run("b", untilEnd))
				time.Sleep(30 * time.Second)
				if most, _ := w.atMost(); most != 1 {
					t.Errorf("%d ran at once", most)
				}
				stopB()
				stopA()
			})
		})
	}
}

func TestARunThatFailsIsStartedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, w := &leases{}, newWatch()
		stop := own(l, "a", w.run("a", func(context.Context) error { return errors.New("broken") }))
		time.Sleep(10 * time.Second)
		stop()
		if _, runs := w.runsOf("a"); runs < 3 || runs > 6 {
			t.Errorf("%d runs in ten seconds", runs)
		}
		if time.Now().Before(l.until()) {
			t.Error("the lease was kept")
		}
	})
}

func TestALeaseStoreThatIsAwayIsAskedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, w := &leases{fail: errors.New("away")}, newWatch()
		stop := own(l, "a", w.run("a", untilEnd))
		time.Sleep(time.Minute)
		l.set(nil, false)
		time.Sleep(3 * time.Second)
		if a, runs := w.runsOf("a"); !a || runs != 1 {
			t.Errorf("a runs: %v, %d times", a, runs)
		}
		stop()
	})
}

func TestACheckpointOfAnotherLogSaysWhatToDo(t *testing.T) {
	store, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "tables.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	ours := &reactor.Checkpoints{Store: store, Log: "log 1"}
	if at, err := ours.Load(t.Context(), "p"); err != nil || !at.IsZero() {
		t.Errorf("%s, %v before the first run", at, err)
	}
	if err := ours.Save(t.Context(), "p", events.Position{Commit: 7, Prepare: 7}); err != nil {
		t.Fatal(err)
	}
	if at, err := ours.Load(t.Context(), "p"); err != nil || at.Commit != 7 {
		t.Errorf("%s, %v", at, err)
	}
	theirs := &reactor.Checkpoints{Store: store, Log: "log 2"}
	if _, err := theirs.Load(t.Context(), "p"); !errors.Is(err, tables.ErrOtherLog) {
		t.Errorf("%v", err)
	}
}

func TestOneLineTellsThatTheLeasesAreAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, said := &leases{}, &bytes.Buffer{}
		l.set(tables.ErrUnavailable, false)
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			reactor.Own(ctx, slog.New(slog.NewTextHandler(said, nil)), l, "a", looping(untilEnd))
		}()
		time.Sleep(time.Minute) // of the bubble's clock
		cancel()
		<-ended
		if n := bytes.Count(said.Bytes(), []byte("\n")); n != 1 {
			t.Errorf("%d lines in a minute:\n%s", n, said)
		}
	})
}
