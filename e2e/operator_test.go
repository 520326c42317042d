package e2e

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// demo runs the demo until it has said all that it has to say.
func demo(t *testing.T, dir string) *process {
	t.Helper()
	p := begin(t, "demo", "--data", dir, "--addr", "127.0.0.1:0")
	p.base = p.await(t, "listening on ")
	p.await(t, "docs/quickstart.md walks through")
	return p
}

var (
	demoLine = regexp.MustCompile(`(?m)^  (FC[AB]) (0001-[0-9]{8})  CAE ([0-9]{14})  total ([0-9.]+)  (\S+\.pdf)$`)
	demoID   = regexp.MustCompile(`/api/invoices/([0-9A-Z]{26})$`)
)

func TestTheDemoRunsTwiceOnTheSameData(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var first []string
	files := map[string][]byte{}
	var id string
	for run := range 2 {
		p := demo(t, dir)
		lines := demoLine.FindAllString(p.stdout.String(), -1)
		if len(lines) != 3 {
			t.Fatalf("run %d shows %d invoices:\n%s", run+1, len(lines), p.stdout)
		}
		if run == 0 {
			first = lines
		} else if strings.Join(lines, "\n") != strings.Join(first, "\n") {
			t.Errorf("the second run shows\n%s\nthe first\n%s", lines, first)
		}
		pdfs, err := filepath.Glob(filepath.Join(dir, "demo", "F*.pdf"))
		if err != nil || len(pdfs) != 3 {
			t.Fatalf("run %d left %v, %v", run+1, pdfs, err)
		}
		for _, f := range pdfs {
			content, err := os.ReadFile(f)
			if err != nil || !bytes.HasPrefix(content, []byte("%PDF-")) {
				t.Fatalf("%s: %v, %.20q", f, err, content)
			}
			if run == 1 && !bytes.Equal(content, files[f]) {
				t.Errorf("%s has other bytes after the second run", f)
			}
			files[f] = content
		}
		id = tryNext(t, p)
		beside := succeed(t, "history", id, "--data", dir)
		p.stop(t)
		if alone := succeed(t, "history", id, "--data", dir); alone != beside ||
			!strings.Contains(alone, "AuthorityAccepted") {
			t.Errorf("history without the service is\n%s\nbeside it\n%s", alone, beside)
		}
	}
}

// tryNext makes the calls that the demo prints.
func tryNext(t *testing.T, p *process) (id string) {
	t.Helper()
	key, ok := p.stdout.line("  KEY=")
	if !ok {
		t.Fatalf("no key in\n%s", p.stdout)
	}
	c := company{client: client{base: p.base, key: key}}
	if l := get[list](t, c.client, "/api/invoices?per_page=2"); l.TotalResults != 3 {
		t.Errorf("there are %d invoices, want 3", l.TotalResults)
	}
	for l := range strings.Lines(p.stdout.String()) {
		if m := demoID.FindStringSubmatch(strings.TrimSpace(l)); m != nil {
			id = m[1]
		}
	}
	c.pdf(t, http.MethodPost, c.read(t, id).ID, "/download-pdf/A4")
	return id
}

func TestASecondServiceOnTheSameDataIsRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := serve(t, dir)
	_, errs, code := command(t, "serve", "--data", dir, "--addr", "127.0.0.1:0")
	if code == 0 || !strings.Contains(errs, "in use by another process") ||
		!strings.Contains(errs, fmt.Sprint(p.cmd.Process.Pid)) || !strings.Contains(errs, "stop it first") {
		t.Errorf("the second service ended with %d and said %s", code, errs)
	}
	login(t, p.base, email, password)
	p.stop(t)
}

func TestStopsLoseNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := serve(t, dir, crashFlags...)
	c := issuing(t, p, dir, 1)
	var mu sync.Mutex
	acked := map[string]bool{}
	var clients sync.WaitGroup
	for range 4 {
		clients.Go(func() {
			for {
				i, a, err := c.created(body("FCB", 1, "drain"))
				if err != nil {
					if a.status != 0 {
						t.Errorf("while stopping: %v", err)
					}
					return // the service is gone
				}
				mu.Lock()
				acked[i.ID] = true
				mu.Unlock()
			}
		})
	}
	eventually(t, startLimit, "there is load", func() (string, bool) {
		mu.Lock()
		defer mu.Unlock()
		return fmt.Sprint(len(acked)), len(acked) >= 20
	})
	start := time.Now()
	p.stop(t)
	t.Logf("stopped in %s under load", time.Since(start).Round(time.Millisecond))
	clients.Wait()
	p = serve(t, dir, crashFlags...)
	c.base = p.base
	c.settle(t, verdictLimit)
	all := c.all(t)
	consecutive(t, all)
	if len(all) < len(acked) || len(all) > len(acked)+4 {
		t.Errorf("%d invoices, %d acknowledged", len(all), len(acked))
	}
	p.stop(t)
}

func TestAccountsAreMadeWithAndWithoutAService(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := begin(t, "serve", "--data", dir, "--addr", "127.0.0.1:0", "--bootstrap-email=", "--bootstrap-password=")
	p.base = p.await(t, "listening on ")
	drawn, ok := p.stdout.line("first account, shown this once: e-mail admin@folio.example, password ")
	if !ok {
		t.Fatalf("no first account in\n%s", p.stdout)
	}
	login(t, p.base, "admin@folio.example", drawn)
	succeed(t, "account", "add", "beto@folio.example", "--password", password, "--data", dir)
	login(t, p.base, "Beto@Folio.example", password)
	p.stop(t)
	out := succeed(t, "account", "add", "carla@folio.example", "--data", dir)
	given := regexp.MustCompile(`password, shown this once: (\S+)`).FindStringSubmatch(out)
	if given == nil {
		t.Fatalf("no password in %s", out)
	}
	p = serve(t, dir)
	if strings.Contains(p.stdout.String(), "first account") {
		t.Errorf("a second first account:\n%s", p.stdout)
	}
	login(t, p.base, "carla@folio.example", given[1])
	login(t, p.base, "admin@folio.example", drawn)
	p.stop(t)
}

func TestMistakesOnTheCommandLineAreExplained(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	succeed(t, "account", "add", email, "--password", password, "--data", dir)
	for _, c := range []struct {
		name string
		args []string
		says string
	}{
		{"no command", nil, "expected one of"},
		{"an unknown flag", []string{"serve", "--colour"}, "unknown flag --colour"},
		{"an address that is none", []string{"serve", "--data", dir, "--addr", "nowhere:http:x"}, "nowhere:http:x"},
		{"a limit below zero", []string{"serve", "--data", dir, "--rate-limit-second=-1"}, "rate-limit-second"},
		{"an unknown role", []string{"serve", "--data", dir, "--roles", "read,think"}, "think"},
		{"an unknown authority", []string{"serve", "--data", dir, "--authority", "moon"}, "moon"},
		{"the demo at the real authority", []string{"demo", "--data", dir, "--authority", "production"},
			"--authority sandbox"},
		{"an account twice", []string{"account", "add", email, "--password", password, "--data", dir}, "already"},
		{"an account without address", []string{"account", "add", "nobody", "--password", password, "--data", dir},
			"ana@example.com"},
		{"a short password", []string{"account", "add", "x@folio.example", "--password", "short", "--data", dir}, "8 to 256"},
		{"the history of nothing", []string{"history", "01ARZ3NDEKTSV4RRFFQ69G5FAV", "--data", dir},
			"no invoice 01ARZ3NDEKTSV4RRFFQ69G5FAV"},
		{"a certificate for a wrong CUIT", []string{"sandbox", "certificate", "--tax-identifier", "30712345670", "--password",
			"x", "--out", filepath.Join(dir, "x.pfx"), "--data", dir}, "check digit"},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, errs, code := command(t, c.args...)
			if code == 0 || !strings.Contains(errs, c.says) || strings.Contains(errs, "goroutine") ||
				strings.Contains(errs, password) {
				t.Errorf("ended with %d, said %q and %q, want %q", code, errs, out, c.says)
			}
		})
	}
	if out := succeed(t, "version"); !strings.HasPrefix(out, "folio ") {
		t.Errorf("version says %q", out)
	}
}

func TestAnInterruptStopsTheServiceToo(t *testing.T) {
	t.Parallel()
	p := serve(t, t.TempDir())
	if err := p.cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	select {
	case <-p.done:
	case <-time.After(stopLimit):
		t.Fatal("it goes on")
	}
	if p.err != nil {
		t.Errorf("it ended with %v", p.err)
	}
}
