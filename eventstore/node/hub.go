package node

import (
	"sort"
	"sync"
	"time"
)

// hub hands committed events to live subscriptions. It keeps the newest events in memory; a listener
// whose next event has left it reads from the database instead, so a slow one costs no memory.
type hub struct {
	mu       sync.Mutex
	limit    int // bytes held at most
	bytes    int
	recent   []record
	all      map[*listener]struct{}
	byStream map[string]map[*listener]struct{}
}

// listener is one live subscription; stream is empty for $all.
type listener struct {
	stream string
	wake   chan struct{}
	from   uint64    // position of the oldest event not yet taken, 0 for none; guarded by hub.mu
	since  time.Time // when it became that
}

func newHub(limit int) *hub {
	return &hub{limit: limit, all: map[*listener]struct{}{}, byStream: map[string]map[*listener]struct{}{}}
}

// listen registers a subscription. Whoever listens first and reads the database then can miss nothing:
// what is committed from here on is taken from the hub, what was before is in the database.
func (h *hub) listen(stream string) *listener {
	l := &listener{stream: stream, wake: make(chan struct{}, 1)}
	h.mu.Lock()
	defer h.mu.Unlock()
	if stream == "" {
		h.all[l] = struct{}{}
		return l
	}
	if h.byStream[stream] == nil {
		h.byStream[stream] = map[*listener]struct{}{}
	}
	h.byStream[stream][l] = struct{}{}
	return l
}

func (h *hub) remove(l *listener) {
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
func (h *hub) publish(records []record) {
	if len(records) == 0 {
		return
	}
	now := time.Now()
	h.mu.Lock()
	defer h.mu.Unlock()
	for i := range records {
		h.bytes += memory(&records[i])
		if len(h.byStream) > 0 { // a subscription to one stream is not woken by the others
			for l := range h.byStream[string(records[i].stream)] {
				l.notify(records[i].pos, now)
			}
		}
	}
	for l := range h.all {
		l.notify(records[0].pos, now)
	}
	h.recent = append(h.recent, records...)
	drop := 0
	for h.bytes > h.limit && drop < len(h.recent)-1 {
		h.bytes -= memory(&h.recent[drop])
		h.recent[drop] = record{}
		drop++
	}
	h.recent = h.recent[drop:]
}

// memory is about what an event takes beside the database.
func memory(r *record) int { return 160 + len(r.stream) + len(r.kind) + len(r.meta) + len(r.data) }

// notify never blocks: a wake-up that is already pending serves for this event too.
func (l *listener) notify(pos uint64, at time.Time) {
	if l.from == 0 {
		l.from, l.since = pos, at
	}
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// skip is take for those who read the database anyway.
func (h *hub) skip(l *listener) {
	h.mu.Lock()
	l.from = 0
	h.mu.Unlock()
}

// lag is how long the slowest listener has not taken what waits for it.
func (h *hub) lag(now time.Time) (most time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	look := func(l *listener) {
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

// take answers up to limit events in order, and whether the listener fell behind what is in memory: it
// must then read the database from the last event it has seen.
func (h *hub) take(l *listener, limit int) (events []record, behind bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if l.from == 0 {
		return nil, false
	}
	from := l.from
	l.from = 0
	if from < h.recent[0].pos {
		return nil, true
	}
	start := sort.Search(len(h.recent), func(i int) bool { return h.recent[i].pos >= from })
	for i := start; i < len(h.recent); i++ {
		if l.stream != "" && string(h.recent[i].stream) != l.stream {
			continue
		}
		if len(events) == limit { // the rest is for the next call, which must find its wake-up
			l.notify(h.recent[i].pos, l.since)
			break
		}
		events = append(events, h.recent[i])
	}
	return events, false
}
