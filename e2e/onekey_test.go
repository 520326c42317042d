package e2e

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// others are the POSTs with a key that 64 clients at once are not sent to; what each needs is made before.
func (s *shopOnce) others(t *testing.T) []posting {
	s.c.want(t, http.StatusOK, http.MethodPut, s.c.path("/contingency/1"),
		map[string]any{"mode": "manual", "contingency_point_of_sale": contingencyPoint})
	pinged := decode[struct {
		ID string `json:"delivery_id"`
	}](t, s.c.want(t, http.StatusAccepted, http.MethodPost, s.hook+"/ping", nil))
	open := decode[struct{ ID string }](t, s.c.want(t, http.StatusCreated, http.MethodPost, s.c.path("/outages"),
		map[string]any{"environment": "Testing", "reason": "to be closed"}))
	hooked := register(t, s.owner, cuit(96))
	why := map[string]any{"reason": "tried"}
	return []posting{
		{name: "hook", by: &hooked.client, path: hooked.path("/webhooks"),
			body: map[string]any{"url": "https://example.com/second", "events": []string{"ISE"}}},
		{name: "outage over", path: s.c.path("/outages/" + open.ID + "/close"), body: why},
		{name: "contingency", path: s.c.path("/contingency/1/open"), body: why},
		{name: "contingency over", path: s.c.path("/contingency/1/close"), body: why},
		{name: "sent again", path: s.hook + "/deliveries/" + pinged.ID + "/resend"},
		{name: "e-mail", path: "/api/invoices/" + s.invoice + "/email", body: map[string]any{"to": "ana@example.com"}},
	}
}

// another is the posting with another body, or period: where there is nothing to say, a body all the same.
func (x posting) another() posting {
	switch body := x.body.(type) {
	case map[string]any:
		body = maps.Clone(body)
		body["another"] = true
		x.body = body
	case []byte:
		x.body = []byte(strings.ReplaceAll(string(body), "\r\n--", "x\r\n--"))
	default:
		x.body = map[string]any{"another": true}
		if strings.HasPrefix(x.path, "/api/exports") {
			x.body, x.path = nil, "/api/exports?date_to=2020-01-01"
		}
	}
	return x
}

// TestAKeyStandsForOneRequest: on every POST that takes an Idempotency-Key by the document, the key of one request is
// refused for another body, and for another path.
func TestAKeyStandsForOneRequest(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := serve(t, dir, slices.Concat(unlimited, (&postOffice{}).open(t))...)
	s := openShop(t, p, dir, 1)
	d, err := document()
	if err != nil {
		t.Fatal(err)
	}
	walked := map[*operation]bool{}
	for _, x := range append(s.postings(t, dir), s.others(t)...) {
		route, _, _ := strings.Cut(x.path, "?")
		walked[d.find(http.MethodPost, route)] = true
		c := s.client(x, p.base)
		if a, err := c.send(http.MethodPost, x.path, x.body); err != nil || a.status/100 != 2 {
			t.Errorf("%s: %d %s, %v", x.name, a.status, a.body, err)
			continue
		}
		other := x.another()
		wantsOneRequest(t, x.name+" with another body", c, other.path, other.body)
		ping, key := s.hook+"/ping", s.c.client.with("Idempotency-Key", c.header.Get("Idempotency-Key"))
		if !x.bearer && x.by == nil && x.path != ping && route != "/api/exports" {
			wantsOneRequest(t, x.name+" on another path", key, ping, nil)
		}
	}
	for _, o := range d.operations {
		takesKey := slices.ContainsFunc(o.Parameters, func(p struct{ Name, In string }) bool {
			return p.Name == "Idempotency-Key"
		})
		if o.method == http.MethodPost && takesKey && !walked[o] {
			t.Errorf("POST %s takes a key and was not sent one", strings.Join(o.segments, "/"))
		}
	}
	p.stop(t)
}

func wantsOneRequest(t *testing.T, name string, c client, path string, body any) {
	t.Helper()
	a, err := c.send(http.MethodPost, path, body)
	if err != nil || a.status != http.StatusUnprocessableEntity || a.header.Get("Idempotency-Replayed") != "" ||
		!strings.Contains(string(a.body), "IDEMPOTENCY_KEY_REUSED") {
		t.Errorf("%s: %d %s, %v", name, a.status, a.body, err)
	}
}
