package httpapi

import (
	"context"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"folio/clock"
)

// Closing has callers take another connection once stopping is closed: an answer of HTTP/1.1 says
// Connection: close and ends its connection, HTTP/2 sends GOAWAY. A connection that was told so is
// not in use when the server ends, so that no request is cut off with it.
func Closing(stopping <-chan struct{}, h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-stopping:
			w.Header().Set("Connection", "close")
			defer drain(w, r) // a connection that is closed before its body was read is reset
		default:
		}
		h.ServeHTTP(w, r)
	})
}

// lastCall is a listener that can be closed without cutting off whom the kernel has let in already.
type lastCall struct {
	net.Listener
	accepting atomic.Bool // the server waits for another connection: it knows those before
}

func (l *lastCall) Accept() (net.Conn, error) {
	l.accepting.Store(true)
	defer l.accepting.Store(false)
	return l.Listener.Accept()
}

// How long no connection must have come before the listener may be closed, and how long that is
// waited for. The first is longer than a handshake takes.
const (
	quietFor    = 100 * time.Millisecond
	quietWithin = time.Second
)

// refuse lets nobody else in and waits until all who are in have been accepted. Who connects
// meanwhile is refused when the listener closes. Where the system cannot do that, the connections
// of the last moment are cut off.
func (l *lastCall) refuse() {
	count, ok := shut(l.Listener)
	if !ok {
		return
	}
	limit, stop := context.WithTimeout(context.Background(), quietWithin)
	defer stop()
	for quiet := time.Duration(0); quiet < quietFor && clock.Sleep(limit, quietStep); quiet += quietStep {
		if count() > 0 || !l.accepting.Load() {
			quiet = 0
		}
	}
}

const quietStep = 5 * time.Millisecond
