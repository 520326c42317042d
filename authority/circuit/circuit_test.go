package circuit_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"folio/authority"
	"folio/authority/circuit"
	"folio/events"
)

// line is a driver whose calls of Last come back as told, after an exchange unless it is
// silent.
type line struct {
	authority.Driver
	err    error
	calls  int
	silent bool
}

func (l *line) Name() string { return "line" }

func (l *line) Last(_ context.Context, _ authority.Credential, _ authority.Series, rec authority.Recorder) (authority.Last, error) {
	l.calls++
	if !l.silent {
		rec(authority.Exchange{})
	}
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

func TestASuccessAfterAFailureIsToldAtOnce(t *testing.T) {
	h := start()
	for i, err := range []error{nil, errLine, nil, nil, errLine, nil} {
		h.line.err = err
		_ = h.ask(1, authority.Production)
		if i == 3 {
			h.now = h.now.Add(4 * time.Second)
		}
	}
	var told []string
	for _, s := range h.changes {
		told = append(told, fmt.Sprint(s.LastSuccess != nil, s.LastFailure != nil))
	}
	if got, want := fmt.Sprint(told), "[true false true true true true true true true true]"; got != want {
		t.Errorf("told %s, want %s: the first, then each failure and the success after it", got, want)
	}
	if last := h.changes[len(h.changes)-1]; !last.LastSuccess.Equal(h.now) {
		t.Errorf("the last that was told is a success of %s", last.LastSuccess)
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

// Where numbers come from files, Last answers without a call before each call that fails.
func TestAnAnswerWithoutACallProvesNothing(t *testing.T) {
	h := start()
	silently := func(branch int) error {
		h.line.err, h.line.silent = nil, true
		defer func() { h.line.silent = false }()
		return h.ask(branch, authority.Production)
	}
	for branch := range 3 {
		if err := silently(branch); err != nil {
			t.Fatal(err)
		}
		h.line.err = errLine
		_ = h.ask(branch, authority.Production)
	}
	if h.downs() != 1 {
		t.Fatalf("three companies failed, with no call that got through: %+v", h.changes)
	}
	h.now = h.now.Add(30 * time.Second)
	if err := silently(1); err != nil || h.retries != 0 || h.driver.States()[0].Up || h.driver.States()[0].LastSuccess != nil {
		t.Fatalf("%v, and it counts as %+v", err, h.driver.States())
	}
	if err := h.ask(1, authority.Production); err != nil || !h.driver.States()[0].Up {
		t.Fatalf("the call behind it may try, and closes: %v, %+v", err, h.driver.States())
	}
}

// grouped is a driver that keeps exports apart.
type grouped struct{ authority.Driver }

func (grouped) Together(a, b events.Document) bool { return a.Type == b.Type }

func TestWhatMayShareACallIsTheDriversToSay(t *testing.T) {
	a, b := events.Document{Type: "A"}, events.Document{Type: "B"}
	if d := circuit.Wrap(grouped{}, circuit.Options{}); d.Together(a, b) || !d.Together(a, a) {
		t.Error("the driver within is not asked")
	}
	if d := circuit.Wrap(&line{}, circuit.Options{}); !d.Together(a, b) {
		t.Error("a driver without a say keeps nothing apart")
	}
}

func (grouped) Split(authority.Batch, authority.Prepared) ([]authority.Prepared, error) {
	return make([]authority.Prepared, 2), nil
}

func TestWhatGoesAloneIsTheDriversToSay(t *testing.T) {
	if parts, err := circuit.Wrap(grouped{}, circuit.Options{}).Split(authority.Batch{}, authority.Prepared{}); err != nil || len(parts) != 2 {
		t.Errorf("the driver within is not asked: %d parts, %v", len(parts), err)
	}
	if _, err := circuit.Wrap(&line{}, circuit.Options{}).Split(authority.Batch{}, authority.Prepared{}); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("a driver without a say splits: %v", err)
	}
}
