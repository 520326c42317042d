package e2e

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// Half of the clients keep their connections, the others take one for each call. All go on until a
// connection is refused: no call may end without an answer.
func TestAServiceThatStopsCutsOffNobody(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := serve(t, dir, slices.Concat(crashFlags, []string{"--drain", "2s"})...)
	c := issuing(t, p, dir, 1)
	var created atomic.Int64
	var clients sync.WaitGroup
	acked := make([][]string, 10)
	for n := range acked {
		caller := c
		if n%2 == 0 {
			caller.client = c.with("Connection", "close")
		}
		clients.Go(func() {
			for i := 0; ; i++ {
				made, _, err := caller.created(body("FCB", 1, fmt.Sprintf("%d-%d", n, i)))
				if errors.Is(err, syscall.ECONNREFUSED) {
					return
				}
				if err != nil {
					t.Errorf("a call was not answered: %v", err)
					return
				}
				acked[n] = append(acked[n], made.ID)
				created.Add(1)
			}
		})
	}
	eventually(t, verdictLimit, "invoices are created", func() (string, bool) {
		return fmt.Sprint(created.Load()), created.Load() > 50
	})
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	clients.Wait()
	p.ends(t)
	p.clean(t)
	p = serve(t, dir, crashFlags...)
	c.base = p.base
	c.settle(t, verdictLimit)
	var found []string
	for _, i := range c.all(t) {
		found = append(found, i.ID)
	}
	for _, id := range slices.Concat(acked...) {
		if !slices.Contains(found, id) {
			t.Errorf("%s was acknowledged and is lost", id)
		}
	}
	consecutive(t, c.all(t))
	p.stop(t)
}

// whileDraining is the first answer of readyz that tells of the stop.
func whileDraining(t *testing.T, base string) (a answer) {
	t.Helper()
	eventually(t, verdictLimit, "readyz tells of the stop", func() (string, bool) {
		var err error
		if a, err = (client{base: base}).send(http.MethodGet, "/readyz", nil); err != nil {
			t.Fatalf("the service ended before readyz told of it: %v", err)
		}
		return string(a.body), strings.Contains(string(a.body), `"stopping"`)
	})
	return a
}

// ends waits for a clean end of a service that was told to stop.
func (p *process) ends(t *testing.T) {
	t.Helper()
	select {
	case <-p.done:
	case <-time.After(startLimit):
		t.Fatalf("the service goes on\n%s", p.stderr.tail())
	}
	if p.err != nil {
		t.Errorf("the service ended with %v\n%s", p.err, p.stderr.tail())
	}
}

// Until the second signal it says that it stops, and serves.
func TestTheSecondSignalEndsTheServiceAtOnce(t *testing.T) {
	t.Parallel()
	p := serve(t, t.TempDir(), "--drain", "1h")
	signal := func() {
		if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
	}
	signal()
	a := whileDraining(t, p.base)
	if a.status != http.StatusServiceUnavailable || !strings.Contains(string(a.body), `"stopping"`) {
		t.Errorf("readyz says %d %s", a.status, a.body)
	}
	client{base: p.base}.want(t, http.StatusOK, http.MethodGet, "/healthz", nil)
	signal()
	p.dies(t, "the second signal")
}

// Whoever presses Ctrl-C has seen enough: nothing is waited for, nothing is complained of.
func TestCtrlCEndsTheServiceWithoutAWord(t *testing.T) {
	t.Parallel()
	p := serve(t, t.TempDir(), "--drain", "1h", "--log-level", "warn")
	if err := p.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	p.ends(t)
	if said := p.stderr.String(); strings.Contains(said, "interrupt") || strings.Contains(said, "goroutine") {
		t.Errorf("it said %s", said)
	}
}

// Ctrl-C is how the demo ends.
func TestCtrlCEndsTheDemoWithoutAWord(t *testing.T) {
	t.Parallel()
	p := demo(t, t.TempDir())
	if err := p.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	p.ends(t)
	if said := p.stderr.String(); said != "" {
		t.Errorf("it said %s", said)
	}
}
