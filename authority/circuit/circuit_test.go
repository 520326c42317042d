package circuit_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"folio/authority"
	"folio/authority/circuit"
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

func (l *line) Can() authority.Capabilities { return authority.Capabilities{} }

func (l *line) Last(_ context.Context, _ authority.Credential, _ authority.Series,
	rec authority.Recorder) (authority.Last, error) {
	l.calls++
	if !l.silent {
		rec(authority.Exchange{Operation: "Ask"})
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
	_, err := h.driver.Last(context.Background(), authority.Credential{},
		authority.Series{Company: fmt.Sprint(branch), Environment: e}, nil)
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
		{"it says that it is broken", &authority.Message{Code: "501", Broken: true}, true},
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
	if err := silently(1); err != nil || h.retries != 0 || h.driver.States()[0].Up ||
		h.driver.States()[0].LastSuccess != nil {
		t.Fatalf("%v, and it counts as %+v", err, h.driver.States())
	}
	if err := h.ask(1, authority.Production); err != nil || !h.driver.States()[0].Up {
		t.Fatalf("the call behind it may try, and closes: %v, %+v", err, h.driver.States())
	}
}

// able can everything.
type able struct {
	line
	authority.Grouper
	authority.Splitter
	authority.Renewer
	authority.Reporter
	authority.Verifier
	authority.Contingency
	err    error
	quoted int
}

func (a *able) Can() authority.Capabilities {
	return authority.Capabilities{Grouper: a, Splitter: a, Renewer: a, Quoter: a, Reporter: a, Verifier: a,
		Contingency: a}
}

func (a *able) Quote(_ context.Context, _ authority.Credential, _ authority.Question,
	rec authority.Recorder) (authority.Quotation, error) {
	a.quoted++
	rec(authority.Exchange{})
	return authority.Quotation{}, a.err
}

func TestADriverCanWhatTheOneWithinCan(t *testing.T) {
	within := &able{}
	can := circuit.Wrap(within, circuit.Options{}).Can()
	if can.Grouper != within || can.Splitter != within || can.Renewer != within || can.Reporter != within ||
		can.Verifier != within || can.Contingency != within {
		t.Errorf("%+v is not what the driver within can", can)
	}
	if can := start().driver.Can(); can != (authority.Capabilities{}) {
		t.Errorf("%+v of a driver that can nothing besides", can)
	}
}

func TestRatesAreAskedThroughTheCircuit(t *testing.T) {
	h, within := start(), &able{err: authority.ErrNoQuotation}
	h.line = &within.line
	h.driver = circuit.Wrap(within, circuit.Options{Pause: 30 * time.Second, Now: func() time.Time { return h.now },
		After: func(time.Duration, func()) {}, Changed: func(s circuit.State) { h.changes = append(h.changes, s) },
		Retry: func() {}})
	quote := func() error {
		_, err := h.driver.Can().Quoter.Quote(context.Background(), authority.Credential{Environment: authority.Production},
			authority.Question{}, nil)
		return err
	}
	if err := quote(); !errors.Is(err, authority.ErrNoQuotation) || !h.driver.States()[0].Up {
		t.Fatalf("%v: that there is no rate is an answer: %+v", err, h.driver.States())
	}
	h.line.err = errLine
	for branch := range 3 {
		_ = h.ask(branch, authority.Production)
	}
	h.line.err, within.err = nil, errLine
	if err := quote(); !errors.Is(err, errLine) {
		t.Fatalf("whoever has not failed may try once: %v", err)
	}
	if err := quote(); !errors.Is(err, authority.ErrNotSent) || within.quoted != 2 {
		t.Fatalf("%v after %d calls, want ErrNotSent without a third", err, within.quoted)
	}
}

func TestEachCallIsToldWithItsCompany(t *testing.T) {
	h := start()
	var told []string
	h.driver = circuit.Wrap(h.line, circuit.Options{Pause: 30 * time.Second, Now: func() time.Time { return h.now },
		After: func(time.Duration, func()) {}, Changed: func(circuit.State) {}, Retry: func() {},
		Called: func(c circuit.Call) {
			told = append(told, fmt.Sprintf("%s/%s/%s %q %q %v", c.Authority, c.Environment, c.Company, c.Operation, c.Fault,
				c.Spared))
		}})
	_ = h.ask(1, authority.Production)
	h.line.err = context.Canceled
	_ = h.ask(1, authority.Production)
	h.line.err, h.line.silent = nil, true
	_ = h.ask(1, authority.Production)
	h.line.err, h.line.silent = errLine, false
	for branch := range 4 {
		_ = h.ask(branch, authority.Production)
	}
	_ = h.ask(1, authority.Production)
	want := []string{`line/Production/1 "Ask" "" false`}
	for branch := range 4 {
		want = append(want, fmt.Sprintf(`line/Production/%d "Ask" "it gave no answer that could be understood" false`,
			branch))
	}
	want = append(want, `line/Production/1 "" "it has been down since 2026-11-27T12:00:00Z" true`)
	if !slices.Equal(told, want) {
		t.Errorf("told\n%s\nwant\n%s", strings.Join(told, "\n"), strings.Join(want, "\n"))
	}
}
