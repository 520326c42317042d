package eventstore_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"folio/eventstore"
)

func TestALostAnswerIsAskedForAgain(t *testing.T) {
	for _, code := range []codes.Code{codes.Unavailable, codes.DeadlineExceeded, codes.Aborted, codes.Canceled} {
		t.Run(code.String(), func(t *testing.T) {
			f, l := running(t)
			f.after = func(n int) error {
				if n <= 2 {
					return status.Error(code, "the answer is lost")
				}
				return nil
			}
			a, err := l.Append(t.Context(), "s-1", eventstore.NoStream, pending("A", "1"), pending("A", "2"))
			if err != nil {
				t.Fatal(err)
			}
			out, err := collect(l.Read(t.Context(), "s-1", 0))
			if err != nil {
				t.Fatal(err)
			}
			wantRevisions(t, out, 2)
			if a.Revision != 1 || a.Position != out[1].Position {
				t.Errorf("answered %+v, the last event is at %v", a, out[1].Position)
			}
			if f.count(&f.appends) != 3 {
				t.Errorf("sent %d times, want 3", f.count(&f.appends))
			}
		})
	}
}

func TestAnAppendNeverAnsweredSaysThatItsOutcomeIsUnknown(t *testing.T) {
	f, l := running(t)
	f.after = func(int) error { return status.Error(codes.Unavailable, "the answer is lost") }
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	_, err := l.Append(ctx, "s-1", eventstore.NoStream, pending("A", "1"))
	for _, want := range []error{eventstore.ErrOutcomeUnknown, eventstore.ErrUnavailable, context.DeadlineExceeded} {
		if !errors.Is(err, want) {
			t.Errorf("%v is not %v", err, want)
		}
	}
	if !strings.Contains(err.Error(), "append to s-1") {
		t.Errorf("%v does not say what was done", err)
	}
}

func TestAnAppendThatNeverLeftSaysSo(t *testing.T) {
	f, l := running(t)
	f.stop()
	// The first append may have been under way when the connection broke.
	short, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	_, _ = l.Append(short, "s-1", eventstore.NoStream, pending("A", "1"))

	var wg sync.WaitGroup
	for range 32 {
		wg.Go(func() {
			ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
			defer cancel()
			start := time.Now()
			_, err := l.Append(ctx, "s-1", eventstore.NoStream, pending("A", "1"))
			if took := time.Since(start); took > time.Minute { // its own limit is a fifth of a second
				t.Errorf("returned after %v", took)
			}
			if !errors.Is(err, eventstore.ErrUnavailable) || errors.Is(err, eventstore.ErrOutcomeUnknown) {
				t.Errorf("got %v", err)
			}
		})
	}
	wg.Wait()
	f.start(t)
	if _, err := l.Append(t.Context(), "s-1", eventstore.NoStream, pending("A", "1")); err != nil {
		t.Errorf("after the server came back: %v", err)
	}
}

func TestACancelledAppendReturnsAtOnce(t *testing.T) {
	f, l := running(t)
	arrived, release := make(chan struct{}), make(chan struct{})
	f.before = func(int) error {
		close(arrived)
		<-release
		return nil
	}
	defer close(release)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-arrived
		cancel()
	}()
	_, err := l.Append(ctx, "s-1", eventstore.NoStream, pending("A", "1"))
	if !errors.Is(err, context.Canceled) || !errors.Is(err, eventstore.ErrOutcomeUnknown) {
		t.Errorf("got %v", err)
	}
	// Someone else's impatience says nothing about the connection.
	if n := f.count(&f.connects); n != 1 {
		t.Errorf("connected %d times", n)
	}
}

func TestRefusalsOfTheServer(t *testing.T) {
	for _, c := range []struct {
		name   string
		answer error
		want   error
	}{
		{"too large", status.Error(codes.InvalidArgument, "Maximum Append Size of 1048576 Exceeded."),
			eventstore.ErrTooLarge},
		{"deleted", status.Error(codes.FailedPrecondition, "Event stream 's-1' is deleted."), eventstore.ErrStreamDeleted},
		{"bad password", status.Error(codes.Unauthenticated, "no"), eventstore.ErrUnauthenticated},
		{"no right", status.Error(codes.PermissionDenied, "no"), eventstore.ErrUnauthenticated},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, l := running(t)
			f.before = func(int) error { return c.answer }
			_, err := l.Append(t.Context(), "s-1", eventstore.NoStream, pending("A", "1"))
			if !errors.Is(err, c.want) || errors.Is(err, eventstore.ErrOutcomeUnknown) {
				t.Errorf("got %v, want %v", err, c.want)
			}
			if n := f.count(&f.appends); n != 1 {
				t.Errorf("sent %d times", n)
			}
		})
	}
}

func TestWhatALaterRefusalSaysAboutAnEarlierAttempt(t *testing.T) {
	for _, c := range []struct {
		name    string
		second  error
		want    error
		unknown bool
	}{
		{"credentials revoked meanwhile", status.Error(codes.Unauthenticated, "no"), eventstore.ErrUnauthenticated, true},
		{"deleted meanwhile", status.Error(codes.FailedPrecondition, "Event stream 's-1' is deleted."),
			eventstore.ErrStreamDeleted, true},
		{"failed inside", status.Error(codes.Unknown, "Exception was thrown by handler."), nil, true},
		{"never fitted", status.Error(codes.InvalidArgument, "Maximum Append Size of 1 Exceeded."), eventstore.ErrTooLarge,
			false},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, l := running(t)
			f.before = func(n int) error {
				if n == 1 {
					return status.Error(codes.Unavailable, "who knows")
				}
				return c.second
			}
			_, err := l.Append(t.Context(), "s-1", eventstore.NoStream, pending("A", "1"))
			if err == nil || (c.want != nil && !errors.Is(err, c.want)) {
				t.Errorf("got %v, want %v", err, c.want)
			}
			if errors.Is(err, eventstore.ErrOutcomeUnknown) != c.unknown {
				t.Errorf("%v: unknown should be %v", err, c.unknown)
			}
		})
	}
}

func TestAConflictSettlesALostAnswer(t *testing.T) {
	f, l := running(t)
	fill(t, l, "s-1", 2)
	f.before = func(n int) error {
		if n == 2 {
			return status.Error(codes.Unavailable, "lost on the way")
		}
		return nil
	}
	_, err := l.Append(t.Context(), "s-1", 0, pending("A", "ours"))
	if !errors.Is(err, eventstore.ErrConflict) || errors.Is(err, eventstore.ErrOutcomeUnknown) {
		t.Errorf("got %v", err)
	}
	if n := f.count(&f.appends); n != 3 {
		t.Errorf("sent %d times in all, want 3", n)
	}
}

func TestWrongCallsAreNeverSent(t *testing.T) {
	f, l := running(t)
	good := pending("A", "1")
	with := func(change func(*eventstore.Pending)) []eventstore.Pending {
		p := good
		change(&p)
		return []eventstore.Pending{p}
	}
	for name, c := range map[string]struct {
		stream   string
		expected int64
		ps       []eventstore.Pending
		want     error
	}{
		"no events":            {"s-1", 0, nil, eventstore.ErrInvalid},
		"an expectation below": {"s-1", -2, []eventstore.Pending{good}, eventstore.ErrInvalid},
		"no stream name":       {"", 0, []eventstore.Pending{good}, eventstore.ErrInvalid},
		"a server's stream":    {"$settings", 0, []eventstore.Pending{good}, eventstore.ErrInvalid},
		"no id": {"s-1", 0, with(func(p *eventstore.Pending) { p.ID = uuid.Nil }),
			eventstore.ErrInvalid},
		"the same id twice": {"s-1", 0, []eventstore.Pending{good, good}, eventstore.ErrInvalid},
		"no type":           {"s-1", 0, with(func(p *eventstore.Pending) { p.Type = "" }), eventstore.ErrInvalid},
		"a server's type":   {"s-1", 0, with(func(p *eventstore.Pending) { p.Type = "$>" }), eventstore.ErrInvalid},
		"data that is not JSON": {"s-1", 0, with(func(p *eventstore.Pending) { p.Data = json.RawMessage("{") }),
			eventstore.ErrInvalid},
		"no data": {"s-1", 0, with(func(p *eventstore.Pending) { p.Data = nil }), eventstore.ErrInvalid},
		"more than the server takes": {"s-1", 0,
			with(func(p *eventstore.Pending) { p.Data = json.RawMessage(`"` + strings.Repeat("x", 1<<20) + `"`) }),
			eventstore.ErrTooLarge},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := l.Append(t.Context(), c.stream, c.expected, c.ps...); !errors.Is(err, c.want) {
				t.Errorf("got %v, want %v", err, c.want)
			}
		})
	}
	if n := f.count(&f.appends); n != 0 {
		t.Errorf("%d appends arrived", n)
	}
}
