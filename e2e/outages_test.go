package e2e

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// outageRecord is what GET .../outages tells of one.
type outageRecord struct {
	ID, State, Cause string
	Since            time.Time
	Calls            int `json:"failing_calls"`
	Evidence         []struct{ Fault string }
}

func (c company) outages(t *testing.T) []outageRecord {
	return get[struct{ Data []outageRecord }](t, c.client, c.path("/outages")).Data
}

// soonAway are the flags of a service that sees after two calls that the authority behind a proxy is away.
func soonAway(authority *spy) []string {
	return []string{"--authority-url", authority.URL, "--retry-base", "100ms", "--outage-calls", "2",
		"--outage-after", "200ms"}
}

func TestAnOutageIsToldEverywhereAndEndsWithACall(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	authority := spyOn(t, dir)
	flags := soonAway(authority)
	p := serve(t, dir, flags...)
	c, quiet := issuing(t, p, dir, 1), issuing(t, p, dir, 2)
	c.issue(t, body("FCB", 1, "before"))
	quiet.issue(t, body("FCB", 1, "before"))
	authority.trouble.Store(&trouble{effect: down})
	i := c.post(t, body("FCB", 1, "during"))
	eventually(t, verdictLimit, "the invoice names the outage", func() (string, bool) {
		a := string(must(c.send("GET", "/api/invoices/"+i.ID, nil)).body)
		return a, strings.Contains(a, `"outage":{"id":"`)
	})
	if a := string(must(c.with("Accept-Language", "es-AR").send("GET", "/api/invoices/"+i.ID, nil)).body); !strings.
		Contains(a, "autoridad") {
		t.Errorf("in Spanish it waits because %s", a)
	}
	open := c.outages(t)
	if len(open) != 1 || open[0].State != "open" || open[0].Cause != "calls" || open[0].Calls < 2 ||
		len(open[0].Evidence) < 2 {
		t.Fatalf("outages %+v", open)
	}
	if a := string(must(c.send("GET", "/api/authority", nil)).body); !strings.Contains(a, open[0].ID) {
		t.Errorf("the authority is %s", a)
	}
	if a := string(must(quiet.send("GET", "/api/authority", nil)).body); strings.Contains(a, `"outage"`) {
		t.Errorf("a company that called nothing is told %s", a)
	}
	if out := ready(t, p.base); !strings.Contains(out, `"outages":{"open":1`) || !strings.Contains(out, open[0].ID) {
		t.Errorf("readyz says %s", out)
	}
	if out := string(must(client{base: p.base}.send("GET", "/metrics", nil)).body); !strings.Contains(out,
		"folio_authority_outages_open 1") {
		t.Error("the metric does not count it")
	}
	p.kill()
	p = serve(t, dir, flags...)
	c.base, quiet.base = p.base, p.base
	authority.trouble.Store(nil)
	c.accepted(t, i.ID)
	eventually(t, verdictLimit, "the call that got through closed it", func() (string, bool) {
		all := c.outages(t)
		return all[0].State, len(all) == 1 && all[0].State == "closed"
	})
	byHand := decode[outageRecord](t, c.want(t, http.StatusCreated, "POST", c.path("/outages"),
		map[string]any{"environment": "Production", "reason": "our line is cut"})).ID
	p.stop(t)
	if out := succeed(t, "outages", "list", "--data", dir, "--open"); strings.Count(out, c.id) != 1 ||
		!strings.Contains(out, "our line is cut") {
		t.Errorf("open: %s", out)
	}
	succeed(t, "outages", "close", "--data", dir, byHand, "--reason", "it is back")
	if _, stderr, code := command(t, "outages", "open", "--data", dir, quiet.id, "--reason", "a cut", "--since",
		"yesterday"); code == 0 || !strings.Contains(stderr, "write it as 2026-") {
		t.Errorf("a time that is none: %d %s", code, stderr)
	}
	succeed(t, "outages", "open", "--data", dir, quiet.id, "--reason", "a cut", "--since",
		time.Now().UTC().Format(time.RFC3339))
	if out := succeed(t, "outages", "list", "--data", dir, "--open"); strings.Contains(out, c.id) ||
		!strings.Contains(out, quiet.id) {
		t.Errorf("then: %s", out)
	}
}
