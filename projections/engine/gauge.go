package engine

import (
	"sync"

	"folio/events"
)

// gauge is how far a projection came in this process, and who waits for it.
type gauge struct {
	mu      sync.Mutex
	at      events.Position
	owned   bool // this process folds the projection, so at is the truth
	waiters map[*waiter]struct{}
	asked   chan struct{} // closed when somebody begins to wait; nil: nobody wants to know
}

// waiter waits for a position. Woken is closed when the position is reached, or when the
// waiter must look again because it learns of progress in another way from now on.
type waiter struct {
	position events.Position
	woken    chan struct{}
	reached  events.Position // what was reached of it; set before woken is closed
	err      error           // likewise: why it never will be
}

// advance tells the waiters that everything up to at is in the tables.
func (g *gauge) advance(at events.Position) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.at.Before(at) {
		g.at = at
	}
	g.wake(g.at)
}

// stored tells the waiters of the stored checkpoint, which another process moves: it may
// move back, so it counts for those who wait now only.
func (g *gauge) stored(at events.Position) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.owned {
		g.wake(at)
	}
}

// fail tells those who wait for the stored checkpoint that it cannot be waited for.
func (g *gauge) fail(err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.owned {
		return
	}
	for w := range g.waiters {
		w.err = err
		close(w.woken)
	}
	clear(g.waiters)
}

func (g *gauge) wake(at events.Position) {
	for w := range g.waiters {
		if !at.Before(w.position) {
			w.reached = at
			close(w.woken)
			delete(g.waiters, w)
		}
	}
}

// own says whether this process folds; waiters look again.
func (g *gauge) own(owned bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.owned, g.at = owned, events.Position{}
	for w := range g.waiters {
		close(w.woken)
	}
	clear(g.waiters)
}

// watch waits for p, in this process if owned. Forget it with leave, unless it is reached at once.
func (g *gauge) watch(p events.Position) (w *waiter, owned bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	w = &waiter{position: p, woken: make(chan struct{})}
	if g.owned && !g.at.Before(p) {
		w.reached = g.at
		close(w.woken)
		return w, true
	}
	if g.waiters == nil {
		g.waiters = map[*waiter]struct{}{}
	}
	g.waiters[w] = struct{}{}
	if g.asked != nil {
		close(g.asked)
		g.asked = nil
	}
	return w, g.owned
}

// calm says whether nobody waits, and gives what is closed when somebody begins to. It is for the one feed of the
// documents that are read.
func (g *gauge) calm() (asked <-chan struct{}, yes bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.waiters) > 0 {
		return nil, false
	}
	g.asked = make(chan struct{})
	return g.asked, true
}

func (g *gauge) leave(w *waiter) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.waiters, w)
}

// idle runs stop, before anybody else can begin to wait, when nobody waits for the stored
// checkpoint.
func (g *gauge) idle(stop func()) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.waiters) > 0 && !g.owned {
		return false
	}
	stop()
	return true
}

func (g *gauge) position() events.Position {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.at
}
