//go:build long

package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"testing"
	"time"

	"folio/faultproxy"
)

// statedWait is the longest that an answer may take while the tables are away: 3 s for the
// command, and what a loaded machine adds.
const statedWait = 3*time.Second + 3*time.Second

func TestTablesThatAreAwayAreNever500AndLoseNothing(t *testing.T) {
	address, err := url.Parse(mongoServer(t))
	if err != nil {
		t.Fatal(err)
	}
	proxy := faultproxy.New(t, "tcp", address.Host)
	address.Host = proxy.Address()
	dir := t.TempDir()
	p := serve(t, dir, append([]string{"--mongo", address.String()}, unlimited...)...)
	c := issuing(t, p, dir, 1)
	known := c.issue(t, body("FCA", 1, "before"))
	acknowledged := []string{known.ID}
	ask := func(fault, method, path string, sent any) answer {
		t.Helper()
		var raw []byte
		if sent != nil {
			var err error
			if raw, err = json.Marshal(sent); err != nil {
				t.Fatal(err)
			}
		}
		began := time.Now()
		a, err := c.once(method, path, raw) // which does not ask again
		if err != nil {
			t.Fatalf("%s, %s %s: %v", fault, method, path, err)
		}
		if a.status != http.StatusServiceUnavailable && a.status >= 500 || a.status == http.StatusNotFound {
			t.Errorf("%s, %s %s: %d %s", fault, method, path, a.status, a.body)
		}
		if a.status == http.StatusServiceUnavailable && a.header.Get("Retry-After") == "" {
			t.Errorf("%s, %s %s: 503 without Retry-After", fault, method, path)
		}
		if took := time.Since(began); took > statedWait {
			t.Errorf("%s, %s %s took %s", fault, method, path, took)
		}
		return a
	}
	for n, f := range []struct {
		name string
		do   func()
	}{{"frozen", proxy.Freeze}, {"refused", proxy.Refuse}, {"cut", proxy.Cut}, {"answers lost", proxy.LoseAnswers}} {
		f.do()
		for range 3 {
			ask(f.name, http.MethodGet, "/api/invoices/"+known.ID, nil)
			ask(f.name, http.MethodGet, "/api/invoices", nil)
			a := ask(f.name, http.MethodPost, "/api/invoices", body("FCA", 1, fmt.Sprint("during ", n)))
			if a.status == http.StatusCreated {
				acknowledged = append(acknowledged, decode[invoice](t, a).ID)
			}
		}
		proxy.Heal()
		eventually(t, startLimit, "reads are answered again", func() (string, bool) {
			a := must(c.once(http.MethodGet, "/api/invoices", nil))
			return fmt.Sprint(a.status), a.status == http.StatusOK
		})
	}
	eventually(t, 2*verdictLimit, "the list has all that was acknowledged", func() (string, bool) {
		a := must(c.once(http.MethodGet, "/api/invoices", nil))
		return string(a.body[:min(len(a.body), 200)]), a.status == http.StatusOK &&
			decode[list](t, a).TotalResults == len(acknowledged)
	})
	c.settle(t, 2*verdictLimit)
	for _, id := range acknowledged {
		c.read(t, id)
	}
	// A read model that writes again what tables lost goes back for a moment.
	eventually(t, 2*verdictLimit, "the list shows each number", func() (string, bool) {
		for _, i := range c.all(t) {
			if i.Number == nil {
				return i.String(), false
			}
		}
		return "", true
	})
	consecutive(t, c.all(t))
}
