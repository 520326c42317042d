package eventstore_test

import (
	"context"
	"errors"
	"log/slog"
	"runtime"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"folio/events"
	"folio/eventstore"
)

func TestAddressesThatCanNeverWork(t *testing.T) {
	for _, c := range []struct{ name, address, says string }{
		{"nothing", "", "must start with"},
		{"another protocol", "http://localhost:2113", "must start with"},
		{"no socket", "unix://", "names no socket"},
		{"a setting that does not exist", "esdb://localhost?tsl=false", "unknown setting"},
		{"a setting twice", "esdb://localhost?tls=false&tls=true", "given twice"},
		{"a setting out of range", "kurrentdb://localhost?tls=false&keepAliveInterval=500", "at least 10000"},
		{"a setting that is no number", "esdb://localhost?defaultDeadline=soon", "not a whole number"},
		{"a setting that is neither true nor false", "esdb://localhost?tls=maybe", "neither true nor false"},
		{"credentials that would not be sent", "esdb://admin:s3cret@localhost?tls=false", "without TLS"},
		{"a port that is no number", "esdb://admin:s3cret@localhost:port", "port"},
		{"a path", "esdb://admin:s3cret@localhost/path", "path"},
		{"a host that is none", "esdb://admin:s3cret@[::1", ""},
		{"a password with #", "esdb://admin:s3cret#s3cret@localhost", "%23"},
		{"a password with /", "esdb://admin:s3cret/s3cret@localhost", "%2F"},
		{"a password with ?", "esdb://admin:s3cret?s3cret@localhost", "%3F"},
		{"a password with ? that makes a setting", "esdb://admin:s3cret?tls=s3cret@localhost", "%3F"},
		{"a password with %", "esdb://admin:s3cret%zz@localhost", ""},
		{"a password with : and @", "esdb://admin:@s3cret:s3cret@localhost:s3cret", ""},
		{"a preference that is none", "esdb://localhost?nodePreference=s3cret", "none of leader, follower"},
		{"a missing file", "esdb://localhost?tlsCAFile=/s3cret", "tlsCAFile"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := eventstore.Open(t.Context(), eventstore.Options{Address: c.address})
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Fatalf("got %v, want something with %q", err, c.says)
			}
			if strings.Contains(err.Error(), "s3cret") {
				t.Errorf("%v gives the password away", err)
			}
		})
	}
}

func TestOpenWaitsForALateServerAndNoLonger(t *testing.T) {
	f := newFake(t)
	_, err := eventstore.Open(t.Context(), eventstore.Options{Address: f.address(),
		ConnectTimeout: 300 * time.Millisecond})
	if !errors.Is(err, eventstore.ErrUnavailable) || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("got %v, want the reason why it is unavailable", err)
	}
	opened := make(chan error, 1)
	go func() {
		l, err := eventstore.Open(t.Context(), eventstore.Options{Address: f.address(), ConnectTimeout: 10 * time.Second})
		if err == nil {
			err = l.Close()
		}
		opened <- err
	}()
	f.start(t)
	if err := <-opened; err != nil {
		t.Errorf("late server: %v", err)
	}
}

func TestConnectionStringsOfBothNames(t *testing.T) {
	f := newFake(t)
	at := f.listen(t, "tcp", "127.0.0.1:0").String()
	for _, address := range []string{"esdb://" + at + "?tls=false",
		"kurrentdb://" + at + "/?tls=false&keepAliveInterval=-1&maxDiscoverAttempts=3"} {
		l, err := eventstore.Open(t.Context(), eventstore.Options{Address: address, ConnectTimeout: 5 * time.Second})
		if err != nil {
			t.Errorf("%s: %v", address, err)
			continue
		}
		if p, err := l.End(t.Context()); err != nil || !p.IsZero() {
			t.Errorf("%s: an empty log ends at %v, %v", address, p, err)
		}
		l.Close()
	}
}

func TestAServerThatNeverSaysCaughtUpIsRefused(t *testing.T) {
	f := newFake(t)
	f.version = "22.10.5"
	f.start(t)
	_, err := eventstore.Open(t.Context(), eventstore.Options{Address: f.address()})
	if err == nil || !strings.Contains(err.Error(), "23.10") {
		t.Errorf("got %v", err)
	}
}

func TestRestartsOfTheServerLeaveNothingBehind(t *testing.T) {
	f, l := running(t)
	fill(t, l, "s-0", 1)
	before := runtime.NumGoroutine()
	for i := range 10 {
		f.stop()
		f.start(t)
		if _, err := l.End(t.Context()); err != nil {
			t.Fatalf("restart %d: %v", i, err)
		}
	}
	settles(t, before+10) // what ten leaked connections would exceed
}

func TestAServerTooBusyDoesNotCutOffItsFollowers(t *testing.T) {
	f, l := running(t)
	fill(t, l, "s-0", 1)
	states := make(chan eventstore.FollowState, 100)
	batches, stop := following(t, l, events.Position{}, eventstore.Filter{}, eventstore.FollowOptions{
		OnState: func(s eventstore.FollowState) { states <- s }})
	until(t, batches, 1, true)
	f.before = func(n int) error {
		if n <= 3 {
			return status.Error(codes.Unavailable, "too busy")
		}
		return nil
	}
	fill(t, l, "s-1", 1)
	until(t, batches, 1, false)
	if err := stop(); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	close(states)
	for s := range states {
		if s.Err != nil {
			t.Errorf("disconnected by %v", s.Err)
		}
	}
}

func TestCloseEndsEverything(t *testing.T) {
	before := runtime.NumGoroutine()
	f := newFake(t)
	f.start(t)
	l, err := eventstore.Open(t.Context(), eventstore.Options{Address: f.address(), Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	fill(t, l, "s-1", 1)
	batches, ended := make(chan eventstore.Batch, 10), make(chan error, 1)
	go func() {
		ended <- l.Follow(t.Context(), events.Position{}, eventstore.Filter{}, eventstore.FollowOptions{},
			func(_ context.Context, b eventstore.Batch) error { batches <- b; return nil })
	}()
	until(t, batches, 1, true)
	l.Close()
	l.Close()
	if err := <-ended; !errors.Is(err, eventstore.ErrClosed) {
		t.Errorf("follow: %v", err)
	}
	if _, err := l.Append(t.Context(), "s-1", 0, pending("A", "2")); !errors.Is(err, eventstore.ErrClosed) ||
		errors.Is(err, eventstore.ErrOutcomeUnknown) {
		t.Errorf("append: %v", err)
	}
	if _, err := collect(l.Read(t.Context(), "s-1", 0)); !errors.Is(err, eventstore.ErrClosed) {
		t.Errorf("read: %v", err)
	}
	f.stop()
	settles(t, before+2)
}
