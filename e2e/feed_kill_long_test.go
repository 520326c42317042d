//go:build long

package e2e

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// subscriber runs the script of docs/analysing.md in a folder, anew whenever it ended or
// was killed.
type subscriber struct {
	t    *testing.T
	dir  string
	base *atomic.Pointer[string]
	key  string
	stop atomic.Bool
	mu   sync.Mutex
	now  *exec.Cmd
}

func newSubscriber(t *testing.T, base *atomic.Pointer[string], key string) *subscriber {
	t.Helper()
	raw, err := os.ReadFile("../docs/analysing.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(raw), "<!-- file feed.sh -->\n```sh\n")
	script, _, whole := strings.Cut(rest, "\n```")
	s := &subscriber{t: t, dir: t.TempDir(), base: base, key: key}
	if err := os.WriteFile(filepath.Join(s.dir, "feed.sh"), []byte(script), 0o600); err != nil || !whole {
		t.Fatal("the page has no feed.sh", err)
	}
	return s
}

// once runs it to its end.
func (s *subscriber) once(wait string) {
	c := exec.Command("bash", "feed.sh")
	c.Dir, c.Env = s.dir, append(environ(), "API="+*s.base.Load(), "KEY="+s.key, "WAIT="+wait)
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // curl and jq die with it
	s.mu.Lock()
	s.now = c
	err := c.Start()
	s.mu.Unlock()
	if err != nil {
		s.t.Error(err)
		return
	}
	_ = c.Wait() // the service was killed, or it was
}

func (s *subscriber) run() {
	for !s.stop.Load() {
		s.once("20")
	}
}

func (s *subscriber) kill() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.now != nil && s.now.Process != nil {
		_ = syscall.Kill(-s.now.Process.Pid, syscall.SIGKILL) // it may have ended
	}
}

// line is what events are told apart by.
type line struct{ ID, Type, Stream, Position string }

// lines are those of all pages, in their order.
func (s *subscriber) lines() (out []line) {
	s.t.Helper()
	pages, err := filepath.Glob(filepath.Join(s.dir, "pages", "*.ndjson"))
	if err != nil {
		s.t.Fatal(err)
	}
	slices.Sort(pages)
	for _, p := range pages {
		raw, err := os.ReadFile(p)
		if err != nil {
			s.t.Fatal(err)
		}
		out = append(out, parseLines(s.t, string(raw))...)
	}
	return out
}

func parseLines(t *testing.T, text string) (out []line) {
	t.Helper()
	for l := range strings.Lines(text) {
		var x line
		if err := json.Unmarshal([]byte(l), &x); err != nil {
			t.Fatalf("%v in %s", err, l)
		}
		out = append(out, x)
	}
	return out
}

// eventsOf are a company's events as the log has them.
func eventsOf(t *testing.T, dir, company string) (out []line) {
	t.Helper()
	text := succeed(t, "export", "events", "--data", dir)
	invoices := map[string]bool{}
	for l := range strings.Lines(text) {
		var x struct {
			Type, Stream string
			Data         struct{ Company string }
		}
		if err := json.Unmarshal([]byte(l), &x); err != nil {
			t.Fatal(err)
		}
		if x.Type == "InvoiceCreated" && x.Data.Company == company {
			invoices[x.Stream] = true
		}
	}
	for _, x := range parseLines(t, text) {
		category, rest, _ := strings.Cut(x.Stream, "-")
		if invoices[x.Stream] || strings.HasPrefix(rest, company) &&
			slices.Contains([]string{"company", "numbering", "dailyreport", "purchase"}, category) {
			out = append(out, x)
		}
	}
	return out
}

// Service and subscriber are killed at random moments, while invoices are created. In the
// end the subscriber has what the log has: in its order, nothing missed and nothing twice.
func TestTheFeedDropsAndRepeatsNothingWhoeverIsKilled(t *testing.T) {
	seed := time.Now().UnixNano()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(uint64(seed), 1))
	x := &crasher{t: t, dir: t.TempDir(), acked: map[string]string{}}
	p := serve(t, x.dir, crashFlags...)
	x.c = issuing(t, p, x.dir, 1)
	x.base.Store(&p.base)
	s := newSubscriber(t, &x.base, x.c.key)
	var parties sync.WaitGroup
	for n := range 3 {
		parties.Go(func() { x.post(n%2 == 0) })
	}
	parties.Go(s.run)
	for round := range 24 {
		time.Sleep(time.Duration(50+random.IntN(700)) * time.Millisecond) // the random moment
		if round%3 > 0 {
			s.kill()
			continue
		}
		x.loaded()
		p.kill()
		p = serve(t, x.dir, crashFlags...)
		x.base.Store(&p.base)
	}
	x.stop.Store(true)
	s.stop.Store(true)
	s.kill()
	parties.Wait()
	x.c.base = p.base
	x.c.settle(t, 2*verdictLimit)
	want := eventsOf(t, x.dir, x.c.id)
	var got []line
	eventually(t, verdictLimit, "the subscriber has everything", func() (string, bool) {
		s.once("0")
		got = s.lines()
		return fmt.Sprintf("%d of %d events", len(got), len(want)), len(got) >= len(want)
	})
	for i := range max(len(want), len(got)) {
		if i >= len(want) || i >= len(got) || want[i] != got[i] {
			t.Fatalf("line %d differs: %d events, the subscriber has %d", i+1, len(want), len(got))
		}
	}
	t.Logf("%d events, each once", len(got))
	p.stop(t)
}
