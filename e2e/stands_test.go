package e2e

import (
	"net/http"
	"strings"
	"testing"
)

// A series of which nothing is learnt for a while is told once in the log, and by the metric
// and readyz for as long as it stands.
func TestASeriesThatStandsIsTold(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	authority := spyOn(t, dir)
	p := serve(t, dir, "--authority-url", authority.URL, "--retry-base", "100ms", "--stands-after", "1s")
	c := issuing(t, p, dir, 1)
	c.issue(t, body("FCB", 1, "before"))
	operator := client{base: p.base}
	tells := func(what, metric, standing string) {
		t.Helper()
		eventually(t, verdictLimit, what, func() (string, bool) {
			m := string(operator.want(t, http.StatusOK, http.MethodGet, "/metrics", nil).body)
			r := string(operator.want(t, http.StatusOK, http.MethodGet, "/readyz", nil).body)
			_, r, _ = strings.Cut(r, `"standing":`)
			return r, strings.Contains(m, "\nfolio_submission_standing_series "+metric+"\n") && strings.HasPrefix(r, standing)
		})
	}
	tells("nothing stands", "0", "[]")
	authority.trouble.Store(&trouble{effect: down})
	waiting := c.post(t, body("FCB", 1, "waits"))
	tells("the series stands", "1", `[{"series":"`+c.id+`-Production-6-1","code":"AUTHORITY_UNAVAILABLE"`)
	authority.trouble.Store(nil)
	c.want(t, http.StatusAccepted, http.MethodPost, "/api/invoices/"+waiting.ID+"/process", nil)
	c.accepted(t, waiting.ID)
	tells("it goes on", "0", "[]")
	p.kill() // a stop would want a log without ERROR
	if n := strings.Count(p.stderr.String(), `msg="series stands"`); n != 1 {
		t.Errorf("the log tells it %d times\n%s", n, p.stderr.tail())
	}
}
