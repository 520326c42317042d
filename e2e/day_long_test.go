//go:build long

package e2e

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// day is a time with and without an authority, of the real program with a clock that is moved: clients sell all the
// time, and each move is a SIGKILL at a random moment.
type day struct {
	t      *testing.T
	clock  *moved
	random *rand.Rand
	zone   *time.Location
	dir    string
	spy    *spy
	flags  []string
	p      *process
	c      company
	base   atomic.Pointer[string]
	stop   atomic.Bool
	tills  sync.WaitGroup

	mu   sync.Mutex
	sold map[string]string // external reference: id of the invoice that was acknowledged

	issued map[string]string // kind and number: code of its authorization
	handed []string          // ids of invoices that were handed over before the verdict
}

// newDay starts the program, with the sandbox of its authority behind a spy.
func newDay(t *testing.T, zone *time.Location, flags ...string) *day {
	t.Helper()
	seed := seedOf()
	t.Logf("seed %d", seed)
	d := &day{t: t, clock: movedClock(t), random: rand.New(rand.NewPCG(uint64(seed), 1)), zone: zone, dir: t.TempDir(),
		sold: map[string]string{}, issued: map[string]string{}}
	d.spy = spyOn(t, d.dir)
	d.flags = append(append(append(soonAway(d.spy), unlimited...), "--sandbox-latency", "10ms", "--checkpoint-every",
		"200ms", "--log-level", "warn", "--stands-after", "240h"), flags...) // a day without the authority is no news here
	d.p = serve(t, d.dir, d.flags...)
	d.base.Store(&d.p.base)
	return d
}

// today is the local day that the program's clock shows.
func (d *day) today() string { return d.clock.Now().In(d.zone).Format(time.DateOnly) }

// moveTo kills the program at a random moment, and starts it again at a later time.
func (d *day) moveTo(at time.Time) {
	d.t.Helper()
	time.Sleep(time.Duration(d.random.IntN(1500)) * time.Millisecond) // the random moment
	d.p.kill()
	d.p.clean(d.t)
	d.clock.to(at)
	if d.random.IntN(4) == 0 { // and again while it starts
		p := begin(d.t, append([]string{"serve", "--data", d.dir, "--addr", "127.0.0.1:0"}, d.flags...)...)
		time.Sleep(time.Duration(d.random.IntN(400)) * time.Millisecond)
		p.kill()
	}
	d.p = serve(d.t, d.dir, d.flags...)
	d.c.base = d.p.base
	d.base.Store(&d.p.base)
}

// till sells one document after the other, each with a key, and repeats what was not answered.
func (d *day) till(name string, sale func(n int, reference string) map[string]any) {
	d.tills.Go(func() {
		for n := 1; !d.stop.Load(); n++ {
			reference := fmt.Sprintf("%s-%d", name, n)
			if err := d.sell(reference, sale(n, reference)); err != nil {
				d.t.Errorf("%s: %v", reference, err)
				return
			}
			time.Sleep(50 * time.Millisecond) // a busy till; more would only measure the machine
		}
	})
}

// sell creates a document once, whatever becomes of the answers.
func (d *day) sell(reference string, document map[string]any) error {
	for {
		c := d.c
		c.client = c.with("Idempotency-Key", reference)
		c.base = *d.base.Load()
		made, a, err := c.created(document)
		switch {
		case err == nil:
			d.mu.Lock()
			d.sold[reference] = made.ID
			d.mu.Unlock()
			return nil
		case a.status != 0 && a.status != http.StatusServiceUnavailable && a.status != http.StatusConflict:
			return err
		}
		time.Sleep(20 * time.Millisecond) // it is down: a client's pause between tries
	}
}

// more waits until so many more documents were sold.
func (d *day) more(n int) {
	d.t.Helper()
	start := d.count()
	eventually(d.t, verdictLimit, "more documents are sold", func() (string, bool) {
		return fmt.Sprint(d.count() - start), d.count()-start >= n || d.t.Failed()
	})
}

func (d *day) count() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.sold)
}

// once wants every sale to be one document of the company, and the company to have no others.
func (d *day) once(others ...invoice) []invoice {
	d.t.Helper()
	all := d.c.all(d.t)
	seen := map[string]string{}
	for _, i := range all {
		if seen[i.ExternalReference] != "" {
			d.t.Errorf("the sale %s has two documents", i.ExternalReference)
		}
		seen[i.ExternalReference] = i.ID
	}
	for reference, id := range d.sold {
		if seen[reference] != id {
			d.t.Errorf("the sale %s was acknowledged as %s, and is %q", reference, id, seen[reference])
		}
	}
	if len(all) != len(d.sold)+len(others) {
		d.t.Errorf("%d documents of %d sales", len(all), len(d.sold)+len(others))
	}
	return all
}

// loseNext loses the answer of the next call of an operation, and has the authority be away after it.
func (d *day) loseNext(operation string) (gone chan struct{}) {
	gone = make(chan struct{})
	d.spy.moment.Store(&moment{call: operation, answered: true, act: func() {
		d.spy.trouble.Store(&trouble{effect: down})
		close(gone)
	}})
	return gone
}
