// Package lanes is the keyed worker: work on one key goes in order, different keys go in parallel. Wake makes a key
// look at its work; its turn then does one step and answers whether it is done, goes on at once, waits until a time or
// for the next Wake, or failed and tries again after a pause that grows.
//
//	Wake(key) ──▶ lane ──▶ gate, fair by group ──▶ Turn ──┬─ Again  ──▶ gate
//	                ▲                                     ├─ Until, Failed ──▶ alarms ──▶ gate
//	                └── a Wake meanwhile is never lost ◀──┴─ Done ──▶ the lane is gone
//
// A key has a lane only while it has something to do or to wait for; one that waits holds no goroutine. Before Open
// nothing starts: whoever opens the set wakes what it finds to be done.
package lanes

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"runtime/debug"
	"sync"
	"time"

	"folio/admission"
	"folio/clock"
)

// Lane works on one key, and lives as long as the key has work.
type Lane interface {
	// Turn does one step. Woken says that Wake was called since the last turn began. Turns of a lane never overlap.
	Turn(ctx context.Context, woken bool) Next
}

// Func is a lane without a memory.
type Func func(ctx context.Context) Next

// Turn implements Lane.
func (f Func) Turn(ctx context.Context, _ bool) Next { return f(ctx) }

// Opener is a Set, whatever its lanes are.
type Opener interface {
	Open(ctx context.Context)
	Close()
	WakeAll()
}

// Config is what a set is made of.
type Config[L Lane] struct {
	New func(key string) L
	// Group says whose turns a key's are: groups take turns at the gate. nil: each key is a group.
	Group func(key string) string
	// AtOnce bounds the turns at a time, and Each those of a group; 0: AtOnce.
	AtOnce, Each int64
	Clock        clock.Clock
	Pauses       Pauses
	// Failed is told of each failure and when the next try is.
	Failed func(key string, err error, next time.Time)
}

// Set is the lanes of one kind of work.
type Set[L Lane] struct {
	c Config[L]

	mu      sync.Mutex
	ctx     context.Context // nil: not open
	gate    *admission.Gate
	lanes   map[string]*lane[L]
	alarms  alarms[L]
	armed   chan struct{} // kicked when an alarm was set
	running sync.WaitGroup
}

// lane is one key at work or asleep. Set.mu guards it.
type lane[L Lane] struct {
	key         string
	work        L
	awake       bool // it has a turn, or waits for one at the gate
	woken, more bool // since the last turn began
	next        Next
	at          time.Time // of its alarm
	index       int       // among the alarms, 0 for none
	failures    int
}

// New makes a set that is not open.
func New[L Lane](c Config[L]) *Set[L] {
	c.Each = cmp.Or(c.Each, c.AtOnce)
	if c.Group == nil {
		c.Group = func(key string) string { return key }
	}
	return &Set[L]{c: c}
}

// Open lets lanes start, until ctx ends or Close is called.
func (s *Set[L]) Open(ctx context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ctx, s.lanes, s.armed = ctx, map[string]*lane[L]{}, make(chan struct{}, 1)
	s.alarms = alarms[L]{nil}
	s.gate = admission.New("turns", admission.Limits{All: s.c.AtOnce, Each: s.c.Each, Line: math.MaxInt,
		Lines: math.MaxInt})
	s.running.Go(func() { s.ring(ctx, s.armed) })
}

// Close waits for the turns under way, after the context of Open has ended, and forgets all lanes.
func (s *Set[L]) Close() {
	s.running.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ctx, s.lanes, s.alarms = nil, nil, nil
}

// Len is how many keys have something to do or to wait for.
func (s *Set[L]) Len() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.lanes)
}

// Keys are some of those that have something to do or to wait for.
func (s *Set[L]) Keys(limit int) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]string, 0, min(limit, len(s.lanes)))
	for key := range s.lanes {
		if len(out) == limit {
			break
		}
		out = append(out, key)
	}
	return out
}

// Lane is the one that a key has now.
func (s *Set[L]) Lane(key string) (work L, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	l, ok := s.lanes[key]
	if ok {
		work = l.work
	}
	return work, ok
}

// Wake makes a key look at its work now, even in a pause: something happened that it may wait for.
func (s *Set[L]) Wake(key string) { s.WakeWith(key, nil) }

// WakeWith is Wake that tells a lane which exists already something about the reason, before its next turn.
func (s *Set[L]) WakeWith(key string, tell func(L)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	l, existed := s.lane(key)
	if !existed {
		return
	}
	if tell != nil {
		tell(l.work)
	}
	l.woken = true
	s.start(l)
}

// More tells a key that there is more to do. It ends only pauses that say so: see Next.OrMore.
func (s *Set[L]) More(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	l, existed := s.lane(key)
	if !existed {
		return
	}
	if l.more = true; l.next.nudge {
		s.start(l)
	}
}

// WakeAll wakes every key that has a lane.
func (s *Set[L]) WakeAll() { s.WakeWhere(func(string, L) bool { return true }) }

// WakeWhere wakes the keys with a lane of which a condition holds.
func (s *Set[L]) WakeWhere(holds func(key string, work L) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for key, l := range s.lanes {
		if holds(key, l.work) {
			l.woken = true
			s.start(l)
		}
	}
}

// lane is that of a key. A new one has its first turn at once and needs no signal, so that it is told from one that
// existed; before the set is open there is none. The caller holds mu.
func (s *Set[L]) lane(key string) (l *lane[L], existed bool) {
	if s.ctx == nil || s.ctx.Err() != nil {
		return nil, false
	}
	if l, ok := s.lanes[key]; ok {
		return l, true
	}
	l = &lane[L]{key: key, work: s.c.New(key)}
	s.lanes[key] = l
	s.start(l)
	return l, false
}

// start ends the sleep of a lane. The caller holds mu.
func (s *Set[L]) start(l *lane[L]) {
	if l.awake || s.ctx.Err() != nil {
		return
	}
	s.alarms.clear(l)
	l.awake = true
	ctx, gate := s.ctx, s.gate
	s.running.Go(func() { s.turns(ctx, gate, l) })
}

// turns gives a lane its turns until it sleeps or is gone.
func (s *Set[L]) turns(ctx context.Context, gate *admission.Gate, l *lane[L]) {
	for {
		leave, err := gate.Enter(ctx, s.c.Group(l.key), 1)
		if err != nil {
			return // ctx ended
		}
		next := s.turn(ctx, l)
		leave()
		if ctx.Err() != nil || !s.settle(l, next) {
			return
		}
	}
}

// turn is one turn; a panic is its failure.
func (s *Set[L]) turn(ctx context.Context, l *lane[L]) (next Next) {
	defer func() {
		if p := recover(); p != nil {
			next = Failed(fmt.Errorf("panic in a turn of %s: %v\n%s", l.key, p, debug.Stack()))
		}
	}()
	s.mu.Lock()
	woken := l.woken
	l.woken, l.more = false, false
	s.mu.Unlock()
	return l.work.Turn(ctx, woken)
}

// settle does as a turn says; true wants the next one at once.
func (s *Set[L]) settle(l *lane[L], next Next) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	l.next = next
	if next.kind == failed {
		l.failures++
		l.at = s.c.Clock.Now().Add(s.c.Pauses.After(l.failures))
		if l.at.Before(next.at) {
			l.at = next.at
		}
		s.c.Failed(l.key, next.err, l.at)
	} else {
		l.failures, l.at = 0, next.at
	}
	switch {
	case next.kind == again, l.woken, l.more && (next.nudge || next.kind == done):
		return true
	case next.kind == done:
		delete(s.lanes, l.key)
		return false
	}
	if l.awake = false; !l.at.IsZero() {
		s.alarms.set(l)
		select {
		case s.armed <- struct{}{}:
		default:
		}
	}
	return false
}
