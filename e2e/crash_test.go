package e2e

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// crashFlags make rounds short: an authority that takes its time, so that kills fall
// into calls, and short pauses after failures.
var crashFlags = append([]string{"--sandbox-latency", "30ms", "--checkpoint-every", "200ms", "--retry-base", "200ms",
	"--log-level", "warn"}, unlimited...)

// crasher posts invoices from several clients while the service is killed and started
// again on the same data.
type crasher struct {
	t    *testing.T
	dir  string
	c    company
	base atomic.Pointer[string]
	next atomic.Int64
	stop atomic.Bool

	mu    sync.Mutex
	acked map[string]string // invoice id: its reference
	lost  int               // posts without a key whose answer did not come
}

func TestNothingAcknowledgedIsLostWhenTheProcessIsKilled(t *testing.T) {
	t.Parallel()
	crash(t, 3, time.Now().UnixNano(), nil)
}

// What a dead process held must not be waited for: its leases had ten seconds. A machine
// that is busy may be slow once; a service that waits for leases is slow each time.
func TestAKilledServiceGoesOnAtOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := serve(t, dir, crashFlags...)
	c := issuing(t, p, dir, 1)
	const soon, tries = 5 * time.Second, 3
	number := 0
	for try := 1; ; try++ {
		before := c.post(t, body("FCA", 1, fmt.Sprint("before ", try)))
		p.kill()
		p = serve(t, dir, crashFlags...)
		c.base = p.base
		start := time.Now()
		after := c.post(t, body("FCA", 1, fmt.Sprint("after ", try)))
		if got := c.read(t, after.ID); got.ID != after.ID {
			t.Errorf("the read after the create gives %s", got)
		}
		for _, i := range []invoice{c.accepted(t, before.ID), c.accepted(t, after.ID)} {
			number++
			if want := fmt.Sprintf("0001-%08d", number); *i.Number != want {
				t.Errorf("an invoice is %s, want %s", i, want)
			}
		}
		took := time.Since(start)
		if took <= soon {
			break
		}
		if try == tries {
			t.Fatalf("it took %s, and no less before", took)
		}
	}
	p.stop(t)
}

// crash kills the service so many times, at moments drawn from the seed. After each start
// trouble, unless it is nil, scripts what the authority does next.
func crash(t *testing.T, rounds int, seed int64, trouble func(dir string, random *rand.Rand), more ...string) {
	t.Logf("seed %d", seed)
	flags := slices.Concat(crashFlags, more)
	random := rand.New(rand.NewPCG(uint64(seed), 1))
	x := &crasher{t: t, dir: t.TempDir(), acked: map[string]string{}}
	p := serve(t, x.dir, flags...)
	x.c = issuing(t, p, x.dir, 1)
	x.base.Store(&p.base)
	var clients sync.WaitGroup
	for n := range 6 {
		clients.Go(func() { x.post(n%2 == 0) })
	}
	for round := range rounds {
		if random.IntN(3) > 0 { // else it may be killed while it starts to work
			x.loaded()
		}
		time.Sleep(time.Duration(100+random.IntN(900)) * time.Millisecond) // the random moment
		p.kill()
		p.clean(t)
		t.Logf("round %d: killed with %d acknowledged", round+1, x.count())
		if random.IntN(4) == 0 { // and again while it starts
			p = begin(t, append([]string{"serve", "--data", x.dir, "--addr", "127.0.0.1:0"}, flags...)...)
			time.Sleep(time.Duration(random.IntN(200)) * time.Millisecond)
			p.kill()
		}
		p = serve(t, x.dir, flags...)
		x.base.Store(&p.base)
		if trouble != nil {
			trouble(x.dir, random)
		}
	}
	x.stop.Store(true)
	clients.Wait()
	x.c.base = p.base
	x.c.settle(t, 2*verdictLimit)
	x.check()
	succeed(t, "verify", "--data", x.dir) // beside the service; the tree agrees with the log whenever it was killed
	p.stop(t)
	succeed(t, "verify", "--data", x.dir)
	x.compare(t)
}

// post creates invoices until it is told to stop. With a key it repeats a request whose
// answer it did not get; without one it goes on to the next.
func (x *crasher) post(keyed bool) {
	kinds := []string{"FCA", "FCB", "RCB"}
	for !x.stop.Load() {
		n := int(x.next.Add(1))
		reference := fmt.Sprintf("caida-%d", n)
		b := body(kinds[n%3], 1+n/3%2, reference)
		for {
			c := x.c
			c.base = *x.base.Load()
			if keyed {
				c.client = c.with("Idempotency-Key", reference)
			}
			made, a, err := c.created(b)
			if err == nil {
				x.acknowledge(made.ID, reference)
				break
			}
			if a.status != 0 && a.status != http.StatusCreated && a.status != http.StatusServiceUnavailable {
				x.t.Errorf("%s: %v", reference, err)
				return
			}
			time.Sleep(20 * time.Millisecond) // the service is down: a client's pause between tries
			if !keyed {
				x.mu.Lock()
				x.lost++
				x.mu.Unlock()
				break
			}
		}
	}
}

func (x *crasher) acknowledge(id, reference string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if other, twice := x.acked[id]; twice {
		x.t.Errorf("the invoice %s was given to %s and to %s", id, other, reference)
	}
	x.acked[id] = reference
}

// loaded waits until the service that runs now acknowledges.
func (x *crasher) loaded() {
	x.t.Helper()
	before := x.count()
	eventually(x.t, startLimit, "the service acknowledges again", func() (string, bool) {
		return "no new acknowledgement", x.count() >= before+10
	})
}

func (x *crasher) count() int {
	x.mu.Lock()
	defer x.mu.Unlock()
	return len(x.acked)
}

// check wants every acknowledged invoice accepted once, and no gap and no double among
// all that there are.
func (x *crasher) check() {
	all := x.c.all(x.t)
	series := consecutive(x.t, all)
	byReference, byID := map[string]int{}, map[string]bool{}
	for _, i := range all {
		byReference[i.ExternalReference]++
		byID[i.ID] = true
	}
	for id, reference := range x.acked {
		if !byID[id] || byReference[reference] != 1 {
			x.t.Errorf("the acknowledged invoice %s of %s is there %v, %d times by its reference", id, reference, byID[id],
				byReference[reference])
		}
	}
	if more := len(all) - len(x.acked); more < 0 || more > x.lost {
		x.t.Errorf("%d invoices, %d acknowledged, %d answers lost", len(all), len(x.acked), x.lost)
	}
	x.t.Logf("%d invoices in %v, %d acknowledged, %d answers lost", len(all), series, len(x.acked), x.lost)
}

// compare wants the authority to know the same numbers with the same CAEs, and no more.
func (x *crasher) compare(t *testing.T) {
	t.Helper()
	known := vouchers(t, x.dir)
	p := serve(t, x.dir, unlimited...)
	x.c.base = p.base
	all := x.c.all(t)
	for _, i := range all {
		if i.Number == nil || i.Authorization == nil {
			continue // told already
		}
		at := i.InvoiceType + " " + *i.Number
		if known[at] != i.Authorization.Code {
			t.Errorf("%s: the authority has the CAE %q, the invoice %q", at, known[at], i.Authorization.Code)
		}
	}
	if len(known) != len(all) {
		t.Errorf("the authority knows %d documents, the company %d", len(known), len(all))
	}
	p.stop(t)
}
