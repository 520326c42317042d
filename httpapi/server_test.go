package httpapi

import (
	"bufio"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// running is a served handler that blocks until it is let go.
type running struct {
	url     string
	stop    context.CancelFunc
	served  chan error
	entered chan struct{}
	release chan struct{}
}

func serveBlocking(t *testing.T, drain time.Duration) *running {
	t.Helper()
	l, url, err := Listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r := &running{url: url, served: make(chan error, 1), entered: make(chan struct{}, 1), release: make(chan struct{})}
	handler := http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		r.entered <- struct{}{}
		select {
		case <-r.release:
		case <-req.Context().Done():
		}
		_, _ = io.WriteString(w, "done")
	})
	ctx, stop := context.WithCancel(t.Context())
	r.stop = stop
	go func() { r.served <- Serve(ctx, l, NewServer(handler, slog.New(slog.DiscardHandler)), drain) }()
	return r
}

// get answers on the channel with the body, "" for a failure.
func get(t *testing.T, url string) chan string {
	answer := make(chan string, 1)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			answer <- ""
			return
		}
		defer res.Body.Close()
		b, _ := io.ReadAll(res.Body)
		answer <- string(b)
	}()
	return answer
}

func TestStopLetsRequestsFinishAndTakesNoMore(t *testing.T) {
	r := serveBlocking(t, 5*time.Second)
	answer := get(t, r.url)
	<-r.entered
	r.stop()
	for refused := false; !refused; { // until the listener is closed
		c, err := net.Dial("tcp", strings.TrimPrefix(r.url, "http://"))
		if refused = err != nil; !refused {
			_ = c.Close()
		}
	}
	close(r.release)
	if got := <-answer; got != "done" {
		t.Errorf("the request under way got %q", got)
	}
	if err := <-r.served; err != nil {
		t.Errorf("serve: %v", err)
	}
}

func TestRequestsThatOutlastTheDrainAreCancelled(t *testing.T) {
	r := serveBlocking(t, 10*time.Millisecond)
	answer := get(t, r.url)
	<-r.entered
	r.stop()
	if err := <-r.served; !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("serve: %v, want one that says requests were cut off", err)
	}
	<-answer
}

func TestListenNamesTheAddressToCall(t *testing.T) {
	for _, addr := range []string{"127.0.0.1:0", ":0"} {
		l, url, err := Listen(t.Context(), addr)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(url, "http://127.0.0.1:") || strings.HasSuffix(url, ":0") {
			t.Errorf("%s is called at %s", addr, url)
		}
		if _, _, err := Listen(t.Context(), strings.TrimPrefix(url, "http://")); err == nil {
			t.Error("the same address again is taken")
		}
		_ = l.Close()
	}
}

// A client that is still sending must see the refusal, not a reset connection.
func TestRefusalOfALargeBodyReachesTheClient(t *testing.T) {
	mux, _, _ := testRouter(DefaultLimits)
	mux.Method("POST", "/api/invoices", Handler(func(w http.ResponseWriter, r *http.Request) error {
		_, err := ReadJSON(w, r)
		return err
	}))
	server := httptest.NewServer(mux)
	defer server.Close()
	body := `{"a":"` + strings.Repeat("x", 2<<20) + `"}`
	for _, c := range []struct {
		contentType string
		body        io.Reader
		want        int
	}{
		{"application/json", strings.NewReader(body), 413},
		{"application/json", io.MultiReader(strings.NewReader(body)), 413}, // chunked: no Content-Length
		{"multipart/form-data; boundary=x", strings.NewReader(body), 415},
	} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+"/api/invoices", c.body)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", c.contentType)
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Errorf("want %d: %v", c.want, err)
			continue
		}
		_ = res.Body.Close()
		if res.StatusCode != c.want || res.Header.Get("X-Request-Id") == "" {
			t.Errorf("got %d, want %d", res.StatusCode, c.want)
		}
	}
}

func TestWhoWaitsForNewsEndsWithTheService(t *testing.T) {
	l, url, err := Listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	waits := make(chan struct{})
	handler := http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		close(waits)
		<-Stopping(req.Context())
		_, _ = io.WriteString(w, "nothing new")
	})
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	served := make(chan error, 1)
	go func() { served <- Serve(ctx, l, NewServer(handler, slog.New(slog.DiscardHandler)), time.Minute) }()
	answer := get(t, url)
	<-waits
	stop()
	if got := <-answer; got != "nothing new" {
		t.Errorf("who waited was answered %q", got)
	}
	if err := <-served; err != nil {
		t.Errorf("the stop failed: %v", err)
	}
}

// HTTP/2 without TLS is what nginx speaks to pass a batch on while its answer comes. A stop lets it finish, too.
func TestRowsAreAnsweredWhileTheyComeOverPlainHTTP2(t *testing.T) {
	l, url, err := Listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	served := make(chan error, 1)
	go func() {
		served <- Serve(ctx, l, NewServer(Handler(func(w http.ResponseWriter, r *http.Request) error {
			rows, err := ReadLines(w, r, LineLimits{Line: 100, All: 1000, Lines: 10})
			if err != nil {
				return err
			}
			defer rows.End()
			for row, err := rows.Next(); err == nil; row, err = rows.Next() {
				if err := rows.Answer(row.Number); err != nil {
					return err
				}
			}
			return nil
		}), slog.New(slog.DiscardHandler)), time.Minute)
	}()
	plain := new(http.Protocols)
	plain.SetUnencryptedHTTP2(true)
	body, sender := io.Pipe()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, body)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", LinesType)
	go func() { _, _ = io.WriteString(sender, "a row\n") }()
	res, err := (&http.Client{Transport: &http.Transport{Protocols: plain}}).Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	answers := bufio.NewReader(res.Body)
	for _, want := range []string{"1\n", "2\n"} {
		if got, err := answers.ReadString('\n'); got != want || res.ProtoMajor != 2 {
			t.Fatalf("%s: a row is answered with %q, %v", res.Proto, got, err)
		}
		go func() { _, _ = io.WriteString(sender, "a row\n") }() // the one after the last is on its way at the stop
	}
	stop()
	if _, err := io.ReadAll(answers); err != nil {
		t.Errorf("after the stop: %v", err)
	}
	if err := <-served; err != nil {
		t.Error(err)
	}
}
