package commands_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"folio/commands"
	"folio/eventstore"
	"folio/fault"
)

func TestEveryAppendExpectsTheRevisionThatWasDecidedOn(t *testing.T) {
	l := newMemoryLog()
	x := commands.NewExecutor(l, clock)
	for i, c := range []string{"a b", "c", "d"} {
		out, err := commands.Bind(x, totals).Execute(t.Context(), "1", c, request(c))
		if err != nil || out.Position.IsZero() || len(out.Events) != len(c+" ")/2 {
			t.Fatalf("%d: %+v, %v", i, out, err)
		}
	}
	if want := []int64{eventstore.NoStream, 1, 2}; !slices.Equal(l.expected, want) {
		t.Errorf("expected revisions %v, want %v", l.expected, want)
	}
	s, found, err := commands.Bind(x, totals).Load(t.Context(), "1")
	if err != nil || !found || s.Seen != "abcd" {
		t.Errorf("%+v, %v, %v", s, found, err)
	}
	if _, found, _ := commands.Bind(x, totals).Load(t.Context(), "2"); found {
		t.Error("found what never was")
	}
}

func TestMetadataNamesWhoAskedAndWhy(t *testing.T) {
	l := newMemoryLog()
	x := commands.NewExecutor(l, clock)
	r := request("a")
	if _, err := commands.Bind(x, totals).Execute(t.Context(), "1", "a b", r); err != nil {
		t.Fatal(err)
	}
	all := l.Stream("account-1")
	m := all[1].Meta
	if m.Actor != "ana" || m.Correlation != "corr" || m.Causation != "cause" || m.Request != r.ID.String() ||
		!m.At.Equal(noon) || m.Schema < 1 {
		t.Errorf("%+v", m)
	}
	if all[0].ID == all[1].ID {
		t.Error("two events of one request share an id")
	}
	again := newMemoryLog()
	if _, err := commands.Bind(commands.NewExecutor(again, clock), totals).Execute(t.Context(), "1", "a b",
		r); err != nil || again.Stream("account-1")[1].ID != all[1].ID {
		t.Errorf("ids are not derived from the request: %v", err)
	}
}

func TestAConflictIsDecidedAgainOnWhatTheStreamHolds(t *testing.T) {
	l := newMemoryLog()
	x := commands.NewExecutor(l, clock)
	tries := 0
	l.before = func(stream string) {
		if tries++; tries <= 3 {
			l.foreign(t, stream, "f")
		}
	}
	out, err := commands.Bind(x, totals).Execute(t.Context(), "1", "next", request("next"))
	if err != nil || out.State.Seen != "fff4" || tries != 4 {
		t.Errorf("%+v after %d tries, %v", out, tries, err)
	}
}

func TestARefusalIsBelievedOnFreshStateOnly(t *testing.T) {
	l := newMemoryLog()
	x := commands.NewExecutor(l, clock)
	if _, err := commands.Bind(x, totals).Execute(t.Context(), "1", "a", request("a")); err != nil {
		t.Fatal(err)
	}
	l.foreign(t, "account-1", "b")
	for _, c := range []string{"x", ""} {
		out, err := commands.Bind(x, totals).Execute(t.Context(), "1", c, request("later"+c))
		if out.State.Seen != "ab" || len(out.Events) > 0 || !out.Position.IsZero() ||
			(c == "x") != errors.Is(err, errRefused) {
			t.Errorf("%q: %+v, %v", c, out, err)
		}
	}
}

func TestALostAnswerIsRecognisedAsOnesOwn(t *testing.T) {
	for name, repeat := range map[string]func(*memoryLog, *commands.Executor) *commands.Executor{
		"by the same process": func(_ *memoryLog, x *commands.Executor) *commands.Executor { return x },
		"by another one": func(l *memoryLog, _ *commands.Executor) *commands.Executor {
			return commands.NewExecutor(l, clock)
		},
		"after others went on recording": func(l *memoryLog, x *commands.Executor) *commands.Executor {
			l.foreign(t, "account-1", "f")
			return x
		},
	} {
		t.Run(name, func(t *testing.T) {
			l := newMemoryLog()
			x := commands.NewExecutor(l, clock)
			l.answer = func(error) error { return errGone }
			_, err := commands.Bind(x, totals).Execute(t.Context(), "1", "once two", request("once"))
			var f *fault.Error
			if !errors.As(err, &f) || f.Code != fault.Unavailable || f.RetryAfter < 1 {
				t.Fatalf("%v", err)
			}
			l.answer = nil
			x = repeat(l, x)
			out, err := commands.Bind(x, totals).Execute(t.Context(), "1", "once two", request("once"))
			if err != nil || len(out.Events) != 2 || out.Position != l.Stream("account-1")[1].Position {
				t.Errorf("%+v, %v", out, err)
			}
			if n := len(l.Stream("account-1")); n > 3 {
				t.Errorf("recorded %d times", n)
			}
			if _, err := commands.Bind(x, totals).Execute(t.Context(), "1", "once", request("another")); !errors.Is(err,
				errRefused) {
				t.Errorf("another request of the same kind: %v", err)
			}
		})
	}
}

func TestExecuteNewLooksOnlyWhenItMust(t *testing.T) {
	l := newMemoryLog()
	x := commands.NewExecutor(l, clock)
	if _, err := commands.Bind(x, totals).ExecuteNew(t.Context(), "1", "once", request("a")); err != nil || l.reads != 0 {
		t.Fatalf("%d reads, %v", l.reads, err)
	}
	// The id was taken all the same: decided again, and refused.
	if _, err := commands.Bind(commands.NewExecutor(l, clock), totals).ExecuteNew(t.Context(), "1", "once",
		request("b")); !errors.Is(err, errRefused) {
		t.Errorf("%v", err)
	}
	// Or by this very request.
	l.foreign(t, "account-1", "f")
	out, err := commands.Bind(commands.NewExecutor(l, clock), totals).ExecuteNew(t.Context(), "1", "once", request("a"))
	if err != nil || len(l.Stream("account-1")) != 2 || out.Position.Commit != 1 {
		t.Errorf("%+v, %v", out, err)
	}
}

func TestALogThatIsAwayIsUnavailableAndOtherErrorsPass(t *testing.T) {
	l := newMemoryLog()
	x := commands.NewExecutor(l, clock)
	l.fail = errGone
	var f *fault.Error
	if _, err := commands.Bind(x, totals).Execute(t.Context(), "1", "a", request("a")); !errors.As(err, &f) ||
		f.Constant != "LOG_UNAVAILABLE" || !errors.Is(err, eventstore.ErrUnavailable) {
		t.Errorf("%v", err)
	}
	l.fail = nil
	odd := errors.New("odd")
	l.answer = func(error) error { return odd }
	if _, err := commands.Bind(x, totals).Execute(t.Context(), "1", "a", request("a")); !errors.Is(err, odd) ||
		errors.As(err, &f) && errors.Is(err, f) {
		t.Errorf("%v", err)
	}
}

func TestAStreamThatNeverRestsIsBusy(t *testing.T) {
	l := newMemoryLog()
	x := commands.NewExecutor(l, clock)
	l.before = func(stream string) { l.foreign(t, stream, "f") }
	var f *fault.Error
	if _, err := commands.Bind(x, totals).Execute(t.Context(), "1", "a", request("a")); !errors.As(err, &f) ||
		f.Constant != "STREAM_BUSY" {
		t.Errorf("%v", err)
	}
	for _, r := range l.Stream("account-1") {
		if r.Meta.Actor == "ana" {
			t.Error("recorded all the same")
		}
	}
}

// 80 requests at once on one stream, by two processes: each gets the next number.
func TestEightyConcurrentRequestsGetEightyNumbers(t *testing.T) {
	l := newMemoryLog()
	replicas := []*commands.Executor{commands.NewExecutor(l, clock), commands.NewExecutor(l, clock)}
	var wg sync.WaitGroup
	start := make(chan struct{})
	failed := make(chan error, 80)
	for i := range 80 {
		wg.Go(func() {
			<-start
			_, err := commands.Bind(replicas[i%2], totals).Execute(context.Background(), "1", "next", request(fmt.Sprint(i)))
			failed <- err
		})
	}
	close(start)
	wg.Wait()
	for range 80 {
		if err := <-failed; err != nil {
			t.Fatal(err)
		}
	}
	ids := map[string]bool{}
	for i, r := range l.Stream("account-1") {
		if want := fmt.Sprintf(`{"secret":"%d"}`, i+1); string(r.Raw) != want || ids[r.ID] {
			t.Errorf("revision %d holds %s, want %s", i, r.Raw, want)
		}
		ids[r.ID] = true
	}
	if len(ids) != 80 {
		t.Errorf("%d numbers", len(ids))
	}
}

// The same request many times at once is one request.
func TestOneRequestManyTimesAtOnceIsRecordedOnce(t *testing.T) {
	l := newMemoryLog()
	x := commands.NewExecutor(l, clock)
	var wg sync.WaitGroup
	for range 32 {
		wg.Go(func() {
			out, err := commands.Bind(x, totals).ExecuteNew(context.Background(), "1", "once", request("a"))
			if err != nil || out.State.Seen != "once" {
				t.Errorf("%+v, %v", out, err)
			}
		})
	}
	wg.Wait()
	if n := len(l.Stream("account-1")); n != 1 {
		t.Errorf("recorded %d times", n)
	}
}

// Who met a conflict waits for others of this process, but no longer than its caller.
func TestWaitingForOthersEndsWithTheCaller(t *testing.T) {
	l := newMemoryLog()
	x := commands.NewExecutor(l, clock)
	ctx, cancel := context.WithCancel(t.Context())
	var calls atomic.Int32
	inside, release, done := make(chan struct{}), make(chan struct{}), make(chan error)
	l.before = func(stream string) {
		switch calls.Add(1) {
		case 2: // the first request again, now alone
			close(inside)
			<-release
		default:
			l.foreign(t, stream, "f")
			if calls.Load() == 3 {
				cancel()
			}
		}
	}
	go func() {
		_, err := commands.Bind(x, totals).Execute(context.Background(), "1", "a", request("a"))
		done <- err
	}()
	<-inside
	if _, err := commands.Bind(x, totals).Execute(ctx, "1", "b", request("b")); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	l.before = nil
	close(release)
	if err := <-done; err != nil {
		t.Error(err)
	}
}
