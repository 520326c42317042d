package e2e

import (
	"fmt"
	"net/http"
	"testing"
)

func TestReplicasWorkBesideEachOther(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first := serve(t, dir, crashFlags...)
	c := issuing(t, first, dir, 1)
	flags := append([]string{"--roles", "write,read,projections,processors"}, crashFlags...)
	second := serve(t, dir, flags...)
	at := func(p *process) company { d := c; d.base = p.base; return d }

	t.Run("what one creates the other shows", func(t *testing.T) {
		for n, p := range []*process{second, first} {
			a := at(p).want(t, http.StatusCreated, http.MethodPost, "/api/invoices", body("FCA", 1, fmt.Sprint("shown", n)))
			id := decode[invoice](t, a).ID
			at(p).read(t, id)
			other := at([]*process{first, second}[n])
			other.with("Folio-Min-Position", a.header.Get("Folio-Position")).want(t, http.StatusOK, http.MethodGet,
				"/api/invoices/"+id, nil)
		}
	})
	t.Run("both take invoices, numbers stay in order", func(t *testing.T) {
		each(t, 6, 60, func(n int) error {
			_, _, err := at([]*process{first, second}[n%2]).created(body([]string{"FCA", "FCB", "RCB"}[n%3], 1, fmt.Sprint(n)))
			return err
		})
	})
	t.Run("one key at both at once makes one invoice", func(t *testing.T) {
		each(t, 16, 16, func(n int) error {
			keyed := at([]*process{first, second}[n%2])
			keyed.client = keyed.with("Idempotency-Key", "both")
			_, _, err := keyed.created(body("FCB", 2, "both"))
			return err
		})
		if l := get[list](t, c.client, "/api/invoices?external_reference=both"); l.TotalResults != 1 {
			t.Errorf("there are %d", l.TotalResults)
		}
	})
	t.Run("a key revoked at one stops at the other", func(t *testing.T) {
		bearer := login(t, first.base, email, password)
		doomed := withKey(t, bearer, c)
		doomed.base = second.base
		get[list](t, doomed.client, "/api/invoices")
		bearer.want(t, http.StatusNoContent, http.MethodDelete, c.path("/apikeys/"+doomed.keyID), nil)
		eventually(t, startLimit, "the key stops", func() (string, bool) {
			a := must(doomed.send(http.MethodGet, "/api/invoices", nil))
			return fmt.Sprint(a.status), a.status == http.StatusUnauthorized
		})
	})
	t.Run("one takes over from the other that was killed", func(t *testing.T) {
		for n := range 10 {
			at(second).post(t, body("FCA", 3, fmt.Sprint("left", n)))
		}
		second.kill()
		c.issue(t, body("FCA", 3, "last"))
	})
	c.settle(t, verdictLimit)
	if all := c.all(t); len(all) != 74 {
		t.Errorf("%d invoices, want 74", len(all))
	} else if series := consecutive(t, all); series["FCA 0003"] != 11 {
		t.Errorf("the series have %v", series)
	}
	first.stop(t)
}
