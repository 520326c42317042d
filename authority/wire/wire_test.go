package wire_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"folio/authority"
	"folio/authority/wire"
)

func TestWhatTheAuthorityCanHaveSeen(t *testing.T) {
	var seen atomic.Int32
	answers := map[string]http.HandlerFunc{
		"/fine":   func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "ok") },
		"/4xx":    func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) },
		"/408":    func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusRequestTimeout) },
		"/5xx":    func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) },
		"/moved":  func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/fine", http.StatusFound) },
		"/hangup": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"/endless": func(w http.ResponseWriter, _ *http.Request) {
			for piece := make([]byte, 1<<16); ; {
				if _, err := w.Write(piece); err != nil {
					return
				}
			}
		},
	}
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen.Add(1)
		answers[r.URL.Path](w, r)
	}))
	defer h.Close()
	for _, c := range []struct {
		name, url      string
		fails, notSent bool
	}{
		{"an answer", h.URL + "/fine", false, false},
		{"a refusal", h.URL + "/4xx", true, true},
		{"a time-out of the server's", h.URL + "/408", true, false},
		{"a server's fault", h.URL + "/5xx", true, false},
		{"a redirect is not followed", h.URL + "/moved", true, false},
		{"a cut connection", h.URL + "/hangup", true, false},
		{"an answer without an end", h.URL + "/endless", true, false},
		{"nobody there", "http://127.0.0.1:1/", true, true},
		{"no address", "http://[::", true, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			seen.Store(0)
			r, err := wire.Do(t.Context(), wire.NewClient(5*time.Second),
				wire.Request{Operation: "op", Method: http.MethodPost, URL: c.url, Body: []byte("<a/>"),
					Headers: map[string]string{"SOAPAction": `"x"`}})
			if err == nil {
				err = r.Fine("op")
			}
			if (err != nil) != c.fails || errors.Is(err, authority.ErrNotSent) != c.notSent {
				t.Errorf("%v", err)
			}
			if n := seen.Load(); n > 1 {
				t.Errorf("it was sent %d times", n)
			}
		})
	}
}

func TestACallerThatLeft(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := wire.Do(ctx, wire.NewClient(0),
		wire.Request{Operation: "op", Method: http.MethodGet, URL: "http://127.0.0.1:1/"})
	if !errors.Is(err, authority.ErrNotSent) || !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestKeptBodies(t *testing.T) {
	body := []byte("<Token>abc</Token>" + strings.Repeat("x", 1<<20))
	got := string(wire.Keep(body, "", "abc"))
	if strings.Contains(got, "abc") || !strings.HasPrefix(got, "<Token>[redacted]</Token>") || len(got) > 256<<10 {
		t.Errorf("%d bytes: %.40s", len(got), got)
	}
}

func TestDecoderReadsWhatIsDeclared(t *testing.T) {
	for declared, letters := range map[string]string{"ISO-8859-1": "Pe\xf1a", "latin1": "Pe\xf1a",
		"windows-1252": "Pe\xf1a \x80", "UTF-8": "Peña"} {
		want := map[bool]string{true: "Peña €", false: "Peña"}[declared == "windows-1252"]
		var x struct {
			Text string `xml:"Text"`
		}
		err := wire.Decoder([]byte(`<?xml version="1.0" encoding="` + declared + `"?><a><Text>` + letters +
			"</Text></a>")).Decode(&x)
		if err != nil || x.Text != want {
			t.Errorf("%s: %q, %v", declared, x.Text, err)
		}
	}
}

func TestDecoderRefusesWhatItCannotRead(t *testing.T) {
	err := wire.Decoder([]byte(`<?xml version="1.0" encoding="klingon"?><a>Pe?a</a>`)).Decode(&struct{}{})
	if err == nil || !strings.Contains(err.Error(), "klingon") {
		t.Errorf("got %v", err)
	}
}

func TestTextOfOtherXMLIsUTF8WhateverItDeclares(t *testing.T) {
	var x struct {
		Text string `xml:"Text"`
	}
	err := wire.TextDecoder(`<?xml version="1.0" encoding="ISO-8859-1"?><a><Text>Peña</Text></a>`).Decode(&x)
	if err != nil || x.Text != "Peña" {
		t.Errorf("%q, %v", x.Text, err)
	}
}
