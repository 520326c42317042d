//go:build long

package e2e

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"net/http"
	"os/exec"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// tradesman is a company of one country in the soak, with what it was told.
type tradesman struct {
	company
	name string
	body func(n int) map[string]any
	hook webhook

	mu    sync.Mutex
	acked map[string]string // Idempotency-Key: id of the invoice
	ids   map[string]string // the other way around
}

// traffic is companies of three countries and those who invoice for them at one address.
type traffic struct {
	t         *testing.T
	dir       string        // data folder with the sandboxes
	records   []string      // flags of folio history
	rest      time.Duration // of a client between two invoices
	told      time.Duration // within which the receivers hear of all
	companies []*tradesman
	receiver  *receiver
	over      atomic.Bool
	posted    atomic.Int64
	clients   sync.WaitGroup
	gate      sync.RWMutex // held by who posts; taken to pause
}

// soaking is the fleet and those who use it.
type soaking struct {
	*fleet
	*traffic
}

// soakNumbers is how many numbers of each type there are for a company.
const soakNumbers = 60_000

func newSoaking(t *testing.T) *soaking {
	f := newFleet(t)
	x := &traffic{t: t, dir: f.dir, records: []string{"--data", f.dir, "--eventstore", f.node}, receiver: receive(t),
		rest: 300 * time.Millisecond, told: 2 * endLimit}
	x.receiver.respond = func(w http.ResponseWriter, h heard) {
		if h.event.Attempt == 1 && sum(h.event.DocumentID)%8 == 0 { // some companies' receivers fail at first
			w.WriteHeader(http.StatusInternalServerError)
		}
	}
	x.found(f.front.URL)
	return &soaking{f, x}
}

// found makes the companies, by the service at an address.
func (x *traffic) found(address string) {
	x.t.Helper()
	front := &process{base: address}
	x.add("Argentina", issuing(x.t, front, x.dir, 41), func(n int) map[string]any {
		return body([]string{"FCA", "FCB", "RCB"}[n%3], 1, "")
	})
	for _, n := range nations {
		c := n.company(x.t, front, x.dir)
		for _, code := range n.kinds {
			n.number(x.t, c, x.dir, code, 1, soakNumbers)
		}
		x.add(n.name, c, func(i int) map[string]any { return n.body(n.kinds[i%len(n.kinds)], i) })
	}
}

func sum(s string) uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(s)) // never fails
	return h.Sum32()
}

func (x *traffic) add(name string, c company, body func(n int) map[string]any) {
	m := &tradesman{company: c, name: name, body: body, acked: map[string]string{}, ids: map[string]string{}}
	m.hook = c.subscribe(x.t, x.receiver.URL+"/"+name, "ISE")
	x.companies = append(x.companies, m)
}

// begin starts the clients: so many of each company.
func (x *traffic) begin(each int) {
	x.t.Cleanup(func() { x.over.Store(true); x.clients.Wait() })
	for _, m := range x.companies {
		for range each {
			x.clients.Go(func() {
				for !x.over.Load() {
					x.gate.RLock()
					x.invoice(m, int(x.posted.Add(1)))
					x.gate.RUnlock()
					time.Sleep(x.rest) // the rate of a client
				}
			})
		}
	}
}

// invoice creates one, asking until it is acknowledged, and reads it. Some ask once more.
func (x *traffic) invoice(m *tradesman, n int) {
	key := fmt.Sprintf("%s-%d", m.name, n)
	b := m.body(n)
	b["external_reference"] = key
	for !x.post(m, key, b) {
		if x.t.Failed() {
			return
		}
		time.Sleep(100 * time.Millisecond) // a caller's pause, shorter than it is told
	}
	if n%5 == 0 {
		x.post(m, key, b)
	}
	m.mu.Lock()
	id := m.acked[key]
	m.mu.Unlock()
	if a, ok := x.ask(m.client, http.MethodGet, "/api/invoices/"+id, nil); ok && a.status != http.StatusOK {
		x.t.Errorf("%s: what was acknowledged reads %d %s", key, a.status, a.body)
	}
}

// post is true once the invoice is acknowledged.
func (x *traffic) post(m *tradesman, key string, b map[string]any) bool {
	a, ok := x.ask(m.with("Idempotency-Key", key), http.MethodPost, "/api/invoices", b)
	if !ok {
		return false
	}
	i, err := parse[invoice](a)
	if a.status != http.StatusCreated && a.status != http.StatusOK || err != nil {
		x.t.Errorf("%s: %d %s %v", key, a.status, a.body, err)
		return false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if was, known := m.acked[key]; known && was != i.ID {
		x.t.Errorf("%s was %s and is %s", key, was, i.ID)
	}
	if other, known := m.ids[i.ID]; known && other != key {
		x.t.Errorf("%s was given to %s and to %s", i.ID, other, key)
	}
	m.acked[key], m.ids[i.ID] = i.ID, key
	return true
}

// ask sends a request once. It is not ok when the answer is a 503 with a pause, or the load
// balancer's own; every other fault of a server is one of the service.
func (x *traffic) ask(c client, method, path string, body map[string]any) (a answer, ok bool) {
	var raw []byte
	if body != nil {
		var err error
		if raw, err = json.Marshal(body); err != nil {
			x.t.Fatal(err)
		}
	}
	began := time.Now()
	a, err := c.once(method, path, raw) // which does not ask again
	took := time.Since(began)
	switch {
	case err != nil:
		x.t.Errorf("%s %s: %v", method, path, err)
	case a.header.Get(badGateway) != "": // killed, stopped, or not there
	case a.status == http.StatusServiceUnavailable && a.header.Get("Retry-After") == "":
		x.t.Errorf("%s %s: 503 without Retry-After", method, path)
	case a.status == http.StatusServiceUnavailable:
	case a.status >= 500:
		x.t.Errorf("%s %s: %d %s", method, path, a.status, a.body)
	default:
		ok = true
	}
	if took > answerLimit+5*time.Second {
		x.t.Errorf("%s %s: %d took %v", method, path, a.status, took)
	}
	return a, ok
}

// settled waits until every invoice of every company has its verdict, and gives how long the
// last one took.
func (x *traffic) settled(t testing.TB, limit time.Duration) time.Duration {
	began := time.Now()
	for _, m := range x.companies {
		for _, status := range []string{"pending", "in%20process"} {
			var left list
			x.explained(func() list { return left })
			eventually(t, max(limit-time.Since(began), time.Second), "every invoice of "+m.name+" has its verdict",
				func() (string, bool) {
					a, ok := x.ask(m.client, http.MethodGet, "/api/invoices?per_page=1&status="+status, nil)
					l, err := parse[list](a)
					left = l
					return fmt.Sprintf("%d %s", a.status, a.body), ok && err == nil && a.status == http.StatusOK && l.TotalResults == 0
				})
		}
	}
	return time.Since(began)
}

// explained logs, if the test fails, what the log says of invoices that have no verdict.
func (x *traffic) explained(left func() list) {
	x.t.Cleanup(func() {
		if !x.t.Failed() {
			return
		}
		for _, i := range left().Data {
			out, err := exec.Command(program, append(append([]string{"history"}, x.records...), "--json",
				i.ID)...).CombinedOutput()
			x.t.Logf("history of %s:\n%s%v", i.ID, out, err)
		}
	})
}
