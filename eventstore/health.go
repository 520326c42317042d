package eventstore

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"
)

// Condition says in a word or two what the log can be used for.
type Condition string

// The conditions of the log.
const (
	Well      Condition = "ok"
	Away      Condition = "unreachable"        // nothing answers, or no node is the leader
	Refusing  Condition = "access refused"     // user, password or a right
	NoAppends Condition = "appends refused"    // reads are answered
	Replaced  Condition = "not the log it was" // another log, or an older copy of ours
)

// Health is what this process knows of the log. Connections, calls and followers feed it, and
// a probe once a second when they are silent.
type Health struct {
	Condition Condition
	Since     time.Time // of the condition
	Answered  time.Time // the last answer; zero before the first
	Err       error     // why the condition is not Well
}

// Reads says whether reads are answered.
func (h Health) Reads() bool { return h.Condition == Well || h.Condition == NoAppends }

// Appends says whether appends are.
func (h Health) Appends() bool { return h.Condition == Well }

// use is one of the two things that the log is there for.
type use int

const (
	reading use = iota
	appending
	uses
)

// track is what is known about one use.
type track struct {
	failing time.Time // when the first call of an unbroken row of failures began
	last    *failure
	// open ends, with the reason as its cause, when the use is known to be impossible, and
	// is replaced when it is possible again: calls are bound to it.
	open  context.Context
	close context.CancelCauseFunc
}

// monitor owns the health of one log.
type monitor struct {
	logger *slog.Logger
	grace  time.Duration

	mu       sync.Mutex
	h        Health
	tracks   [uses]track
	replaced *failure      // set once: nothing cures it
	changed  chan struct{} // closed and replaced with each change of the condition
	failed   chan struct{} // closed when replaced is set
}

// newMonitor makes one that says nothing until speak.
func newMonitor(grace time.Duration) *monitor {
	m := &monitor{logger: slog.New(slog.DiscardHandler), grace: grace, changed: make(chan struct{}),
		failed: make(chan struct{})}
	m.h = Health{Condition: Well, Since: time.Now()}
	for i := range m.tracks {
		m.tracks[i].reopen()
	}
	return m
}

// speak lets changes be logged from now on; before, Open says that it waits.
func (m *monitor) speak(logger *slog.Logger) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.logger = logger
}

func (t *track) reopen() { t.open, t.close = context.WithCancelCause(context.Background()) }

// Health is what is known of the log now.
func (l *Log) Health() Health {
	l.monitor.mu.Lock()
	defer l.monitor.mu.Unlock()
	return l.monitor.h
}

// HealthChanged is closed at the next change of the condition.
func (l *Log) HealthChanged() <-chan struct{} {
	l.monitor.mu.Lock()
	defer l.monitor.mu.Unlock()
	return l.monitor.changed
}

// Failed is closed when the log turned out not to be the one it was (Health.Err names both):
// nothing may be appended or believed any more, and the process must end.
func (l *Log) Failed() <-chan struct{} { return l.monitor.failed }

// appended notes that an append was answered: whoever takes appends answers reads, too.
func (m *monitor) appended() { m.probed(time.Now(), nil, nil) }

// probed notes what the log said, nil for a good answer, to a read and to an append that began
// at a time.
func (m *monitor) probed(began time.Time, read, append *failure) {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := time.Now()
	for u, f := range [uses]*failure{reading: read, appending: append} {
		t := &m.tracks[u]
		switch {
		case f == nil || f.answer():
			t.failing, t.last, m.h.Answered = time.Time{}, nil, now
		case f.kind == ErrClosed || errors.Is(f, context.Canceled): // nobody waited for the answer
		default:
			t.fail(began, f)
		}
		if f != nil && f.kind == ErrReplaced && m.replaced == nil {
			m.replaced = f
			close(m.failed)
		}
	}
	m.judge(now)
}

func (t *track) fail(began time.Time, f *failure) {
	if t.last == nil {
		t.failing = began
	}
	t.last = f
}

// judge finds the condition that the tracks amount to, and tells a change. The caller holds mu.
func (m *monitor) judge(now time.Time) {
	next, why := m.verdict(now)
	m.h.Err = nil
	if why != nil {
		m.h.Err = why
	}
	if next == m.h.Condition {
		return
	}
	was, for_ := m.h.Condition, now.Sub(m.h.Since).Round(time.Millisecond)
	m.h.Condition, m.h.Since = next, now
	m.allow(reading, m.h.Reads(), why)
	m.allow(appending, m.h.Appends(), why)
	close(m.changed)
	m.changed = make(chan struct{})
	switch next {
	case Well:
		m.logger.Info("event log is back", "was", was, "for", for_)
	case Replaced:
		m.logger.Error("event log is not the one it was: nothing is appended any more and the process ends", "error", why)
	default:
		m.logger.Warn("event log is away", "condition", next, "error", why)
	}
}

func (m *monitor) verdict(now time.Time) (Condition, *failure) {
	if m.replaced != nil {
		return Replaced, m.replaced
	}
	for u, otherwise := range [uses]Condition{reading: Away, appending: NoAppends} {
		t := m.tracks[u]
		switch {
		case t.last == nil:
		case t.last.kind == ErrUnauthenticated && use(u) == reading:
			return Refusing, t.last
		case t.last.kind == ErrUnauthenticated || now.Sub(t.failing) >= m.grace:
			return otherwise, t.last
		}
	}
	return Well, nil
}

// allow ends the calls that wait for something that will not come, or lets calls begin again.
func (m *monitor) allow(u use, possible bool, why *failure) {
	t := &m.tracks[u]
	if t.open.Err() != nil {
		t.reopen()
	}
	if !possible {
		t.close(&failure{kind: ErrUnavailable, cause: why, undone: true})
	}
}

// during is the context that ends, with a *failure as its cause, when a use becomes impossible.
func (m *monitor) during(u use) context.Context {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.tracks[u].open
}
