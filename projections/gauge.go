package projections

import (
	"sync"

	"folio/events"
)

// gauge is how far a projection came in this process, and who waits for it.
type gauge struct {
	mu      sync.Mutex
	at      events.Position
	owned   bool // this process folds the projection, so at is the truth
	waiters map[chan struct{}]events.Position
}

// advance tells the waiters that everything up to at is in the tables.
func (g *gauge) advance(at events.Position) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.at.Before(at) {
		g.at = at
	}
	for ch, p := range g.waiters {
		if !g.at.Before(p) {
			close(ch)
			delete(g.waiters, ch)
		}
	}
}

// own says whether this process folds; waiters look again, because from now on they
// learn of progress in another way.
func (g *gauge) own(owned bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.owned, g.at = owned, events.Position{}
	for ch := range g.waiters {
		close(ch)
	}
	clear(g.waiters)
}

// watch returns nil when p is reached, otherwise a channel that is closed when it is
// or when ownership changes; forget it with leave.
func (g *gauge) watch(p events.Position) (changed chan struct{}, owned bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.owned && !g.at.Before(p) {
		return nil, true
	}
	ch := make(chan struct{})
	if g.waiters == nil {
		g.waiters = map[chan struct{}]events.Position{}
	}
	g.waiters[ch] = p
	return ch, g.owned
}

func (g *gauge) leave(ch chan struct{}) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.waiters, ch)
}
