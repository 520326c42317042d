package circuit_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"folio/authority"
	"folio/authority/circuit"
)

// line is a driver whose calls of Last come back as told.
type line struct {
	authority.Driver
	err   error
	calls int
}

func (l *line) Name() string { return "line" }

func (l *line) Last(context.Context, authority.Credential, authority.Series, authority.Recorder) (authority.Last, error) {
	l.calls++
	return authority.Last{}, l.err
}

type harness struct {
	line    *line
	driver  *circuit.Driver
	now     time.Time
	timers  []func()
	changes []circuit.State
	retries int
}

func start() *harness {
	h := &harness{line: &line{}, now: time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)}
	h.driver = circuit.Wrap(h.line, circuit.Options{Pause: 30 * time.Second, Now: func() time.Time { return h.now },
		After:   func(_ time.Duration, f func()) { h.timers = append(h.timers, f) },
		Changed: func(s circuit.State) { h.changes = append(h.changes, s) },
		Retry:   func() { h.retries++ }})
	return h
}

func (h *harness) ask(branch int, e authority.Environment) error {
	_, err := h.driver.Last(context.Background(), authority.Credential{}, authority.Series{Company: fmt.Sprint(branch), Environment: e}, nil)
	return err
}

func (h *harness) downs() int {
	n := 0
	for _, s := range h.changes {
		if !s.Up {
			n++
		}
	}
	return n
}

var errLine = errors.New("connection reset")

func TestOneStuckCompanyOpensNothing(t *testing.T) {
	h := start()
	h.line.err = errLine
	for range 20 {
		_ = h.ask(1, authority.Production)
	}
	h.line.err = nil
	if err := h.ask(2, authority.Production); err != nil || h.downs() != 0 {
		t.Fatalf("another series: %v, changes %v", err, h.changes)
	}
}

func TestThreeFailingCompaniesOpenAndOneSuccessCloses(t *testing.T) {
	h := start()
	h.line.err = errLine
	for branch := range 3 {
		_ = h.ask(branch, authority.Production)
	}
	if last := h.changes[len(h.changes)-1]; h.downs() != 1 || last.Up || last.NextTry == nil {
		t.Fatalf("changes %+v, want the last: down with a next try", h.changes)
	}
	before := h.line.calls
	if err := h.ask(1, authority.Production); !errors.Is(err, authority.ErrNotSent) || h.line.calls != before {
		t.Fatalf("while down: %v after %d calls, want ErrNotSent without a call", err, h.line.calls-before)
	}
	if err := h.ask(9, authority.Testing); !errors.Is(err, errLine) {
		t.Fatalf("the other environment has a circuit of its own: %v", err)
	}
	if err := h.ask(8, authority.Production); !errors.Is(err, errLine) {
		t.Fatalf("a company that has not failed may try once: %v", err)
	}
	h.now = h.now.Add(30 * time.Second)
	if err := h.ask(1, authority.Production); !errors.Is(err, errLine) {
		t.Fatalf("after the pause one call tries: %v", err)
	}
	if err := h.ask(1, authority.Production); !errors.Is(err, authority.ErrNotSent) {
		t.Fatalf("it failed, so the next waits again: %v", err)
	}
	h.now, h.line.err = h.now.Add(30*time.Second), nil
	if err := h.ask(9, authority.Production); err != nil {
		t.Fatal(err)
	}
	last := h.changes[len(h.changes)-1]
	if !last.Up || h.retries != 1 || h.ask(1, authority.Production) != nil {
		t.Fatalf("after a success: %+v, %d retries", last, h.retries)
	}
}

func TestWhatTheAuthorityAnswersIsNoOutage(t *testing.T) {
	for _, c := range []struct {
		name string
		err  error
		down bool
	}{
		{"a refusal", &authority.Message{Code: "10005", Err: authority.ErrRefused}, false},
		{"a certificate at fault", &authority.Message{Code: "cms.cert.expired", Err: authority.ErrCredential}, false},
		{"its database is down", &authority.Message{Code: "501"}, true},
		{"we stopped asking", context.Canceled, false},
		{"no connection", authority.ErrNotSent, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := start()
			h.line.err = c.err
			for branch := range 5 {
				_ = h.ask(branch, authority.Production)
			}
			if down := h.downs() > 0; down != c.down {
				t.Fatalf("down %v, want %v", down, c.down)
			}
		})
	}
}
