package e2e

import (
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func TestIncidentRestoredBackup(t *testing.T) {
	t.Parallel()
	dir, restored := t.TempDir(), filepath.Join(t.TempDir(), "restored")
	p := serve(t, dir, "--retry-base", "100ms")
	c := chilean(t, p, dir)
	c.enumerate(t, http.StatusCreated, 33, caf(t, dir, rutIssuer, 33, 1, 100))
	c.issue(t, pesos("FAC", "in the backup"))
	bearer := login(t, p.base, email, password)
	leaked := withKey(t, bearer, c)
	i := walkIncident(t, "restored-backup", restored)
	maps.Copy(i.vars, map[string]string{"BACKUP": filepath.Join(t.TempDir(), "backup"), "MASTER_KEY": copyKey(t, dir),
		"LAST": "2", "NEXT": "3"})
	succeed(t, "backup", "--data", dir, i.vars["BACKUP"])
	bearer.want(t, http.StatusNoContent, "DELETE", c.path("/apikeys/"+leaked.keyID), nil)
	c.issue(t, pesos("FAC", "after the backup"))
	p.stop(t)

	i.next()
	if out := i.next(); !strings.Contains(out, leaked.keyID) || !strings.Contains(out, email) ||
		!strings.Contains(out, "session") {
		t.Errorf("the key that works again is not listed: %s", out)
	}
	series := regexp.MustCompile(`(?m)^(\S+) +.*HELD`).FindStringSubmatch(succeed(t, "series", "list", "--data", restored))
	if series == nil {
		t.Fatal("no series is held")
	}
	i.vars["SERIES"] = series[1]
	p = serve(t, restored, "--retry-base", "100ms")
	eventually(t, startLimit, "readyz names the held series", func() (string, bool) {
		a := must(client{base: p.base}.send("GET", "/readyz", nil))
		return string(a.body), a.status == http.StatusOK && strings.Contains(string(a.body), `"held":1`) &&
			strings.Contains(string(a.body), series[1])
	})
	p.stop(t)
	if out := i.next(); strings.Count(out, "HELD") != 1 {
		t.Errorf("the series are, before and after the release: %s", out)
	}
	p = serve(t, restored, "--retry-base", "100ms")
	c.base, bearer.base = p.base, p.base
	bearer.refused(t, 401, "BAD_CREDENTIAL", "GET", "/api/companies", nil)
	next := c.post(t, pesos("FAC", "after the restore"))
	if got := c.accepted(t, next.ID); *got.Number != "0000-00000003" {
		t.Errorf("the next number is %s, 3 was named", *got.Number)
	}
	p.stop(t)
}

func TestIncidentAuthorityDown(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	authority := spyOn(t, dir)
	p := serve(t, dir, "--authority-url", authority.URL, "--retry-base", "100ms")
	c := issuing(t, p, dir, 1)
	c.issue(t, body("FCB", 1, "before"))
	authority.trouble.Store(&trouble{effect: down})
	var waiting []invoice
	for n := range 5 {
		waiting = append(waiting, c.post(t, body("FCB", 1, string(rune('a'+n)))))
	}
	c.waits(t, waiting[4].ID, "AUTHORITY_UNAVAILABLE")
	i := walkIncident(t, "authority-down", dir)
	maps.Copy(i.vars, map[string]string{"API": p.base, "KEY": c.key, "INVOICE": waiting[0].ID})
	if out := i.next(); !strings.Contains(out, `"last_failure":"`) || strings.Count(out, "AUTHORITY_UNAVAILABLE") < 6 ||
		!strings.Contains(out, `"total_results":5`) {
		t.Errorf("that the authority is down is not shown: %s", out)
	}
	ready := client{base: p.base}.want(t, http.StatusOK, "GET", "/readyz", nil)
	if text := string(ready.body); !strings.Contains(text, `"waiting":1`) ||
		!strings.Contains(text, `"code":"AUTHORITY_UNAVAILABLE"`) {
		t.Errorf("readyz does not name the series that waits: %s", text)
	}
	authority.trouble.Store(nil)
	i.next()
	for n, w := range waiting {
		if got := c.accepted(t, w.ID); !strings.HasSuffix(*got.Number, string(rune('2'+n))) {
			t.Errorf("invoice %d was accepted as %s: not in the order of creation", n, got)
		}
	}
	if out := i.next(); !strings.Contains(out, `"up":true`) || !strings.Contains(out, `"total_results":0`) ||
		strings.Contains(out, "AUTHORITY_UNAVAILABLE") {
		t.Errorf("something is left: %s", out)
	}
	p.stop(t)
}

func TestIncidentQuarantine(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := serve(t, dir)
	a, b := issuing(t, p, dir, 1), issuing(t, p, dir, 2)
	i := walkIncident(t, "quarantine", dir)
	i.vars["STREAM"] = "company-" + a.id
	handOn(t, dir).writes(i.vars["STREAM"], "FiscalProfileSet", `{"profile":7}`, ours)
	eventually(t, startLimit, "readyz names the stream", func() (string, bool) {
		out := ready(t, p.base)
		return out, strings.Contains(out, i.vars["STREAM"])
	})
	a.refused(t, http.StatusServiceUnavailable, "RECORDS_HELD", http.MethodPost, "/api/invoices", body("FCA", 1, "held"))
	b.issue(t, body("FCA", 1, "goes on"))
	if out := i.next(); strings.Count(out, i.vars["STREAM"]) < 2 || !strings.Contains(out, `{"profile":7}`) {
		t.Errorf("the quarantine shows %s", out)
	}
	if out := i.next(); !strings.Contains(out, "skipped at revision") {
		t.Errorf("after the decision it shows %s", out)
	}
	a.issue(t, body("FCA", 1, "goes on too"))
	eventually(t, verdictLimit, "nothing is held", func() (string, bool) {
		out := ready(t, p.base)
		return out, !strings.Contains(out, i.vars["STREAM"])
	})
	if out := i.next(); !strings.Contains(out, "no stream is held") {
		t.Errorf("at the end the list is %s", out)
	}
	if err := p.cmd.Process.Signal(os.Interrupt); err != nil { // its ERROR lines are those of the incident
		t.Fatal(err)
	}
	<-p.done
}

func TestIncidentLogRestored(t *testing.T) {
	t.Parallel()
	dir, older := t.TempDir(), filepath.Join(t.TempDir(), "log")
	p := serve(t, dir, "--retry-base", "100ms")
	c := chilean(t, p, dir)
	c.enumerate(t, http.StatusCreated, 33, caf(t, dir, rutIssuer, 33, 1, 100))
	c.issue(t, pesos("FAC", "in the copy"))
	p.stop(t)
	folder := filepath.Join(dir, "log")
	if err := os.CopyFS(older, os.DirFS(folder)); err != nil {
		t.Fatal(err)
	}
	p = serve(t, dir, "--retry-base", "100ms")
	c.base = p.base
	c.issue(t, pesos("FAC", "after the copy"))
	bearer := login(t, p.base, email, password)
	p.stop(t)
	if err := os.RemoveAll(folder); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(folder, os.DirFS(older)); err != nil {
		t.Fatal(err)
	}
	if _, errs, code := command(t, "serve", "--data", dir, "--addr", "127.0.0.1:0"); code == 0 ||
		!strings.Contains(errs, "the read models hold more than the event log") {
		t.Fatalf("on an older log the service ends with %d: %s", code, errs)
	}
	i := walkIncident(t, "log-restored", dir)
	i.vars["SERIES"] = strings.Fields(strings.SplitN(succeed(t, "series", "list", "--data", dir), "\n", 3)[1])[0]
	maps.Copy(i.vars, map[string]string{"LAST": "2", "NEXT": "3"})
	i.next()
	p = serve(t, dir, "--retry-base", "100ms")
	c.base, bearer.base = p.base, p.base
	waits := c.post(t, pesos("FAC", "after"))
	c.waits(t, waits.ID, "SERIES_HELD")
	i.next()
	bearer.stops(t, "/api/companies")
	if got := c.accepted(t, waits.ID); *got.Number != "0000-00000003" {
		t.Errorf("the next number is %s, 3 was named", *got.Number)
	}
	p.stop(t)
}
