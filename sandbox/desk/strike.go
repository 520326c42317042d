package desk

import (
	"context"
	"io"
	"net/http"
	"time"

	"folio/clock"
)

// Before applies the faults that keep a call from being processed as it is; page is what
// HTML answers. True: it was answered.
func Before(w http.ResponseWriter, r *http.Request, struck []Fault, page string) bool {
	for _, f := range struck {
		switch f.Effect {
		case Slow:
			Wait(r.Context(), time.Duration(f.Delay))
		case Down:
			w.Header().Set("Retry-After", "1")
			http.Error(w, "Service Unavailable", http.StatusServiceUnavailable)
			return true
		case HTTP500:
			http.Error(w, "Internal Server Error", http.StatusInternalServerError)
			return true
		case HTML:
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = io.WriteString(w, page)
			return true
		case Hang:
			Wait(r.Context(), time.Duration(f.Delay))
			panic(http.ErrAbortHandler)
		case Reset:
			panic(http.ErrAbortHandler)
		}
	}
	return false
}

// Reply is what a call is answered with.
type Reply struct {
	Status      int
	ContentType string
	Body        string
}

// Answer writes a reply, or loses it: the abort is how net/http cuts a connection.
func Answer(w http.ResponseWriter, r *http.Request, struck []Fault, a Reply) {
	for _, f := range struck {
		switch f.Effect {
		case Lose:
			panic(http.ErrAbortHandler)
		case Stall:
			Wait(r.Context(), time.Duration(f.Delay))
			panic(http.ErrAbortHandler)
		case Truncate:
			w.Header().Set("Content-Type", a.ContentType)
			_, _ = io.WriteString(w, a.Body[:len(a.Body)/2])
			panic(http.ErrAbortHandler)
		}
	}
	w.Header().Set("Content-Type", a.ContentType)
	w.WriteHeader(a.Status)
	_, _ = io.WriteString(w, a.Body)
}

// Find is the fault of this effect, if it happens to the call.
func Find(struck []Fault, effect Effect) (Fault, bool) {
	for _, f := range struck {
		if f.Effect == effect {
			return f, true
		}
	}
	return Fault{}, false
}

// Wait lets d pass, an hour at most when d is 0, unless the client leaves first.
func Wait(ctx context.Context, d time.Duration) {
	if d <= 0 {
		d = time.Hour
	}
	clock.Sleep(ctx, d)
}

// Delay lets the latency of every call pass.
func Delay(r *http.Request, latency Duration) {
	if latency > 0 {
		Wait(r.Context(), time.Duration(latency))
	}
}
