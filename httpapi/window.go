package httpapi

import "time"

// exactLimit is the largest limit whose calls are kept one by one.
const exactLimit = 4096

// window is one limit: at most limit calls in any half-open interval of length.
type window struct {
	limit  int
	length int64 // nanoseconds
	// grain joins calls that are closer together than it; 0 joins only equal times.
	grain int64
}

func newWindow(limit int, length time.Duration) window {
	w := window{limit: max(limit, 0), length: int64(length)}
	if limit > exactLimit {
		w.grain = int64(length) / exactLimit
	}
	return w
}

// calls are n calls, the last at last and the first span earlier. A group leaves a
// window as a whole when its last call does: late, never early.
type calls struct {
	last int64
	span uint32
	n    int32
}

// track is the calls of one credential in one ring per window.
type track struct {
	rings  [2]ring
	newest int64
}

// take expires what is old, then charges both windows or neither.
func (t *track) take(now int64, windows *[2]window) Decision {
	now = max(now, t.newest) // a clock that went back admits nothing early
	wait := t.wait(now, windows)
	if wait == 0 {
		t.newest = now
		for i := range windows {
			if windows[i].limit > 0 {
				t.rings[i].add(now, windows[i].grain)
			}
		}
	}
	return t.decision(now, wait, windows)
}

// look is take that charges nothing.
func (t *track) look(now int64, windows *[2]window) Decision {
	now = max(now, t.newest)
	return t.decision(now, t.wait(now, windows), windows)
}

// wait expires what is old and says how long it takes until both windows have room.
func (t *track) wait(now int64, windows *[2]window) int64 {
	var wait int64
	for i := range windows {
		w := &windows[i]
		if w.limit == 0 {
			continue
		}
		t.rings[i].expire(now - w.length)
		if t.rings[i].total >= w.limit {
			wait = max(wait, t.rings[i].oldest()+w.length-now)
		}
	}
	return wait
}

func (t *track) decision(now, wait int64, windows *[2]window) Decision {
	d := Decision{Allowed: wait == 0, RetryAfter: seconds(wait)}
	found := false
	for i := range windows {
		w := &windows[i]
		if w.limit == 0 {
			continue
		}
		if left := w.limit - t.rings[i].total; !found || left < d.Remaining {
			d.Limit, d.Remaining, found = w.limit, left, true
			d.Reset = seconds(w.length)
			if t.rings[i].count > 0 {
				d.Reset = seconds(t.rings[i].oldest() + w.length - now)
			}
		}
	}
	return d
}

// seconds rounds nanoseconds up: a client that waits less is refused again.
func seconds(ns int64) int {
	return int((ns + int64(time.Second) - 1) / int64(time.Second))
}

// ring holds the groups of calls inside one window, oldest first.
type ring struct {
	groups []calls
	head   int
	count  int
	total  int
}

func (r *ring) oldest() int64 { return r.groups[r.head].last }

// expire drops the groups whose last call was at until or before.
func (r *ring) expire(until int64) {
	for r.count > 0 && r.groups[r.head].last <= until {
		r.total -= int(r.groups[r.head].n)
		r.head++
		if r.head == len(r.groups) {
			r.head = 0
		}
		r.count--
	}
	if r.count == 0 && len(r.groups) > 64 {
		*r = ring{} // a burst does not keep its memory
	}
}

func (r *ring) add(now, grain int64) {
	r.total++
	if r.count > 0 {
		g := &r.groups[(r.head+r.count-1)%len(r.groups)]
		if now == g.last || now-g.last+int64(g.span) < grain {
			g.span += uint32(now - g.last)
			g.last = now
			g.n++
			return
		}
	}
	if r.count == len(r.groups) {
		r.grow()
	}
	r.groups[(r.head+r.count)%len(r.groups)] = calls{last: now, n: 1}
	r.count++
}

func (r *ring) grow() {
	grown := make([]calls, max(4, 2*len(r.groups)))
	n := copy(grown, r.groups[r.head:])
	copy(grown[n:], r.groups[:r.head])
	r.groups, r.head = grown, 0
}
