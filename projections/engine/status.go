package engine

import (
	"sync"
	"time"

	"folio/events"
)

// Condition is what a projection is doing in this process.
type Condition string

// The conditions.
const (
	Standby  Condition = "standby"  // another process folds, or none was started
	Folding  Condition = "folding"  // up to date, or on its way there
	Retrying Condition = "retrying" // tables or log fail; nothing is lost, Err says why
	Stopped  Condition = "stopped"  // going on would leave a hole; Err says what to mend
)

// Status is one projection as this process sees it.
type Status struct {
	Name      string
	Version   int
	Condition Condition
	// Since is when the condition began.
	Since time.Time
	// Err is why it retries or stopped.
	Err error
	// Position is how far this process folded, zero on standby.
	Position events.Position
	// CaughtUp says that nothing was waiting in the log after the last batch.
	CaughtUp bool
	// Lag is the age of the last event folded while not caught up, otherwise 0.
	Lag time.Duration
	// New says that it is being built for the first time, beside others that were there
	// before: until it has caught up once it owes readers nothing.
	New bool
	// Rebuilding says that the next generation is being built beside.
	Rebuilding bool
	// RebuildErr is why that stopped; the present documents go on.
	RebuildErr error
	// Orphans counts events skipped since the start because the event that creates their
	// document is gone from the log (a deleted or truncated stream).
	Orphans int64
}

// Status lists the projections in the order of Options.
func (r *Runner) Status() []Status {
	out := make([]Status, 0, len(r.o.Projections))
	for _, p := range r.o.Projections {
		w := r.workers[p.name]
		s := w.state.get(r.o.Now())
		s.Name, s.Version = p.name, p.version
		s.Position = w.gauge.position()
		out = append(out, s)
	}
	return out
}

type state struct {
	mu   sync.Mutex
	s    Status
	last time.Time // when the last event folded was recorded
}

func (s *state) get(now time.Time) Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := s.s
	if !out.CaughtUp && !s.last.IsZero() {
		out.Lag = max(now.Sub(s.last), 0)
	}
	return out
}

// set changes the condition; it says whether that is news.
func (s *state) set(now time.Time, c Condition, err error) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	news := s.s.Condition != c
	if news {
		s.s.Condition, s.s.Since = c, now
	}
	s.s.Err = err
	if c != Folding {
		s.s.CaughtUp = false
	}
	return news
}

func (s *state) folded(now time.Time, b Batch) {
	s.set(now, Folding, nil)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.s.CaughtUp = b.CaughtUp
	s.s.New = s.s.New && !b.CaughtUp
	if n := len(b.Events); n > 0 {
		s.last = b.Events[n-1].Meta.At
	}
}

func (s *state) rebuilding(on bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.s.Rebuilding, s.s.RebuildErr = on, err
}

func (s *state) orphans(n int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.s.Orphans = n
}
