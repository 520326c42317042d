package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	api "example.com/folio/client"
)

// client calls the API with one credential.
type client struct {
	base   string
	key    string // x-api-key
	token  string // bearer
	hasty  bool   // a 429 is an answer; otherwise Retry-After is obeyed
	header http.Header
}

// transport keeps connections for all clients of a run, and holds what they exchange
// against the document.
var transport = &http.Client{Timeout: 90 * time.Second,
	Transport: documented{&http.Transport{MaxIdleConnsPerHost: 64}}}

// answer is a whole answer.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// with is the client with one more header.
func (c client) with(name, value string) client {
	c.header = c.header.Clone()
	if c.header == nil {
		c.header = http.Header{}
	}
	c.header.Set(name, value)
	return c
}

// shownLimit is how long a write waits for its read model, as docs/architecture.md promises. Whoever waited
// that long must ask for the position of the write.
const shownLimit = 2 * time.Second

// send sends body: nil for none, []byte as they are, anything else as JSON. A refusal
// by the rate limit is obeyed and the request sent again, a dozen times at most. An invoice
// that took as long to create as the service waits for its read model is waited for.
func (c client) send(method, path string, body any) (answer, error) {
	raw, isRaw := body.([]byte)
	if body != nil && !isRaw {
		var err error
		if raw, err = json.Marshal(body); err != nil {
			return answer{}, err
		}
	}
	for tries := 0; ; tries++ {
		began := time.Now()
		a, err := c.once(method, path, raw)
		if err == nil && a.status == http.StatusCreated && path == "/api/invoices" && time.Since(began) >= shownLimit {
			return a, c.shown(a.header.Get("Folio-Position"))
		}
		if err != nil || a.status != http.StatusTooManyRequests || c.hasty {
			return a, err
		}
		wait, err := strconv.Atoi(a.header.Get("Retry-After"))
		if err != nil || wait < 1 || tries == 12 {
			return a, fmt.Errorf("%s %s: refused %d times, Retry-After %q", method, path, tries+1, a.header.Get("Retry-After"))
		}
		time.Sleep(time.Duration(wait) * time.Second) // the contract of Retry-After
	}
}

// shown waits until the list of invoices shows a position, a minute at most.
func (c client) shown(position string) error {
	c = c.with("Folio-Min-Position", position)
	for tries := 0; ; tries++ {
		a, err := c.once(http.MethodGet, "/api/invoices?per_page=1", nil)
		if err != nil || a.status == http.StatusOK {
			return err
		}
		if a.status != http.StatusServiceUnavailable || tries == 30 {
			return fmt.Errorf("the invoices do not come to %s: %d %s", position, a.status, a.body)
		}
	}
}

// once sends a request without obeying anything.
func (c client) once(method, path string, raw []byte) (answer, error) {
	a, err := api.Client{Base: c.base, Key: c.key, Token: c.token, HTTP: transport, Header: c.header}.
		Send(context.Background(), method, path, raw)
	return answer{a.Status, a.Header, a.Body}, err
}

// want sends a request and fails unless the status is as wanted.
func (c client) want(t testing.TB, status int, method, path string, body any) answer {
	t.Helper()
	a, err := c.send(method, path, body)
	if err != nil {
		t.Fatal(err)
	}
	if a.status != status {
		t.Fatalf("%s %s: %d, want %d: %s", method, path, a.status, status, a.body)
	}
	return a
}

// get reads JSON into a new T.
func get[T any](t testing.TB, c client, path string) T {
	t.Helper()
	return decode[T](t, c.want(t, http.StatusOK, http.MethodGet, path, nil))
}

func decode[T any](t testing.TB, a answer) T {
	t.Helper()
	out, err := parse[T](a)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// parse is decode for goroutines, which must not end the test.
func parse[T any](a answer) (out T, err error) {
	if err := json.Unmarshal(a.body, &out); err != nil {
		return out, fmt.Errorf("%w in %s", err, a.body)
	}
	return out, nil
}

// problem is an error answer.
type problem struct {
	Type, Title, Detail, Instance string
	Status                        int
	Code, Message                 string
	Errors                        []api.Error
	RequestID                     string `json:"request_id"`
}

// readProblem wants a whole problem document of RFC 9457 with the specification's pair.
func readProblem(a answer) (problem, error) {
	var p problem
	if err := json.Unmarshal(a.body, &p); err != nil {
		return p, fmt.Errorf("%w in %s", err, a.body)
	}
	switch {
	case a.header.Get("Content-Type") != "application/problem+json":
		return p, fmt.Errorf("content type %q", a.header.Get("Content-Type"))
	case p.Status != a.status, p.Title == "", p.Detail == "", p.Type == "":
		return p, fmt.Errorf("an incomplete problem: %s", a.body)
	case p.Code == "" || p.Message == "" || p.Message != strings.ToUpper(p.Message):
		return p, fmt.Errorf("code must hold the text and message the constant: %s", a.body)
	case bytes.Contains(a.body, []byte(password)) || bytes.Contains(a.body, []byte(certificatePassword)):
		return p, fmt.Errorf("a password in an error: %s", a.body)
	case p.RequestID == "" || p.RequestID != a.header.Get("X-Request-Id"):
		return p, fmt.Errorf("request_id %q beside X-Request-Id %q", p.RequestID, a.header.Get("X-Request-Id"))
	}
	return p, nil
}

// refused wants the problem with this status and constant.
func (c client) refused(t testing.TB, status int, constant, method, path string, body any) problem {
	t.Helper()
	a := c.want(t, status, method, path, body)
	p, err := readProblem(a)
	if err != nil {
		t.Error(err)
	}
	if p.Message != constant {
		t.Errorf("%s %s: %s, want %s: %s", method, path, p.Message, constant, a.body)
	}
	return p
}

// eventually asks again and again until ok, and fails with what was last seen.
func eventually(t testing.TB, limit time.Duration, what string, ok func() (seen string, done bool)) {
	t.Helper()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(limit); ; <-tick.C {
		seen, done := ok()
		if done {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s: not within %s; last seen: %s", what, limit, seen)
		}
	}
}
