package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"folio/clock/clocktest"
	"folio/events"
	"folio/eventstore"
	"folio/eventstore/node"
	"folio/faultproxy"
	"folio/faultproxy/calls"
)

// troubled is a service whose event log is behind a proxy of calls and, before it, one of bytes.
type troubled struct {
	t     *testing.T
	p     *process
	args  []string // it was started with
	c     company
	node  string // address of the log, past the proxies
	calls *calls.Proxy
	bytes *faultproxy.Proxy

	mu    sync.Mutex
	acked map[string]string // Idempotency-Key: id of the invoice
}

// What is stated: a request waits ten seconds for the log at most, and readyz tells within a
// few. The rest is for a busy machine.
const (
	answerLimit = 10*time.Second + 5*time.Second
	tellLimit   = 5*time.Second + 10*time.Second
)

func inTrouble(t *testing.T, more ...string) *troubled {
	t.Helper()
	n, err := node.Open(t.Context(), node.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = n.Close(context.Background()) })
	x := &troubled{t: t, node: n.Address(), calls: calls.New(t, n.Address()), acked: map[string]string{}}
	x.bytes = faultproxy.New(t, "tcp", x.calls.HostPort())
	dir := t.TempDir()
	address := filepath.Join(dir, "eventstore")
	if err := os.WriteFile(address, []byte("esdb://"+x.bytes.Address()+"?tls=false\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	flags := slices.Concat([]string{"--eventstore-file", address}, crashFlags, more)
	x.args = append([]string{"serve", "--data", dir, "--addr", "127.0.0.1:0"}, flags...)
	x.p = serve(t, dir, flags...)
	x.c = issuing(t, x.p, dir, 1)
	return x
}

func (x *troubled) cure() {
	x.bytes.Heal()
	x.calls.Heal()
	if err := x.calls.Deliver(x.t.Context()); err != nil {
		x.t.Error(err)
	}
}

// ready is what readyz says.
func (x *troubled) ready() (status int, condition string) {
	a, err := client{base: x.p.base}.send(http.MethodGet, "/readyz", nil)
	if err != nil {
		x.t.Fatal(err)
	}
	var r struct{ Log struct{ State string } }
	if err := json.Unmarshal(a.body, &r); err != nil {
		x.t.Fatalf("%v: %s", err, a.body)
	}
	return a.status, r.Log.State
}

func (x *troubled) becomes(want int, what string) {
	x.t.Helper()
	eventually(x.t, tellLimit, "readyz "+what, func() (string, bool) {
		status, condition := x.ready()
		return fmt.Sprint(status, " ", condition), status == want
	})
}

// post sends an invoice once. Only a 201 and a 503 with a pause are right answers.
func (x *troubled) post(key string) (created bool) {
	began := time.Now()
	a, err := x.c.with("Idempotency-Key", key).send(http.MethodPost, "/api/invoices", body("FCA", 1, key))
	if err != nil {
		x.t.Error(err)
		return false
	}
	if took := time.Since(began); took > answerLimit {
		x.t.Errorf("%s: an answer took %v", key, took)
	}
	switch a.status {
	case http.StatusCreated, http.StatusOK:
		i, err := parse[invoice](a)
		if err != nil {
			x.t.Error(err)
			return false
		}
		x.mu.Lock()
		defer x.mu.Unlock()
		if was, ok := x.acked[key]; ok && was != i.ID {
			x.t.Errorf("%s was invoice %s and is %s", key, was, i.ID)
		}
		x.acked[key] = i.ID
		return true
	case http.StatusServiceUnavailable:
		if a.header.Get("Retry-After") == "" {
			x.t.Errorf("%s: 503 without Retry-After", key)
		}
	default:
		x.t.Errorf("%s: %d %s", key, a.status, a.body)
	}
	return false
}

// insist posts until it is acknowledged.
func (x *troubled) insist(key string) {
	x.t.Helper()
	eventually(x.t, verdictLimit, key+" is taken", func() (string, bool) { return "503", x.post(key) })
}

// through lives through one fault: requests go on from before it until after it.
func (x *troubled) through(name string, away bool, hurt func()) {
	x.t.Helper()
	old := x.c.issue(x.t, body("FCA", 1, name+" before"))
	var all sync.WaitGroup
	over := make(chan struct{})
	for n := range 3 {
		all.Go(func() {
			for try := 0; ; try++ {
				key := fmt.Sprintf("%s %d-%d", name, n, try)
				for !x.post(key) {
					if x.t.Failed() {
						return
					}
					time.Sleep(50 * time.Millisecond) // a caller's pause, shorter than it is told
				}
				select {
				case <-over:
					return
				default:
				}
			}
		})
	}
	hurt()
	if away {
		x.becomes(http.StatusServiceUnavailable, "says that the log is away ("+name+")")
		clocktest.Prompt(x.t, name+": a request while the log is known to be away", 3*time.Second, func() {
			x.post(name + " while it is known to be away")
		})
		if got := x.c.read(x.t, old.ID); got.Status != "Accepted" {
			x.t.Errorf("%s: while the log is away an invoice reads %s", name, got)
		}
	}
	x.cure()
	x.becomes(http.StatusOK, "says that the log is back ("+name+")")
	close(over)
	all.Wait()
	x.insist(name + " while it is known to be away")
}

// check wants every acknowledged invoice once, accepted, under consecutive numbers.
func (x *troubled) check() {
	x.t.Helper()
	x.c.settle(x.t, verdictLimit)
	all := x.c.all(x.t)
	consecutive(x.t, all)
	seen := map[string]int{}
	for _, i := range all {
		seen[i.ID]++
	}
	for key, id := range x.acked {
		if seen[id] != 1 {
			x.t.Errorf("%s: the acknowledged invoice %s is there %d times", key, id, seen[id])
		}
	}
	for l := range strings.Lines(x.p.stderr.String()) {
		if strings.Contains(l, "level=ERROR") || strings.Contains(l, "panic") || strings.Contains(l, "sorry") {
			x.t.Errorf("the service logged: %s", l)
		}
	}
}

func TestALogThatComesAndGoes(t *testing.T) {
	t.Parallel()
	x := inTrouble(t)
	x.through("frozen", true, x.bytes.Freeze)
	x.through("gone", true, x.bytes.Refuse)
	x.through("cut", false, x.bytes.Cut)
	x.through("commit timeout", true, func() { x.calls.Answer("Append", calls.CommitTimeout(calls.Later)) })
	x.check()
	x.p.stop(t)
}

func TestALogThatIsReplacedEndsTheService(t *testing.T) {
	t.Parallel()
	x := inTrouble(t)
	kept := x.c.issue(t, body("FCA", 1, "kept"))
	other, err := node.Open(t.Context(), node.Options{Dir: t.TempDir(), Network: node.Network{Address: "127.0.0.1:0"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = other.Close(context.Background()) })
	right := x.calls.HostPort()
	x.bytes.Move("tcp", other.Network().String())
	x.post("to the wrong log") // perhaps before anything was noticed: 503 then, too
	x.p.dies(t, "the log was replaced")
	if len(x.acked) > 0 {
		t.Errorf("an invoice was acknowledged by a log that nobody knows: %v", x.acked)
	}
	if code := x.p.cmd.ProcessState.ExitCode(); code != 1 {
		t.Errorf("the service ended with %d", code)
	}
	if n := strings.Count(x.p.stderr.String(), "level=ERROR"); n != 1 ||
		!strings.Contains(x.p.stderr.String(), "has no id") {
		t.Errorf("%d error lines\n%s", n, x.p.stderr.tail())
	}
	_, errs, code := command(t, x.args...)
	if code != 1 || !strings.Contains(errs, "the read models belong to the event log") {
		t.Errorf("a start with the wrong log ended with %d: %s", code, errs)
	}
	l, err := eventstore.Open(t.Context(), eventstore.Options{Address: other.Address()})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for r, err := range l.All(t.Context(), events.Position{}, eventstore.Filter{}) {
		t.Errorf("the wrong log holds %s in %s, %v", r.Type, r.Stream, err)
	}
	x.bytes.Move("tcp", right)
	x.restart()
	if got := x.c.read(t, kept.ID); got.Status != "Accepted" {
		t.Errorf("with the right log an invoice reads %s", got)
	}
	x.insist("to the right log")
	x.check()
	x.p.stop(t)
}
