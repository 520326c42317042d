package httpapi

import (
	"bufio"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"folio/fault"
)

// Rows count against the limits of who sends them, and wait where a request would be refused.
func TestEveryRowCountsAndWaitsForItsTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		mux := NewRouter(Config{Auth: fakeAuth{}, Limiter: NewLimiter(Limits{PerSecond: 3}, nil)})
		began := time.Now()
		var at []time.Duration
		mux.Method(http.MethodPost, "/rows", Handler(func(_ http.ResponseWriter, r *http.Request) error {
			for range 7 {
				if _, err := Pace(r.Context()); err != nil {
					return err
				}
				at = append(at, time.Since(began))
			}
			return nil
		}))
		r := httptest.NewRequest(http.MethodPost, "/rows", http.NoBody)
		r.Header.Set("X-Api-Key", "good-key")
		mux.ServeHTTP(httptest.NewRecorder(), r)
		// The request itself is the first of the three.
		want := []time.Duration{0, 0, time.Second, time.Second, time.Second, 2 * time.Second, 2 * time.Second}
		if len(at) != len(want) {
			t.Fatal(at)
		}
		for i := range want {
			if at[i] != want[i] {
				t.Errorf("row %d after %s, not %s", i, at[i], want[i])
			}
		}
	})
}

// A caller who has the next line still to send would hold a stop up until it is cut off: it is told instead which line
// was not dealt with.
func TestLinesEndWithTheService(t *testing.T) {
	l, url, err := Listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		in, err := ReadLines(w, r, LineLimits{Line: 100, All: 1000, Lines: 10})
		if err != nil {
			ended <- err
			return
		}
		defer in.End()
		for {
			line, err := in.Next()
			if err == nil {
				_, err = Pace(r.Context())
			}
			if answered := in.Answer(line.Number); err == nil {
				err = answered
			}
			if err != nil {
				ended <- err
				return
			}
		}
	})
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	served := make(chan error, 1)
	go func() { served <- Serve(ctx, l, NewServer(handler, slog.New(slog.DiscardHandler)), time.Hour) }()
	lines, answers := sendFirst(t, url)
	for n, want := range []string{"1", "2"} {
		if n == 1 {
			stop()
		}
		if !answers.Scan() || answers.Text() != want {
			t.Fatalf("line %s: %q, %v", want, answers.Text(), answers.Err())
		}
	}
	if f := fault.As(<-ended); f == nil || f.Constant != "STOPPING" {
		t.Errorf("it ended with %v", f)
	}
	if answers.Scan() || answers.Err() != nil {
		t.Errorf("after the last answer: %q, %v", answers.Text(), answers.Err())
	}
	_ = lines.Close()
	if err := <-served; err != nil {
		t.Errorf("the stop failed: %v", err)
	}
}

// sendFirst sends one line and leaves the rest to come; answers are the lines of the answer.
func sendFirst(t *testing.T, url string) (lines *io.PipeWriter, answers *bufio.Scanner) {
	t.Helper()
	body, lines := io.Pipe()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, body)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", LinesType)
	go func() { _, _ = io.WriteString(lines, "{}\n") }()
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = a.Body.Close() })
	return lines, bufio.NewScanner(a.Body)
}

// Whoever sends nothing keeps nobody else from a place for long: while others need it, the request ends with a line
// that says so. While nobody does, it may take its time.
func TestASlowSenderGivesItsPlaceToOthers(t *testing.T) {
	var wanted atomic.Bool
	ended := make(chan error, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		in, err := ReadLines(w, r, LineLimits{Line: 100, All: 1000, Lines: 10, Wanted: wanted.Load,
			Patience: time.Millisecond})
		if err != nil {
			ended <- err
			return
		}
		defer in.End()
		for err == nil {
			var line Line
			if line, err = in.Next(); in.Answer(line.Number) != nil {
				break
			}
		}
		ended <- err
	}))
	defer server.Close()
	lines, answers := sendFirst(t, server.URL)
	defer lines.Close()
	for n, want := range []string{"1", "2", "3"} {
		switch n {
		case 1:
			time.Sleep(1200 * time.Millisecond) // longer than it takes to look whether others need the place
			_, _ = io.WriteString(lines, "{}\n")
		case 2:
			wanted.Store(true)
		}
		if !answers.Scan() || answers.Text() != want {
			t.Fatalf("line %s: %q, %v", want, answers.Text(), answers.Err())
		}
	}
	if f := fault.As(<-ended); f == nil || f.Constant != "BUSY" || f.Code != fault.Unavailable {
		t.Errorf("it ended with %v", f)
	}
}
