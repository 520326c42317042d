package sii

import (
	"context"
	"io"
	"net/http"
	"time"
)

// before applies the faults that keep a call from being processed as it is. True: it
// was answered.
func (c *call) before() bool {
	for _, f := range c.struck {
		switch f.Effect {
		case Slow:
			wait(c.r.Context(), time.Duration(f.Delay))
		case Down:
			c.w.Header().Set("Retry-After", "1")
			http.Error(c.w, "Service Unavailable", http.StatusServiceUnavailable)
			return true
		case HTTP500:
			http.Error(c.w, "Internal Server Error", http.StatusInternalServerError)
			return true
		case HTML:
			c.w.Header().Set("Content-Type", "text/html; charset=iso-8859-1")
			_, _ = io.WriteString(c.w, "<html><head><title>SII</title></head><body>Por el momento no es posible atender su solicitud.<br></body></html>")
			return true
		case Hang:
			wait(c.r.Context(), time.Duration(f.Delay))
			panic(http.ErrAbortHandler)
		case Reset:
			panic(http.ErrAbortHandler)
		}
	}
	return false
}

// fault is the one of this effect, if it happens to the call.
func (c *call) fault(effect Effect) (Fault, bool) {
	for _, f := range c.struck {
		if f.Effect == effect {
			return f, true
		}
	}
	return Fault{}, false
}

// answer writes an answer, or loses it: the abort is how net/http cuts a connection.
func (c *call) answer(status int, kind, body string) {
	for _, f := range c.struck {
		switch f.Effect {
		case Lose:
			panic(http.ErrAbortHandler)
		case Stall:
			wait(c.r.Context(), time.Duration(f.Delay))
			panic(http.ErrAbortHandler)
		case Truncate:
			c.w.Header().Set("Content-Type", kind)
			_, _ = io.WriteString(c.w, body[:len(body)/2])
			panic(http.ErrAbortHandler)
		}
	}
	c.w.Header().Set("Content-Type", kind)
	c.w.WriteHeader(status)
	_, _ = io.WriteString(c.w, body)
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
