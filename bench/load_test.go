package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

func TestEveryRequestIsAnsweredAndCounted(t *testing.T) {
	var heard atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if r.Header.Get("X-Api-Key") != "k" || string(body) != `{"a":1}` {
			t.Errorf("key %q, body %q", r.Header.Get("X-Api-Key"), body)
		}
		heard.Add(1)
		w.WriteHeader(http.StatusCreated)
		_, _ = io.WriteString(w, "created")
	}))
	defer s.Close()
	m := message("POST", "/", "k", []byte(`{"a":1}`))
	w := wire{address: s.URL, clients: 3, want: http.StatusCreated, request: func(int, int) []byte { return m }}
	got, err := w.run(t.Context(), 30*time.Millisecond)
	if err != nil || int64(got.ops) != heard.Load() || got.ops == 0 || got.median <= 0 {
		t.Errorf("%+v of %d, %v", got, heard.Load(), err)
	}
}

func TestAnotherStatusIsAnErrorWithTheAnswer(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "no such thing", http.StatusNotFound)
	}))
	defer s.Close()
	w := wire{address: s.URL, clients: 1, want: http.StatusOK,
		request: func(int, int) []byte { return message("GET", "/", "", nil) }}
	if _, err := w.run(t.Context(), time.Second); err == nil || !strings.Contains(err.Error(), "status 404") ||
		!strings.Contains(err.Error(), "no such thing") {
		t.Errorf("error %v", err)
	}
}

func TestAnOpenLoopCountsFromTheIntendedSend(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "ok")
	}))
	defer s.Close()
	w := wire{address: s.URL, clients: 1, want: http.StatusOK,
		request: func(int, int) []byte { return message("GET", "/", "", nil) }}
	got, err := w.paced(1e6)(t.Context(), 100*time.Microsecond)
	if err != nil || got.ops != 100 {
		t.Fatalf("%+v, %v", got, err)
	}
	if got.p999 < got.wall/2 || got.p99 > got.p999 || got.median > got.p99 {
		t.Errorf("all were to be sent at once, and the last waited %s of %s; p50 %s, p99 %s", got.p999, got.wall, got.median,
			got.p99)
	}
}
