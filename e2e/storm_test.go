package e2e

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// statedUnavailable are the refusals with 503 that docs/api.md states.
var statedUnavailable = []string{"BUSY", "TIMED_OUT", "POSITION_NOT_REACHED"}

// tenant is a company in the storm, with a text that stands in all that is its own.
type tenant struct {
	company
	mark string

	mu       sync.Mutex
	invoices []string
}

func (c *tenant) add(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.invoices = append(c.invoices, id)
}

// any is an invoice of the company, or one that nobody has.
func (c *tenant) any(r *rand.Rand) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.invoices) == 0 || r.IntN(20) == 0 {
		return "01KJQ8J0000000000000000000"
	}
	return c.invoices[r.IntN(len(c.invoices))]
}

// storm sends random calls of two companies and an attacker, who has a company of its own
// and asks with its key for what is the others'.
type storm struct {
	t        *testing.T
	p        *process
	honest   []*tenant
	attacker *tenant
	logos    [][]byte
	types    []string
}

func newStorm(t *testing.T) *storm {
	dir := t.TempDir()
	s := &storm{t: t, p: serve(t, dir, append([]string{"--log-level", "warn"}, unlimited...)...)}
	for n := range 3 {
		c := issuing(t, s.p, dir, n+1)
		c.hasty = true
		made := &tenant{company: c, mark: fmt.Sprintf("marca-%d-%s", n, c.id)}
		if n == 2 {
			s.attacker = made
		} else {
			s.honest = append(s.honest, made)
		}
	}
	var large bytes.Buffer
	if err := png.Encode(&large, image.NewGray(image.Rect(0, 0, 3000, 2500))); err != nil {
		t.Fatal(err)
	}
	for _, content := range [][]byte{logo(t), large.Bytes(), large.Bytes()[:large.Len()/2], []byte("GIF89a")} {
		form, kind := multipartForm(t, nil, "logo", content)
		s.logos, s.types = append(s.logos, form), append(s.types, kind)
	}
	return s
}

// call makes one random call and judges its answer.
func (s *storm) call(r *rand.Rand) error {
	caller := append(s.honest, s.attacker)[r.IntN(3)]
	whose := caller
	if caller == s.attacker && r.IntN(2) == 0 {
		whose = s.honest[r.IntN(2)]
	}
	c, method, path, body := s.request(r, caller, whose)
	a, err := c.send(method, path, body)
	if err != nil {
		return err
	}
	if err := s.judge(a, caller, whose); err != nil {
		return fmt.Errorf("%s %s of %s with the key of %s: %w", method, path, whose.mark, caller.mark, err)
	}
	if method == http.MethodPost && path == "/api/invoices" && a.status == http.StatusCreated {
		made, err := parse[invoice](a)
		caller.add(made.ID)
		return err
	}
	return nil
}

func (s *storm) request(r *rand.Rand, caller, whose *tenant) (client, string, string, any) {
	c, invoice := caller.client, whose.any(r)
	switch r.IntN(14) {
	case 0, 1, 2:
		b := body([]string{"FCA", "FCB", "RCB"}[r.IntN(3)], 1+r.IntN(2), caller.mark)
		if r.IntN(4) == 0 {
			b["observations"] = strings.Repeat("x\n", r.IntN(900))
		}
		return c, http.MethodPost, "/api/invoices", b
	case 3:
		return c, http.MethodGet, "/api/invoices/" + invoice, nil
	case 4, 5:
		return c, http.MethodGet, fmt.Sprintf("/api/invoices?per_page=%d&page=%d&status=%s", r.IntN(102), r.IntN(4),
			[]string{"", "accepted", "pending", "x"}[r.IntN(4)]), nil
	case 6:
		return c, http.MethodPost, "/api/invoices/" + invoice + "/download-pdf/A4", nil
	case 7:
		n := r.IntN(len(s.logos))
		return c.with("Content-Type", s.types[n]), http.MethodPost, whose.path("/logo"), s.logos[n]
	case 8:
		return c, http.MethodGet, whose.path([]string{"", "/certificates", "/enumeration", "/purchases", "/webhooks",
			"/fiscal-profile", "/daily-reports"}[r.IntN(7)]), nil
	case 9:
		return c, http.MethodPost, "/api/invoices/" + invoice + "/process", nil
	case 10:
		return client{base: c.base, hasty: true}, http.MethodPost, "/api/login",
			map[string]string{"email": fmt.Sprintf("x%d@example.com", r.IntN(1000)), "password": "not the password"}
	case 11:
		return c, http.MethodPost, whose.path("/purchases"),
			map[string]string{"qr": strings.Repeat("https://www.afip.gob.ar/fe/qr/?p=", 1+r.IntN(3))}
	case 12:
		garbage := make([]byte, r.IntN(3000))
		for i := range garbage {
			garbage[i] = byte(r.Uint32())
		}
		return c, []string{"POST", "PUT", "DELETE", "PATCH"}[r.IntN(4)],
			[]string{"/api/invoices", whose.path("/webhooks"), whose.path("/certificates"), "/api/login", "/nowhere"}[r.IntN(5)],
			garbage
	}
	c.key = c.key[:len(c.key)-1-r.IntN(3)] + "zz"
	return c, http.MethodGet, "/api/invoices/" + invoice, nil
}

// judge refuses 5xx that are not stated, refusals without Retry-After, and anything of
// another company in an answer.
func (s *storm) judge(a answer, caller, whose *tenant) error {
	for _, other := range append(s.honest, s.attacker) {
		if other != caller && (bytes.Contains(a.body, []byte(other.mark)) || bytes.Contains(a.body, []byte(other.cuit))) {
			return fmt.Errorf("%d shows what is %s's", a.status, other.mark)
		}
	}
	if whose != caller && a.status < 300 && a.status != http.StatusNoContent && bytes.Contains(a.body, []byte(whose.id)) {
		return fmt.Errorf("%d lets it in: %.200s", a.status, a.body)
	}
	if a.status < 500 && a.status != http.StatusTooManyRequests {
		return nil
	}
	p, err := readProblem(a)
	if err != nil {
		return err
	}
	if wait, err := strconv.Atoi(a.header.Get("Retry-After")); err != nil || wait < 1 {
		return fmt.Errorf("%d %s without Retry-After", a.status, p.Message)
	}
	if a.status >= 500 && (a.status != http.StatusServiceUnavailable || !slices.Contains(statedUnavailable, p.Message)) {
		return fmt.Errorf("%d %s: %s", a.status, p.Message, p.Detail)
	}
	return nil
}

// calls sends n calls of several clients, the same ones for the same seed.
func (s *storm) calls(n int, seed uint64) {
	each(s.t, 12, n, func(i int) error { return s.call(rand.New(rand.NewPCG(seed, uint64(i)))) })
}

// settled wants every company to have what it made and nothing else.
func (s *storm) settled() {
	for _, c := range s.honest {
		c.hasty = false
		l := get[list](s.t, c.client, "/api/invoices?per_page=1")
		if l.TotalResults != len(c.invoices) {
			s.t.Errorf("%s has %d invoices and made %d", c.mark, l.TotalResults, len(c.invoices))
		}
	}
	s.p.stop(s.t)
}

func TestHundredsOfRandomCallsOfNeighbours(t *testing.T) {
	t.Parallel()
	s := newStorm(t)
	s.calls(300, 1)
	s.settled()
}
