package httpapi

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// The clients here have no transport that repeats what failed: a connection that ends without an
// answer is seen as such.
func TestNoConnectionIsCutWhenAServerStops(t *testing.T) {
	l, address, err := Listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	told, stop := context.WithCancel(t.Context()) // the service is told to stop
	end, finish := context.WithCancel(t.Context())
	defer finish()
	defer stop()
	handler := Closing(told.Done(), http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "answered")
	}))
	served := make(chan error, 1)
	go func() { served <- Serve(end, l, NewServer(handler, slog.New(slog.DiscardHandler)), time.Minute) }()
	at := strings.TrimPrefix(address, "http://")
	var answered, closing atomic.Int64
	var clients sync.WaitGroup
	for n := range 8 {
		clients.Go(func() {
			for {
				asks := 1 // every second client takes a connection for each request
				if n%2 == 0 {
					asks = 1 << 30
				}
				answers, wasTold, err := converse(at, asks)
				answered.Add(answers)
				if wasTold {
					closing.Add(1)
				}
				if errors.Is(err, syscall.ECONNREFUSED) {
					return
				}
				if err != nil {
					t.Errorf("a request was not answered: %v", err)
					return
				}
			}
		})
	}
	await(t, "answers before the stop", func() bool { return answered.Load() > 200 })
	stop()
	before := answered.Load()
	await(t, "answers after the stop", func() bool { return answered.Load() > before+200 && closing.Load() > 8 })
	finish()
	clients.Wait()
	if err := <-served; err != nil {
		t.Errorf("the stop failed: %v", err)
	}
}

// converse asks over one connection until it is told to close it, or so many times.
func converse(at string, asks int) (answers int64, told bool, err error) {
	conn, err := net.Dial("tcp", at)
	if err != nil {
		return 0, false, err
	}
	defer func() { _ = conn.Close() }()
	in := bufio.NewReader(conn)
	for range asks {
		if _, err := io.WriteString(conn, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}"); err != nil {
			return answers, false, fmt.Errorf("send: %w", err)
		}
		res, err := http.ReadResponse(in, nil)
		if err != nil {
			return answers, false, fmt.Errorf("receive: %w", err)
		}
		if _, err := io.Copy(io.Discard, res.Body); err != nil {
			return answers, false, fmt.Errorf("receive: %w", err)
		}
		answers++
		if res.Close {
			return answers, true, nil
		}
	}
	return answers, false, nil
}

func await(t *testing.T, what string, done func() bool) {
	t.Helper()
	for limit := time.Now().Add(2 * time.Minute); !done(); time.Sleep(time.Millisecond) {
		if time.Now().After(limit) {
			t.Fatalf("no %s", what)
		}
	}
}

// Over HTTP/2 the next call takes another connection, too: the answer comes with GOAWAY.
func TestHTTP2IsToldToTakeAnotherConnection(t *testing.T) {
	stopping := make(chan struct{})
	server := httptest.NewUnstartedServer(Closing(stopping, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "answered")
	})))
	server.EnableHTTP2 = true
	server.StartTLS()
	defer server.Close()
	first := asked(t, server)
	if again := asked(t, server); again != first {
		t.Errorf("before the stop a call came from %s, the one before from %s", again, first)
	}
	close(stopping)
	asked(t, server)
	await(t, "call on another connection", func() bool { return asked(t, server) != first })
}

// asked makes a call over HTTP/2 and tells from which address.
func asked(t *testing.T, server *httptest.Server) (from string) {
	t.Helper()
	ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{GotConn: func(c httptrace.GotConnInfo) {
		from = c.Conn.LocalAddr().String()
	}})
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := server.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, res.Body); err != nil || res.ProtoMajor != 2 {
		t.Fatalf("%s: %v", res.Proto, err)
	}
	_ = res.Body.Close()
	return from
}
