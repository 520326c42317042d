package processors

import (
	"sync/atomic"
	"time"
)

// Health is a Status that a processor keeps up to date while it runs.
type Health struct{ p atomic.Pointer[Status] }

// Set replaces the status.
func (h *Health) Set(s Status) { h.p.Store(&s) }

// Update changes the status by f.
func (h *Health) Update(f func(*Status)) {
	for {
		old := h.p.Load()
		var next Status
		if old != nil {
			next = *old
		}
		f(&next)
		if h.p.CompareAndSwap(old, &next) {
			return
		}
	}
}

// Begin says that this process owns the processor now and has yet to hear the log.
func (h *Health) Begin(now time.Time) {
	h.Update(func(s *Status) { s.Owner, s.CaughtUp, s.Fault, s.Since = true, false, "", now })
}

// CaughtUp says that all that is in the log was heard.
func (h *Health) CaughtUp(now time.Time) {
	h.Update(func(s *Status) { s.CaughtUp, s.Since = true, now })
}

// Failed notes what the processor fails on, nil when it no longer does.
func (h *Health) Failed(now time.Time, err error) {
	fault := ""
	if err != nil {
		fault = err.Error()
	}
	if h.Get().Fault != fault {
		h.Update(func(s *Status) { s.Fault, s.Since = fault, now })
	}
}

// End says that this process stands by again. What it failed on is the next owner's affair.
func (h *Health) End(now time.Time) {
	h.Update(func(s *Status) { s.Owner, s.CaughtUp, s.Fault, s.Since = false, false, "", now })
}

// Get is the status now.
func (h *Health) Get() Status {
	if s := h.p.Load(); s != nil {
		return *s
	}
	return Status{}
}
