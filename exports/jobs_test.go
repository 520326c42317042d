package exports_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"folio/events"
	"folio/exports"
	"folio/fault"
)

// maker writes what it is told to, when it is let.
type maker struct {
	let chan error // nil: it writes; closed: at once
}

func (m maker) Await(context.Context, exports.Order, time.Duration) (int, error) { return 2, nil }

func (m maker) Write(ctx context.Context, to io.Writer, _ string, o exports.Order,
	tell func(exports.Progress)) (exports.Result, error) {
	tell(exports.Progress{Step: "events", Done: 1})
	select {
	case err := <-m.let:
		if err != nil {
			return exports.Result{}, err
		}
	case <-ctx.Done():
		return exports.Result{}, ctx.Err()
	}
	_, err := io.WriteString(to, "zip of "+o.Company)
	return exports.Result{Events: 7, Invoices: 3, Until: events.Position{Commit: 5, Prepare: 5}}, err
}

// clock is the time of a test.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) move(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

type world struct {
	*testing.T
	dir   string
	clock *clock
	jobs  *exports.Jobs
	let   chan error
}

func newWorld(t *testing.T) *world {
	w := &world{T: t, dir: t.TempDir(), clock: &clock{at: time.Date(2026, 11, 29, 8, 0, 0, 0, time.UTC)}}
	w.open()
	return w
}

func (w *world) open() {
	w.let = make(chan error)
	d, err := exports.Open(exports.Config{Maker: maker{w.let}, Dir: w.dir, Now: w.clock.now,
		Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		w.Fatal(err)
	}
	w.jobs = d
	w.Cleanup(d.Close)
}

func (w *world) start(company string) exports.Export {
	w.Helper()
	e, _, err := w.jobs.Start(exports.Order{Company: company, From: "2026-01-01"})
	if err != nil {
		w.Fatal(err)
	}
	return e
}

// reaches awaits a status.
func (w *world) reaches(e exports.Export, status string) exports.Export {
	w.Helper()
	for deadline := time.Now().Add(time.Minute); ; {
		got, err := w.jobs.Get(e.Company, e.ID)
		if err != nil {
			w.Fatal(err)
		}
		if got.Status == status {
			return got
		}
		if time.Now().After(deadline) {
			w.Fatalf("it is %s, not %s", got.Status, status)
		}
		time.Sleep(time.Millisecond)
	}
}

// refused wants 429 with the seconds to wait.
func (w *world) refused(company string, least, most int) {
	w.Helper()
	_, _, err := w.jobs.Start(exports.Order{Company: company})
	f := fault.As(err)
	if f == nil || f.Code != fault.TooMany || f.RetryAfter < least || f.RetryAfter > most {
		w.Errorf("another one of %s: %+v, %v", company, f, err)
	}
}

func TestAnExportIsMadeKeptAndExpires(t *testing.T) {
	w := newWorld(t)
	e := w.start("A")
	w.let <- nil
	e = w.reaches(e, exports.Done)
	f, err := w.jobs.File("A", e.ID)
	if err != nil {
		t.Fatal(err)
	}
	content, err := io.ReadAll(f)
	if err != nil || string(content) != "zip of A" || e.Size != 8 || len(e.SHA256) != 64 || e.Beyond != 2 ||
		e.Events != 7 || e.Until != "C:5/P:5" || e.From != "2026-01-01" {
		t.Errorf("%q, %+v, %v", content, e, errors.Join(err, f.Close()))
	}
	for _, c := range [][2]string{{"B", e.ID}, {"A", "01KJQ8M5ZV4W6R0S8N3XHYD2AB"}, {"A", "../x"}} {
		if _, err := w.jobs.Get(c[0], c[1]); !errors.Is(err, exports.ErrNone) {
			t.Errorf("%v: %v", c, err)
		}
	}
	w.clock.move(exports.Lifetime - time.Second)
	if all, err := w.jobs.List("A"); err != nil || len(all) != 1 {
		t.Errorf("before it expires: %v, %v", all, err)
	}
	w.clock.move(time.Second)
	if all, err := w.jobs.List("A"); err != nil || len(all) != 0 {
		t.Errorf("after: %v, %v", all, err)
	}
	if names, err := filepath.Glob(w.dir + "/*"); err != nil || len(names) != 0 {
		t.Errorf("what is left: %v, %v", names, err)
	}
}

// One key is one export, whose first answer is given again, however far it has come.
func TestAKeyBeginsOneExport(t *testing.T) {
	w := newWorld(t)
	o := exports.Order{Company: "A", From: "2026-01-01", Key: "january"}
	first, again, err := w.jobs.Start(o)
	if err != nil || again {
		t.Fatal(again, err)
	}
	w.reaches(first, exports.Working)
	if second, again, err := w.jobs.Start(o); err != nil || !again || !reflect.DeepEqual(first, second) {
		t.Errorf("%t %v\n%+v\n%+v", again, err, first, second)
	}
	o.To = "2026-01-31"
	if _, _, err := w.jobs.Start(o); fault.As(err) == nil || fault.As(err).Constant != "IDEMPOTENCY_KEY_REUSED" {
		t.Errorf("the key with another period: %v", err)
	}
	w.let <- nil
	w.reaches(first, exports.Done)
	if other, again, err := w.jobs.Start(exports.Order{Company: "B", Key: "january"}); err != nil || again ||
		other.ID == first.ID {
		t.Errorf("another company's key: %t %v", again, err)
	}
}

func TestThereIsRoomForSoMany(t *testing.T) {
	w := newWorld(t)
	first := w.start("A")
	w.refused("A", 1, 30)
	w.let <- nil
	w.reaches(first, exports.Done)
	for range exports.Each - 1 {
		e := w.start("A")
		w.let <- nil
		w.reaches(e, exports.Done)
	}
	w.clock.move(time.Hour)
	w.refused("A", 22*3600, 23*3600) // until the first one expires
	if err := w.jobs.Remove("A", first.ID); err != nil {
		t.Fatal(err)
	}
	w.start("A")
	for i := range exports.Unfinished - 1 {
		w.start(fmt.Sprint("B", i))
	}
	w.refused("C", 1, 120)
}

func TestWhatFailsAndWhatIsRemoved(t *testing.T) {
	w := newWorld(t)
	for _, c := range []struct {
		err  error
		says string
	}{{exports.ErrTooLarge, "shorter period"}, {errors.New("dial tcp 10.0.0.1"), "operator"}} {
		e := w.start("A")
		w.let <- c.err
		e = w.reaches(e, exports.Failed)
		if !strings.Contains(e.Error, c.says) || strings.Contains(e.Error, "10.0.0.1") {
			t.Errorf("%v: %q", c.err, e.Error)
		}
	}
	e := w.start("A")
	w.reaches(e, exports.Working)
	if err := w.jobs.Remove("A", e.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := w.jobs.Get("A", e.ID); !errors.Is(err, exports.ErrNone) {
		t.Errorf("it was removed: %v", err)
	}
	w.jobs.Close() // what it made has ended
	if names, err := filepath.Glob(filepath.Join(w.dir, e.ID+"*")); err != nil || len(names) != 0 {
		t.Errorf("what is left: %v, %v", names, err)
	}
}

// A process that ends interrupts what it makes, however it ends; what is done stays, for other processes too.
func TestRestarts(t *testing.T) {
	w := newWorld(t)
	done := w.start("A")
	w.let <- nil
	w.reaches(done, exports.Done)
	e := w.start("A")
	w.reaches(e, exports.Working)

	beside := &world{T: t, dir: w.dir, clock: w.clock}
	beside.open()
	if got, err := beside.jobs.Get("A", e.ID); err != nil || got.Status != exports.Working {
		t.Errorf("beside the process that makes it: %+v, %v", got, err)
	}
	w.jobs.Close()
	if got := beside.reaches(e, exports.Interrupted); !strings.Contains(got.Error, "another one") {
		t.Errorf("%+v", got)
	}
	if _, _, err := w.jobs.Start(exports.Order{Company: "A"}); fault.As(err) == nil || fault.As(err).RetryAfter == 0 {
		t.Errorf("the jobs that is closed: %v", err)
	}
	// A power cut leaves the record as it was, and nobody holds the lock.
	record := filepath.Join(w.dir, e.ID+".json")
	text, err := os.ReadFile(record)
	if err == nil {
		err = os.WriteFile(record, []byte(strings.Replace(string(text), exports.Interrupted, exports.Working,
			1)), 0o600)
	}
	if err = errors.Join(err, os.WriteFile(filepath.Join(w.dir, e.ID+".part"), []byte("half"), 0o600)); err != nil {
		t.Fatal(err)
	}
	again := &world{T: t, dir: w.dir, clock: w.clock}
	again.open()
	again.reaches(e, exports.Interrupted)
	again.reaches(done, exports.Done)
	if _, err := os.Stat(filepath.Join(w.dir, e.ID+".part")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the half of a file is left: %v", err)
	}
}
