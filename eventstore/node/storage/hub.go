package storage

import (
	"sort"
	"sync"
	"time"
)

// Hub hands committed events to live subscriptions. It keeps the newest events in memory; a listener
// whose next event has left it reads from the database instead, so a slow one costs no memory.
type Hub struct {
	mu       sync.Mutex
	Limit    int // bytes held at most
	bytes    int
	recent   []Record
	all      map[*Listener]struct{}
	byStream map[string]map[*Listener]struct{}
}

// Listener is one live subscription; stream is empty for $all.
type Listener struct {
	stream string
	Wake   chan struct{}
	from   uint64    // position of the oldest event not yet taken, 0 for none; guarded by hub.mu
	since  time.Time // when it became that
}

func newHub(limit int) *Hub {
	return &Hub{Limit: limit, all: map[*Listener]struct{}{}, byStream: map[string]map[*Listener]struct{}{}}
}

// Listen registers a subscription. Whoever listens first and reads the database then can miss nothing:
// what is committed from here on is taken from the hub, what was before is in the database.
func (h *Hub) Listen(stream string) *Listener {
	l := &Listener{stream: stream, Wake: make(chan struct{}, 1)}
	h.mu.Lock()
	defer h.mu.Unlock()
	if stream == "" {
		h.all[l] = struct{}{}
		return l
	}
	if h.byStream[stream] == nil {
		h.byStream[stream] = map[*Listener]struct{}{}
	}
	h.byStream[stream][l] = struct{}{}
	return l
}

func (h *Hub) Remove(l *Listener) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.all, l)
	if set := h.byStream[l.stream]; set != nil {
		delete(set, l)
		if len(set) == 0 {
			delete(h.byStream, l.stream)
		}
	}
}

// publish makes committed events visible to listeners. It never waits for one.
func (h *Hub) publish(records []Record) {
	if len(records) == 0 {
		return
	}
	now := time.Now()
	h.mu.Lock()
	defer h.mu.Unlock()
	for i := range records {
		h.bytes += MemoryOf(&records[i])
		if len(h.byStream) > 0 { // a subscription to one stream is not woken by the others
			for l := range h.byStream[string(records[i].Stream)] {
				l.notify(records[i].Pos, now)
			}
		}
	}
	for l := range h.all {
		l.notify(records[0].Pos, now)
	}
	h.recent = append(h.recent, records...)
	drop := 0
	for h.bytes > h.Limit && drop < len(h.recent)-1 {
		h.bytes -= MemoryOf(&h.recent[drop])
		h.recent[drop] = Record{}
		drop++
	}
	h.recent = h.recent[drop:]
}

// MemoryOf is about what an event takes beside the database.
func MemoryOf(r *Record) int { return 160 + len(r.Stream) + len(r.Kind) + len(r.Meta) + len(r.Data) }

// notify never blocks: a wake-up that is already pending serves for this event too.
func (l *Listener) notify(pos uint64, at time.Time) {
	if l.from == 0 {
		l.from, l.since = pos, at
	}
	select {
	case l.Wake <- struct{}{}:
	default:
	}
}

// Skip is take for those who read the database anyway.
func (h *Hub) Skip(l *Listener) {
	h.mu.Lock()
	l.from = 0
	h.mu.Unlock()
}

// Lag is how long the slowest listener has not taken what waits for it.
func (h *Hub) Lag(now time.Time) (most time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	look := func(l *Listener) {
		if l.from != 0 {
			most = max(most, now.Sub(l.since))
		}
	}
	for l := range h.all {
		look(l)
	}
	for _, set := range h.byStream {
		for l := range set {
			look(l)
		}
	}
	return most
}

// Take answers up to limit events in order, and whether the listener fell behind what is in memory: it
// must then read the database from the last event it has seen.
func (h *Hub) Take(l *Listener, limit int) (events []Record, behind bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if l.from == 0 {
		return nil, false
	}
	from := l.from
	l.from = 0
	if from < h.recent[0].Pos {
		return nil, true
	}
	start := sort.Search(len(h.recent), func(i int) bool { return h.recent[i].Pos >= from })
	if l.stream == "" {
		events = make([]Record, 0, min(limit, len(h.recent)-start))
	}
	for i := start; i < len(h.recent); i++ {
		if l.stream != "" && string(h.recent[i].Stream) != l.stream {
			continue
		}
		if len(events) == limit { // the rest is for the next call, which must find its wake-up
			l.notify(h.recent[i].Pos, l.since)
			break
		}
		events = append(events, h.recent[i])
	}
	return events, false
}
