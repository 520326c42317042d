//go:build long

package node

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/EventStore/EventStore-Client-Go/v4/esdb"
)

func TestHundredKills(t *testing.T) { killRounds(t, 100) }

// The Go client pings every 10 s even when idle; a server with gRPC's defaults hangs up on it.
func TestIdleSubscriptionsLiveOn(t *testing.T) {
	c := open(t)
	var subs []heard
	for range 20 {
		s, err := c.SubscribeToAll(t.Context(), esdb.SubscribeToAllOptions{})
		h := hear(t, s, err)
		h.expect("caught up")
		subs = append(subs, h)
	}
	time.Sleep(2 * time.Minute)
	write(t, c, "s", esdb.NoStream{}, event("E", 1))
	for _, h := range subs {
		h.expect("s@0")
	}
}

// A million events of 500 bytes: the start must not read them and memory must not hold them.
func TestMillionEvents(t *testing.T) {
	const million = 1_000_000
	dir := t.TempDir()
	n, err := Open(t.Context(), Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	fill(t, n, million)
	t.Logf("written in %s, %+v", time.Since(began), n.Stats())
	stop(t, n)
	c := spawn(t, dir)
	began = time.Now()
	address := c.address(t)
	took := time.Since(began)
	client := connect(t, address)
	began = time.Now()
	all, err := countAll(client, t)
	if err != nil || all != million {
		t.Fatalf("read %d events, %v", all, err)
	}
	whole := time.Since(began)
	rss := residentMiB(t, c.cmd.Process.Pid)
	t.Logf("start %s, read all in %s, resident %d MiB", took, whole, rss)
	if took > whole/10 {
		t.Errorf("the start took %s, and reading the whole log %s: the start reads too much of it", took, whole)
	}
	if rss > 150 {
		t.Errorf("the node holds %d MiB", rss)
	}
}

func countAll(c *esdb.Client, t *testing.T) (int, error) {
	s, err := c.ReadAll(t.Context(), esdb.ReadAllOptions{}, 1<<62)
	if err != nil {
		return 0, err
	}
	defer s.Close()
	for n := 0; ; n++ {
		if _, err := s.Recv(); err != nil {
			if err.Error() == "EOF" {
				return n, nil
			}
			return n, err
		}
	}
}

func residentMiB(t *testing.T, pid int) int {
	if runtime.GOOS != "linux" {
		return 0
	}
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(string(b), "\n") {
		var kib int
		if _, err := fmt.Sscanf(line, "VmRSS: %d kB", &kib); err == nil {
			return kib >> 10
		}
	}
	t.Fatal("no VmRSS")
	return 0
}

func TestLiveDelayUnderLoad(t *testing.T) {
	n := start(t, Options{})
	c := connect(t, n.Address())
	s, err := c.SubscribeToAll(t.Context(), esdb.SubscribeToAllOptions{})
	h := hear(t, s, err)
	h.expect("caught up")
	var appends, delays []time.Duration
	for i := range 1000 {
		began := time.Now()
		write(t, c, "s", esdb.Any{}, event("E", i))
		answered := time.Now()
		h.next()
		appends = append(appends, answered.Sub(began))
		delays = append(delays, time.Since(answered))
	}
	slices.Sort(appends)
	slices.Sort(delays)
	t.Logf("append: median %s; after its answer: median %s, p99 %s", appends[500], delays[500], delays[990])
	if delays[500] > appends[500] {
		t.Errorf("a subscriber waits a median of %s after an append that took %s", delays[500], appends[500])
	}
}
