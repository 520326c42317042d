//go:build long && hosts && linux

package e2e

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// takeoverLimit is docs/operating.md's.
const takeoverLimit = 10 * time.Second

// Three hosts with clocks that are minutes apart; links are cut, late and heal, processes are killed and frozen.
func TestThreeHosts(t *testing.T) {
	x := newHosts(t)
	seed := seedOf()
	random := rand.New(rand.NewPCG(uint64(seed), 20))
	t.Logf("seed %d", seed)
	x.begin(1)
	x.oneKeyAtAll()
	harms := []harmToHosts{workerKilled, frozen, unplugged, slow, storesAway, apiKilled, unheard, frozen, unplugged}
	random.Shuffle(len(harms), func(i, j int) { harms[i], harms[j] = harms[j], harms[i] })
	for n, h := range harms {
		began := time.Now()
		x.grow(2)
		name := h(x, random)
		for _, s := range x.all {
			x.ready(s)
		}
		x.alive()
		t.Logf("%d. %s: all right after %s, %d acknowledged", n+1, name, time.Since(began).Round(time.Millisecond), x.count())
		if t.Failed() {
			return
		}
	}
	x.over.Store(true)
	x.clients.Wait()
	x.settled(t, lastTold)
	x.check()
	x.askedBeforeEachRepeat()
}

// harmToHosts is done to them, and healed; it says what it was.
type harmToHosts func(*hosts, *rand.Rand) string

// victim is the worker that works, and the one that stands by.
func (x *hosts) victim() (hurt, heir *seat) {
	n, most := 0, -1
	for i, s := range x.workers {
		if d, err := x.details(s); err == nil {
			if mine, _ := d.owned(); mine > most {
				n, most = i, mine
			}
		}
	}
	return x.workers[n], x.workers[1-n]
}

// aMoment lets traffic be under way at no certain point.
func aMoment(random *rand.Rand) { time.Sleep(time.Duration(random.IntN(500)) * time.Millisecond) }

// takesOver waits until a worker works on everything, within the time that is promised.
func (x *hosts) takesOver(heir *seat, since time.Time, late int64) time.Duration {
	t := x.traffic.t
	t.Helper()
	eventually(t, 2*time.Minute, heir.String()+" takes over", func() (string, bool) {
		d, err := x.details(heir)
		mine, all := d.owned()
		return fmt.Sprintf("%+v %v", d, err), err == nil && all > 0 && mine == all
	})
	took := time.Since(since)
	stood := time.Duration(x.late.Load() - late)
	if took-stood > takeoverLimit {
		t.Errorf("%s took over after %s, machine and tables stood still for %s of it", heir, took, stood)
	}
	t.Logf("%s took over in %s, machine and tables stood still for %s", heir, took, stood)
	return took.Round(time.Millisecond)
}

func workerKilled(x *hosts, random *rand.Rand) string {
	hurt, heir := x.victim()
	aMoment(random)
	began, late := time.Now(), x.late.Load()
	hurt.process().kill()
	took := x.takesOver(heir, began, late)
	hurt.process().clean(x.traffic.t)
	x.grow(2)
	x.sit(hurt)
	return fmt.Sprintf("%s killed, taken over in %s", hurt, took)
}

// frozen stops an owner for longer than its leases. When it wakes up it calls nobody: its work is another's.
func frozen(x *hosts, random *rand.Rand) string {
	hurt, heir := x.victim()
	aMoment(random)
	began, late := time.Now(), x.late.Load()
	x.signal(hurt, syscall.SIGSTOP)
	took := x.takesOver(heir, began, late)
	x.grow(2)
	before := len(x.spy.said())
	x.signal(hurt, syscall.SIGCONT)
	x.standsBy(hurt)
	x.grow(2)
	x.silent(hurt, before)
	return fmt.Sprintf("%s frozen, taken over in %s", hurt, took)
}

// unplugged pulls the cable of a host with an owner. A key that is revoked meanwhile stops there, too, once it is back.
func unplugged(x *hosts, random *rand.Rand) string {
	t := x.traffic.t
	hurt, heir := x.victim()
	doomed := withKey(t, login(t, x.at(first).base, email, password), x.companies[0].company)
	doomed.base = x.at(hurt.host).base
	get[list](t, doomed.client, "/api/invoices?per_page=1")
	aMoment(random)
	began, late := time.Now(), x.late.Load()
	x.cut(hurt.host)
	took := x.takesOver(heir, began, late)
	bearer := login(t, x.at(first).base, email, password)
	bearer.want(t, http.StatusNoContent, http.MethodDelete, x.companies[0].path("/apikeys/"+doomed.keyID), nil)
	id, position := x.created()
	x.heal(hurt.host)
	x.shows(hurt.host, id, position)
	eventually(t, 2*time.Minute, "the key that was revoked stops", func() (string, bool) {
		a, err := doomed.send(http.MethodGet, "/api/invoices?per_page=1", nil)
		return fmt.Sprint(a.status, err), err == nil && a.status == http.StatusUnauthorized
	})
	x.standsBy(hurt)
	return fmt.Sprintf("host %d cut off, taken over in %s", hurt.host, took)
}

// unheard pulls the cable of an owner as its document comes to ARCA, which never hears of it. Who takes over knows that
// the number was sent and not what became of it: it asks, and sends it again.
func unheard(x *hosts, _ *rand.Rand) string {
	hurt, heir := x.victim()
	late, sent := x.late.Load(), make(chan time.Time, 1)
	x.spy.moment.Store(&moment{call: "FECAESolicitar", act: func() { x.cut(hurt.host); sent <- time.Now() }})
	var began time.Time
	eventually(x.traffic.t, 2*time.Minute, "a document is sent to ARCA", func() (string, bool) {
		select {
		case began = <-sent:
			return "", true
		default:
			return "", false
		}
	})
	took := x.takesOver(heir, began, late)
	x.grow(2)
	x.heal(hurt.host)
	x.standsBy(hurt)
	return fmt.Sprintf("host %d cut off with a document on its way, taken over in %s", hurt.host, took)
}

// slow makes each packet of a host late, by more than a round trip around the world.
func slow(x *hosts, random *rand.Rand) string {
	hurt := x.workers[random.IntN(2)]
	by := time.Duration(100+random.IntN(150)) * time.Millisecond
	x.delay(hurt.host, by)
	id, position := x.created()
	x.shows(hurt.host, id, position)
	x.grow(5)
	x.heal(hurt.host)
	return fmt.Sprintf("host %d late by %s each way", hurt.host, by)
}

// storesAway cuts off the host with log and tables: nobody can do anything but say so.
func storesAway(x *hosts, random *rand.Rand) string {
	t := x.traffic.t
	aMoment(random)
	x.cut(first)
	eventually(t, 2*time.Minute, "who lacks the log says so", func() (string, bool) {
		d, err := x.details(x.apis[1])
		return fmt.Sprint(d.status, err), err == nil && d.status == http.StatusServiceUnavailable
	})
	x.heal(first)
	id, position := x.created()
	for _, s := range x.apis {
		x.shows(s.host, id, position)
	}
	return "log and tables cut off"
}

func apiKilled(x *hosts, random *rand.Rand) string {
	s := x.apis[random.IntN(len(x.apis))]
	s.process().kill()
	s.process().clean(x.traffic.t)
	id, position := x.created()
	x.sit(s)
	x.shows(s.host, id, position)
	return s.String() + " killed"
}

// at is the first company's client at one host.
func (x *hosts) at(host byte) company {
	c := x.companies[0].company
	c.base = "http://" + x.address(host, apiPort)
	return c
}

// grow waits for so many more invoices that are acknowledged.
func (x *hosts) grow(n int) {
	want := x.count() + n
	eventually(x.traffic.t, 2*time.Minute, fmt.Sprintf("%d more invoices", n), func() (string, bool) {
		return fmt.Sprint(x.count()), x.count() >= want
	})
}

// created is an invoice that was made through whoever answers, and the position of its fact.
func (x *hosts) created() (id, position string) {
	m := x.companies[0]
	key := fmt.Sprintf("%s-%d", m.name, x.posted.Add(1))
	b := m.body(int(x.posted.Load()))
	b["external_reference"] = key
	eventually(x.traffic.t, 2*time.Minute, "an invoice is taken", func() (string, bool) {
		if !x.post(m, key, b) {
			return key, false
		}
		a, ok := x.ask(m.with("Idempotency-Key", key), http.MethodPost, "/api/invoices", b)
		position = a.header.Get("Folio-Position")
		return fmt.Sprint(a.status), ok && position != ""
	})
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.acked[key], position
}

// shows wants a host to show a fact, or to say that it cannot yet; never that there is none.
func (x *hosts) shows(host byte, id, position string) {
	t := x.traffic.t
	t.Helper()
	c := x.at(host)
	eventually(t, 2*time.Minute, fmt.Sprintf("host %d shows %s", host, id), func() (string, bool) {
		a, err := c.with("Folio-Min-Position", position).once(http.MethodGet, "/api/invoices/"+id, nil)
		if err == nil && a.status != http.StatusOK && a.status != http.StatusServiceUnavailable {
			t.Fatalf("host %d says %d of what was acknowledged: %s", host, a.status, a.body)
		}
		return fmt.Sprint(a.status, err), err == nil && a.status == http.StatusOK
	})
}

// standsBy waits until a worker knows that all is another's. It may not have been told yet.
func (x *hosts) standsBy(s *seat) {
	eventually(x.traffic.t, 2*time.Minute, s.String()+" stands by", func() (string, bool) {
		d, err := x.details(s)
		mine, all := d.owned()
		return fmt.Sprintf("%+v %v", d, err), err == nil && all > 0 && mine == 0
	})
}

// silent wants no call to an authority from a host since then.
func (x *hosts) silent(s *seat, since int) {
	for n, caller := range x.spy.callersSince(since) {
		if caller == fmt.Sprintf("%s%d", x.net, s.host) {
			x.traffic.t.Errorf("%s lost its work and called an authority: %.2000s", s, x.spy.said()[since+n])
		}
	}
}

// oneKeyAtAll uses one Idempotency-Key at all hosts at once.
func (x *hosts) oneKeyAtAll() {
	t := x.traffic.t
	m := x.companies[0]
	key := fmt.Sprintf("%s-%d", m.name, x.posted.Add(1))
	b := m.body(0)
	b["external_reference"] = key
	var mu sync.Mutex
	made := map[string]int{}
	each(t, 6, 12, func(n int) error {
		a, ok := x.ask(x.at(x.apis[n%3].host).with("Idempotency-Key", key), http.MethodPost, "/api/invoices", b)
		if !ok || a.status == http.StatusConflict { // another one is at it
			return nil
		}
		i, err := parse[invoice](a)
		mu.Lock()
		defer mu.Unlock()
		made[i.ID]++
		return err
	})
	for !x.post(m, key, b) && !t.Failed() {
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if made[m.acked[key]]++; len(made) != 1 {
		t.Errorf("one key made %v at three hosts", made)
	}
}

var (
	pointIn  = regexp.MustCompile(`PtoVta>(\d+)<`)
	typeIn   = regexp.MustCompile(`CbteTipo>(\d+)<`)
	numberIn = regexp.MustCompile(`CbteDesde>(\d+)<`)
)

// askedBeforeEachRepeat wants whoever sends a number of Argentina again to have asked the authority about it. At least
// one was sent again: unheard saw to it.
func (x *hosts) askedBeforeEachRepeat() {
	t := x.traffic.t
	arrived := x.spy.arrived()
	sent := map[string]bool{}  // series and number
	asked := map[string]bool{} // caller and series: since its last sending
	repeats := 0
	for _, a := range arrived {
		r := a.request
		find := func(in *regexp.Regexp) string {
			if m := in.FindStringSubmatch(r); m != nil {
				return m[1]
			}
			return ""
		}
		series := find(pointIn) + "-" + find(typeIn)
		who := a.caller + " " + series
		switch {
		case strings.Contains(r, "FECompUltimoAutorizado"), strings.Contains(r, "FECompConsultar"):
			asked[who] = true
		case strings.Contains(r, "FECAESolicitar"):
			number := series + " " + find(numberIn)
			if sent[number] {
				repeats++
				if !asked[who] {
					t.Errorf("%s sent %s again without asking", a.caller, number)
				}
			}
			sent[number], asked[who] = true, false
		}
	}
	t.Logf("%d calls, %d numbers of Argentina, %d sent again", len(arrived), len(sent), repeats)
	if repeats == 0 {
		t.Error("no number was sent again, so that nobody had to ask")
	}
}
