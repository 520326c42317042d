package httpapi

import (
	"sync"
	"time"
)

// sender is how long the next lines were waited for.
type sender struct {
	mu     sync.Mutex
	since  time.Time // a line is waited for; zero while none is
	waited time.Duration
	over   bool // the request must end, though its sender is there
}

func (s *sender) begin() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.since = time.Now()
}

func (s *sender) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waited, s.since = s.waited+time.Since(s.since), time.Time{}
}

// slow says whether the waits come to more than d.
func (s *sender) slow(d time.Duration) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.since.IsZero() {
		return s.waited > d
	}
	return s.waited+time.Since(s.since) > d
}

// give ends the request.
func (s *sender) give() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.over = true
}

func (s *sender) given() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.over
}
