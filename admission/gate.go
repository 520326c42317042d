// Package admission decides who may use a shared resource now, who waits and who is
// turned away, so that no company or caller stands in everybody's way.
package admission

import (
	"context"
	"slices"
	"sync"
	"time"

	"folio/fault"
)

// Limits bound a gate. All and Each are in the unit that the gate counts costs in:
// bytes of memory, or places.
type Limits struct {
	// All and Each are the costs inside at once: of everybody, and of one party.
	All, Each int64
	// Least is counted for whatever costs less, so that no more than All/Least are inside.
	Least int64
	// Line and Lines are how many may wait: of one party, and of everybody.
	Line, Lines int
	// Free is how long a request may take at no further cost. While other parties come too,
	// one that took longer leaves its place to the others for as long again; 0 means never.
	Free time.Duration
	// Always is Free while nobody else comes, too: what is left is needed elsewhere.
	Always bool
	// Patience is the longest wait; 0 means as long as the caller waits.
	Patience time.Duration
}

// Gate admits parties to one resource. A party is a company, or an address where nobody
// is known yet. Parties take turns, each with its oldest request; a party that has its
// share inside is passed over until it has room again. So a flood of one party delays
// another by one request of the flood at most.
type Gate struct {
	name   string
	limits Limits

	mu      sync.Mutex
	used    int64
	waiting int
	refused uint64
	parties map[string]*party // those inside and those that wait
	turns   []*party          // those that wait; the next one comes first
	last    string            // whoever was let in last
	lastAt  time.Time         // when
	otherAt time.Time         // when one that is not last was let in last
}

type party struct {
	name string
	used int64
	line []*ticket
}

type ticket struct {
	cost     int64
	since    time.Time // it is inside
	admitted chan struct{}
}

// presence is how long a party counts as being there after it was let in.
const presence = 2 * time.Second

// New makes a gate. Name says in refusals what is shared, such as "log-ins". Each is
// brought within All.
func New(name string, l Limits) *Gate {
	l.Each, l.Least = min(l.Each, l.All), max(l.Least, 1)
	return &Gate{name: name, limits: l, parties: map[string]*party{}}
}

// Name is what the gate was made with.
func (g *Gate) Name() string { return g.name }

// Usage is what a gate holds at one moment.
type Usage struct {
	Used    int64  // cost inside
	Waiting int    // requests in line
	Refused uint64 // requests turned away since the start
}

// Usage is for metrics.
func (g *Gate) Usage() Usage {
	g.mu.Lock()
	defer g.mu.Unlock()
	return Usage{g.used, g.waiting, g.refused}
}

// Enter waits until party may use cost of the resource; the caller gives it back with
// leave, once or more often. A cost beyond the party's share is the whole share. A nil
// gate admits everybody, for a handler on its own.
//
// It refuses with a fault: TooMany (429) when too many requests of the party wait
// already, or the wait was too long for those of its own that are inside; Unavailable (503)
// when it is everybody's; both with the seconds to wait. When ctx ends first, its error comes back and nothing is held.
func (g *Gate) Enter(ctx context.Context, party string, cost int64) (leave func(), err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if g == nil {
		return func() {}, nil
	}
	t := &ticket{cost: min(max(cost, g.limits.Least), g.limits.Each), admitted: make(chan struct{})}
	if err := g.join(party, t); err != nil {
		return nil, err
	}
	select {
	case <-t.admitted: // without a timer, as it mostly is
	default:
		var over <-chan time.Time
		if g.limits.Patience > 0 {
			patience := time.NewTimer(g.limits.Patience)
			defer patience.Stop()
			over = patience.C
		}
		select {
		case <-t.admitted:
		case <-ctx.Done():
			if g.giveUp(party, t) {
				g.leave(party, t)
			}
			return nil, ctx.Err()
		case <-over:
			if code, admitted := g.tooLong(party, t); !admitted {
				return nil, g.refuse(code)
			}
		}
	}
	return sync.OnceFunc(func() { g.leave(party, t) }), nil
}

// Pass runs f inside the gate.
func (g *Gate) Pass(ctx context.Context, party string, cost int64, f func() error) error {
	leave, err := g.Enter(ctx, party, cost)
	if err != nil {
		return err
	}
	defer leave()
	return f()
}

// join puts a ticket in line and admits whom there is room for.
func (g *Gate) join(name string, t *ticket) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	p := g.parties[name]
	if p == nil {
		p = &party{name: name}
		g.parties[name] = p
	}
	if len(p.line) == 0 {
		g.turns = append(g.turns, p)
	}
	p.line = append(p.line, t)
	g.waiting++
	g.admit()
	if len(p.line) == 0 || p.line[len(p.line)-1] != t {
		return nil
	}
	code := fault.TooMany
	if len(p.line) <= g.limits.Line {
		if g.waiting <= g.limits.Lines {
			return nil
		}
		code = fault.Unavailable
	}
	g.remove(p, t)
	return g.refusal(code)
}

// admit lets in whom there is room for, in turns. Where the next one in turn does not
// fit, later and cheaper ones wait too: they would keep it out for ever.
func (g *Gate) admit() {
	for i := 0; i < len(g.turns); {
		p := g.turns[i]
		t := p.line[0]
		if g.full(p, t) {
			i++
			continue
		}
		if g.used+t.cost > g.limits.All {
			return
		}
		p.used, g.used, g.waiting = p.used+t.cost, g.used+t.cost, g.waiting-1
		p.line = p.line[1:]
		g.turns = slices.Delete(g.turns, i, i+1)
		if len(p.line) > 0 {
			g.turns = append(g.turns, p)
		}
		t.since = time.Now()
		if p.name != g.last {
			g.last, g.otherAt = p.name, g.lastAt
		}
		g.lastAt = t.since
		close(t.admitted)
		i = 0 // whoever was passed over stays first in turn
	}
}

// full says that a party's own share has no room for its ticket.
func (g *Gate) full(p *party, t *ticket) bool { return p.used > 0 && p.used+t.cost > g.limits.Each }

// Wanted says that somebody waits for what others use: not for a share of its own alone.
func (g *Gate) Wanted() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.ContainsFunc(g.turns, func(p *party) bool { return !g.full(p, p.line[0]) })
}

// leave gives back what a ticket used, at once or after its rest.
func (g *Gate) leave(name string, t *ticket) {
	if rest := g.rest(name, t); rest > 0 {
		time.AfterFunc(rest, func() { g.giveBack(name, t.cost) })
		return
	}
	g.giveBack(name, t.cost)
}

// rest is how long a party's share stays used behind a request that took long, so that it
// does not keep a core or the memory busy all the time while others need them.
func (g *Gate) rest(name string, t *ticket) time.Duration {
	if g.limits.Free == 0 {
		return 0
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	took, other := time.Since(t.since), g.lastAt
	if g.last == name {
		other = g.otherAt
	}
	if took <= g.limits.Free || !g.limits.Always && time.Since(other) > presence {
		return 0
	}
	return took
}

func (g *Gate) giveBack(name string, cost int64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	p := g.parties[name]
	p.used, g.used = p.used-cost, g.used-cost
	g.forget(p)
	g.admit()
}

// giveUp takes a ticket out of the line; true says that it was admitted meanwhile.
func (g *Gate) giveUp(name string, t *ticket) (admitted bool) {
	_, admitted = g.tooLong(name, t)
	return admitted
}

// tooLong is giveUp with whose requests it waited for.
func (g *Gate) tooLong(name string, t *ticket) (code fault.Code, admitted bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	p := g.parties[name]
	if code = fault.Unavailable; g.full(p, t) {
		code = fault.TooMany
	}
	select {
	case <-t.admitted:
		return code, true
	default:
		g.remove(p, t)
		g.admit() // it may have kept others out
		return code, false
	}
}

func (g *Gate) remove(p *party, t *ticket) {
	i := slices.Index(p.line, t)
	p.line = slices.Delete(p.line, i, i+1)
	g.waiting--
	if len(p.line) == 0 {
		g.turns = slices.DeleteFunc(g.turns, func(q *party) bool { return q == p })
	}
	g.forget(p)
}

func (g *Gate) forget(p *party) {
	if p.used == 0 && len(p.line) == 0 {
		delete(g.parties, p.name)
	}
}

func (g *Gate) refuse(code fault.Code) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.refusal(code)
}

func (g *Gate) refusal(code fault.Code) error {
	g.refused++
	if code == fault.TooMany {
		return &fault.Error{Code: code, Constant: "TOO_MANY_AT_ONCE", RetryAfter: 1,
			Text: "Too many of your requests are waiting for " + g.name +
				". Wait as long as Retry-After says and send fewer at a time."}
	}
	return &fault.Error{Code: code, Constant: "BUSY", RetryAfter: 2,
		Text: "Too many requests are waiting for " + g.name + ". Send it again after Retry-After."}
}
