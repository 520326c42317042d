package arca

import (
	"context"
	"io"
	"net/http"
	"time"
)

// before applies the faults that keep a call from being processed. True: it was answered.
func before(w http.ResponseWriter, r *http.Request, struck []Fault) bool {
	for _, f := range struck {
		switch f.Effect {
		case Down:
			w.Header().Set("Retry-After", "1")
			http.Error(w, "Service Unavailable", http.StatusServiceUnavailable)
		case HTTP500:
			http.Error(w, "Internal Server Error", http.StatusInternalServerError)
		case HTML:
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = io.WriteString(w, "<html><head><title>Mantenimiento</title></head><body>El servicio no se encuentra disponible.<br></body></html>")
		case Hang:
			wait(r.Context(), f.Delay)
			panic(http.ErrAbortHandler)
		case Reset:
			panic(http.ErrAbortHandler)
		default:
			continue
		}
		return true
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
