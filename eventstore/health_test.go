package eventstore_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc/codes"

	"folio/clock/clocktest"
	"folio/events"
	"folio/eventstore"
	"folio/eventstore/node"
	"folio/faultproxy"
	"folio/faultproxy/calls"
)

// journal is a logger whose lines can be looked at.
type journal struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (j *journal) Write(b []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Write(b)
}

// lines are those of a level that contain text.
func (j *journal) lines(level, text string) int {
	j.mu.Lock()
	defer j.mu.Unlock()
	n := 0
	for l := range strings.Lines(j.text.String()) {
		if strings.Contains(l, "level="+level) && strings.Contains(l, text) {
			n++
		}
	}
	return n
}

// nodeIn is a node of our own that also listens on TCP.
func nodeIn(t *testing.T, dir string) *node.Node {
	t.Helper()
	n, err := node.Open(t.Context(), node.Options{Dir: dir, Network: node.Network{Address: "127.0.0.1:0"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = n.Close(context.Background()) })
	return n
}

// hasty is a log that judges its health fast enough for tests.
func hasty(t *testing.T, address string, j *journal) *eventstore.Log {
	t.Helper()
	l, err := eventstore.Open(t.Context(), eventstore.Options{Address: address, CallTimeout: 4 * time.Second,
		ConnectTimeout: 20 * time.Second,
		ProbeEvery:     50 * time.Millisecond, AwayAfter: 600 * time.Millisecond,
		Logger: slog.New(slog.NewTextHandler(j, nil))})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}

// becomes waits until the log has one of the conditions.
func becomes(t *testing.T, l *eventstore.Log, conditions ...eventstore.Condition) {
	t.Helper()
	limit := time.After(2 * time.Minute)
	for {
		changed := l.HealthChanged()
		if slices.Contains(conditions, l.Health().Condition) {
			return
		}
		select {
		case <-changed:
		case <-limit:
			t.Fatalf("the log is %+v, want it to become %v", l.Health(), conditions)
		}
	}
}

func TestHealthTellsEachStatusAndTheReturn(t *testing.T) {
	for _, c := range []struct {
		name    string
		methods []string
		answer  calls.Answer
		want    eventstore.Condition
		reads   bool // go on
	}{
		{"no leader", []string{"Append"}, calls.NotReady(), eventstore.NoAppends, true},
		{"no commit", []string{"Append"}, calls.CommitTimeout(calls.Never), eventstore.NoAppends, true},
		{"no right to append", []string{"Append"}, calls.AccessDenied(), eventstore.NoAppends, true},
		{"password changed", []string{"Append", "Read"}, calls.Unauthenticated(), eventstore.Refusing, false},
		{"no right on $all", []string{"Read"}, calls.AccessDenied(), eventstore.Refusing, false},
		{"server not ready", []string{"Append", "Read"}, calls.NotReady(), eventstore.Away, false},
		{"an unexpected status", []string{"Append", "Read"}, calls.Status(calls.Never, codes.Unknown, "surprise"),
			eventstore.Away, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := calls.New(t, nodeIn(t, t.TempDir()).Address())
			j := &journal{}
			l := hasty(t, p.Address(), j)
			fill(t, l, "s-1", 1)
			for _, m := range c.methods {
				p.Answer(m, c.answer)
			}
			becomes(t, l, c.want)
			h := l.Health()
			if h.Err == nil || h.Appends() || h.Reads() != c.reads {
				t.Errorf("health %+v", h)
			}
			clocktest.Prompt(t, "calls of a log that is known to be away", 2*time.Second, func() {
				_, err := l.Append(t.Context(), "s-1", 0, pending("A", "fast"))
				if !errors.Is(err, eventstore.ErrUnavailable) || errors.Is(err, eventstore.ErrOutcomeUnknown) {
					t.Errorf("append: %v", err)
				}
				_, err = collect(l.Read(t.Context(), "s-1", 0))
				if c.reads == (err != nil) || err != nil && !errors.Is(err, eventstore.ErrUnavailable) {
					t.Errorf("read: %v", err)
				}
			})
			p.Heal()
			becomes(t, l, eventstore.Well)
			if _, err := l.Append(t.Context(), "s-1", 0, pending("A", "after")); err != nil {
				t.Errorf("append after the return: %v", err)
			}
			// What was seen refused first may not be all: another condition is told, too, before the log is back.
			if away, back := j.lines("WARN", "event log is away"), j.lines("INFO", "event log is back"); back == 0 ||
				away < back || j.lines("ERROR", "") > 0 {
				t.Errorf("%d lines say that it went, %d that it came back:\n%s", away, back, &j.text)
			}
		})
	}
}

func TestALogThatIsGoneFrozenOrSlow(t *testing.T) {
	for _, c := range []struct {
		name  string
		fault func(*faultproxy.Proxy)
	}{
		{"refused", (*faultproxy.Proxy).Refuse},
		{"frozen", (*faultproxy.Proxy).Freeze},
		{"answers lost", (*faultproxy.Proxy).LoseAnswers},
		{"slower than every limit", func(p *faultproxy.Proxy) { p.Delay(time.Minute) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := faultproxy.New(t, "tcp", nodeIn(t, t.TempDir()).Network().String())
			j := &journal{}
			l := hasty(t, "esdb://"+p.Address()+"?tls=false&gossipTimeout=1", j)
			fill(t, l, "s-1", 1)
			batches, stop := following(t, l, events.Position{}, eventstore.Filter{}, eventstore.FollowOptions{})
			until(t, batches, 1, true)
			c.fault(p)
			becomes(t, l, eventstore.Away)
			clocktest.Prompt(t, "an append to a log that is known to be away", time.Second, func() {
				_, err := l.Append(t.Context(), "s-1", 0, pending("A", "fast"))
				if !errors.Is(err, eventstore.ErrUnavailable) {
					t.Errorf("append: %v", err)
				}
			})
			p.Heal()
			becomes(t, l, eventstore.Well)
			if _, err := l.Append(t.Context(), "s-1", 0, pending("A", "after")); err != nil {
				t.Errorf("append after the return: %v", err)
			}
			until(t, batches, 1, false)
			if err := stop(); !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		})
	}
}

// An answer that never came is "unknown", and the event may be in the log later.
func TestACommitThatComesAboutLater(t *testing.T) {
	p := calls.New(t, nodeIn(t, t.TempDir()).Address())
	l := hasty(t, p.Address(), &journal{})
	fill(t, l, "s-1", 1)
	p.Answer("Append", calls.CommitTimeout(calls.Later))
	_, err := l.Append(t.Context(), "s-1", 0, pending("A", "late"))
	if !errors.Is(err, eventstore.ErrOutcomeUnknown) || !errors.Is(err, eventstore.ErrUnavailable) {
		t.Fatalf("append: %v", err)
	}
	p.Heal()
	if err := p.Deliver(t.Context()); err != nil {
		t.Fatal(err)
	}
	becomes(t, l, eventstore.Well)
	done, err := l.Append(t.Context(), "s-1", 0, pending("A", "late"))
	if err != nil || done.Revision != 1 {
		t.Errorf("the same append again: %+v, %v", done, err)
	}
	out, err := collect(l.Read(t.Context(), "s-1", 0))
	if err != nil {
		t.Fatal(err)
	}
	wantRevisions(t, out, 2)
}

func TestFollowersMoveWithTheSession(t *testing.T) {
	p := calls.New(t, nodeIn(t, t.TempDir()).Address())
	l := hasty(t, p.Address(), &journal{})
	fill(t, l, "s-1", 1)
	states := make(chan eventstore.FollowState, 100)
	batches, stop := following(t, l, events.Position{}, eventstore.Filter{}, eventstore.FollowOptions{
		OnState: func(s eventstore.FollowState) { states <- s }})
	until(t, batches, 1, true)
	for len(states) > 0 {
		<-states
	}
	// One append ends the session, while the subscription that goes through it is well.
	p.AnswerNext("Append", 1, calls.NotReady())
	if _, err := l.Append(t.Context(), "s-1", 0, pending("A", "1")); err != nil {
		t.Fatal(err)
	}
	if s := <-states; s.Connected || s.Err != nil {
		t.Errorf("the follower stayed, or calls its move a failure: %+v", s)
	}
	for s := range states {
		if s.Connected && s.CaughtUp {
			break
		}
	}
	until(t, batches, 1, false)
	_ = stop()
}
