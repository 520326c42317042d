package httpapi

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"folio/admission"
	"folio/scope"
)

// counted counts how often keys are checked.
type counted struct {
	fakeAuth
	keys int
}

func (c *counted) Key(ctx context.Context, key string) (Principal, error) {
	c.keys++
	return c.fakeAuth.Key(ctx, key)
}

func TestGuessesBeyondTheLimitAreNotChecked(t *testing.T) {
	auth, clock := &counted{}, newFakeClock()
	mux := NewRouter(Config{Auth: auth, Limiter: NewLimiter(Limits{PerSecond: 5}, clock.now), Clock: clock.now})
	mux.Get("/route-of-all-tests", func(w http.ResponseWriter, _ *http.Request) { NoContent(w) })
	if got := call(mux, "GET", "/", "", "X-Api-Key: good-key").Code; got != 404 {
		t.Fatalf("the good key: %d", got)
	}
	for range 20 {
		call(mux, "GET", "/", "", "X-Api-Key: guess")
	}
	if auth.keys != 6 {
		t.Errorf("%d keys were checked, want the good one and 5 guesses", auth.keys)
	}
	if got := call(mux, "GET", "/", "", "X-Api-Key: good-key").Code; got != 404 {
		t.Errorf("the good key, from the address of the guesses: %d", got)
	}
	checked := auth.keys
	for range 10 {
		call(mux, "GET", "/", "", "X-Api-Key: good-key")
	}
	if auth.keys-checked > 5 {
		t.Errorf("a key that is over its limit was checked %d times", auth.keys-checked)
	}
}

func TestBodiesAreAdmittedByTheirSize(t *testing.T) {
	gate := admission.New("bodies", admission.Limits{All: 1000, Each: 500, Line: 0, Lines: 10, Patience: time.Second})
	mux := NewRouter(Config{Auth: fakeAuth{}, Bodies: gate})
	var inside int64
	mux.With(RequireCompany(scope.Read)).Post("/short", Handler(func(w http.ResponseWriter, r *http.Request) error {
		if _, err := ReadShortJSON(w, r, 400); err != nil {
			return err
		}
		inside = gate.Usage().Used
		if r.Header.Get("Again") == "" {
			return nil
		}
		again := call(mux, "POST", "/short", strings.Repeat(" ", 300)+"{}", "Content-Type: application/json",
			"X-Api-Key: good-key")
		if p := problemOf(t, again); again.Code != 429 || p.Message != "TOO_MANY_AT_ONCE" ||
			again.Header().Get("Retry-After") == "" {
			t.Errorf("a second large body of the company: %d %s", again.Code, p.Message)
		}
		return nil
	}).ServeHTTP)
	w := call(mux, "POST", "/short", strings.Repeat(" ", 300)+"{}", "Content-Type: application/json",
		"X-Api-Key: good-key", "Again: yes")
	if w.Code != 200 || inside != 302 {
		t.Errorf("%d, %d bytes inside", w.Code, inside)
	}
	if u := gate.Usage(); u.Used != 0 {
		t.Errorf("%d bytes are never given back", u.Used)
	}
}

// parts yields each text, "!" as an error.
func parts(texts ...string) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for _, text := range texts {
			var err error
			if text == "!" {
				err = errors.New("broken")
			}
			if !yield([]byte(text), err) {
				return
			}
		}
	}
}

func TestAnAnswerInParts(t *testing.T) {
	for _, c := range []struct {
		name           string
		parts          []string
		status         int
		body, length   string
		broken, logged bool
	}{
		{"one part", []string{`{"a":1}`}, 200, "{\"a\":1}\n", "8", false, false},
		{"three parts", []string{`[1`, `,2`, `]`}, 200, "[1,2]\n", "", false, false},
		{"an error at first", []string{"!"}, 500, "", "", false, true},
		{"an error in the second part", []string{"[", "!"}, 500, "", "", false, true},
		{"a later error", []string{"[", "1", "!"}, 200, "", "", true, true},
	} {
		logs := &bytes.Buffer{}
		mux := NewRouter(Config{Auth: fakeAuth{}, Log: slog.New(slog.NewJSONHandler(logs, nil))})
		mux.Method("GET", "/x", Handler(func(w http.ResponseWriter, r *http.Request) error {
			return Parts(w, r, parts(c.parts...))
		}))
		server := httptest.NewServer(mux)
		answer, err := http.Get(server.URL + "/x")
		var body bytes.Buffer
		if err == nil {
			_, err = body.ReadFrom(answer.Body)
			_ = answer.Body.Close()
		} else {
			answer = &http.Response{StatusCode: c.status} // cut off before its first byte was sent
		}
		server.Close()
		if answer.StatusCode != c.status || c.body != "" && body.String() != c.body || (err != nil) != c.broken ||
			c.length != "" && answer.Header.Get("Content-Length") != c.length {
			t.Errorf("%s: %d %q, %v, Content-Length %s", c.name, answer.StatusCode, body.String(), err,
				answer.Header.Get("Content-Length"))
		}
		if got := strings.Contains(logs.String(), `"level":"ERROR"`); got != c.logged {
			t.Errorf("%s: logged %v:\n%s", c.name, got, logs)
		}
	}
}
