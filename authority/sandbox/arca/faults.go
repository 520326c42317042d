package arca

import (
	"context"
	"io"
	"net/http"
	"time"
)

// before applies the faults that keep a call from being processed as it is. True: it
// was answered.
func (s *Server) before(w http.ResponseWriter, r *http.Request, c *call) bool {
	for _, f := range c.struck {
		switch f.Effect {
		case Slow:
			wait(r.Context(), f.Delay)
		case TakeNumber:
			if err := s.takeNext(r.Context(), c); err != nil {
				s.log.ErrorContext(r.Context(), "sandbox of ARCA: take a number", "error", err)
			}
		case Down:
			w.Header().Set("Retry-After", "1")
			http.Error(w, "Service Unavailable", http.StatusServiceUnavailable)
			return true
		case HTTP500:
			http.Error(w, "Internal Server Error", http.StatusInternalServerError)
			return true
		case HTML:
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = io.WriteString(w, "<html><head><title>Mantenimiento</title></head><body>El servicio no se encuentra disponible.<br></body></html>")
			return true
		case Hang:
			wait(r.Context(), f.Delay)
			panic(http.ErrAbortHandler)
		case Reset:
			panic(http.ErrAbortHandler)
		}
	}
	return false
}

// after applies the faults that lose an answer once everything is kept. The abort is
// how net/http cuts a connection without answering.
func after(w http.ResponseWriter, r *http.Request, struck []Fault, answer string) {
	for _, f := range struck {
		switch f.Effect {
		case Lose:
			panic(http.ErrAbortHandler)
		case Stall:
			wait(r.Context(), f.Delay)
			panic(http.ErrAbortHandler)
		case Truncate:
			w.Header().Set("Content-Type", soap11)
			_, _ = io.WriteString(w, answer[:len(answer)/2])
			panic(http.ErrAbortHandler)
		}
	}
}

// wait lets d pass, an hour at most when d is 0, unless the client leaves first.
func wait(ctx context.Context, d time.Duration) {
	if d <= 0 {
		d = time.Hour
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// delay is the latency of every call.
func (s *Server) delay(r *http.Request) {
	s.mu.Lock()
	d := s.knobs.Latency
	s.mu.Unlock()
	if d > 0 {
		wait(r.Context(), d)
	}
}

// message is what a fault says: its own text, or the service's of its code.
func (f Fault) message(svc *service) Message {
	if f.Text == "" {
		return svc.coded(f.Code)
	}
	return Message{f.Code, f.Text}
}
