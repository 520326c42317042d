package reactor

import (
	"context"
	"sync"
	"time"
)

// Status is the health of a processor.
type Status struct {
	Name     string `json:"name"`
	Owner    bool   `json:"owner"`     // this process runs it; otherwise it stands by, or its run failed: Fault
	CaughtUp bool   `json:"caught_up"` // it has heard all that is in the log
	// Anew says that its worklists are made anew because somebody asked for it, after they had caught up.
	Anew  bool      `json:"anew,omitempty"`
	Fault string    `json:"fault,omitempty"`
	Since time.Time `json:"since"`
}

// Part is what may fail about a processor.
type Part int

// The parts, the one that is told first.
const (
	running Part = iota
	Folding      // an event is tried again
	Listing      // the worklists cannot be read or written
	parts
)

// Health keeps a Status. Its zero value is that of a processor that stands by.
type Health struct {
	mu              sync.Mutex
	owner, caughtup bool
	heard           bool // the run that ended last had caught up
	anew            bool
	since           time.Time
	faults          [parts]string
}

func (h *Health) status(name string) Status {
	h.mu.Lock()
	defer h.mu.Unlock()
	s := Status{Name: name, Owner: h.owner, CaughtUp: h.caughtup, Anew: h.anew, Since: h.since}
	for _, f := range h.faults {
		if f != "" {
			s.Fault = f
			break
		}
	}
	return s
}

// Failed notes what a part fails on, nil when it no longer does.
func (h *Health) Failed(now time.Time, of Part, err error) {
	fault := ""
	if err != nil {
		fault = err.Error()
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.faults[of] != fault {
		h.faults[of], h.since = fault, now
	}
}

// begin says that this process owns the processor now and has yet to hear the log. What the last run failed on stays
// true until this one has caught up.
func (h *Health) begin(now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.owner, h.caughtup, h.since = true, false, now
	h.faults[Folding], h.faults[Listing] = "", ""
}

// caughtUp says that all that is in the log was heard.
func (h *Health) caughtUp(now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.caughtup, h.anew, h.since, h.faults[running] = true, false, now, ""
}

// end says that this process runs the processor no more. A run that failed by itself, while ctx goes on, makes no
// healthy standby: its work is not done anywhere.
func (h *Health) end(ctx context.Context, now time.Time, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.heard, h.anew = h.caughtup, false
	h.owner, h.caughtup, h.since = false, false, now
	h.faults = [parts]string{}
	if err != nil && ctx.Err() == nil {
		h.faults[running] = err.Error()
	}
}

// madeAnew says that the last run ended because its worklists are to be made anew.
func (h *Health) madeAnew() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.anew = h.heard
}

// standby says that another process has the lease: the work is done there.
func (h *Health) standby(now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.faults[running] != "" {
		h.faults[running], h.since = "", now
	}
}
