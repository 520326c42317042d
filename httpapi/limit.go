package httpapi

import (
	"hash/maphash"
	"net/http"
	"strconv"
	"sync"
	"time"

	"folio/fault"
)

// Limits are the calls that one credential may make. 0 means no limit.
type Limits struct {
	PerSecond int
	PerMinute int
}

// DefaultLimits are the specification's.
var DefaultLimits = Limits{PerSecond: 50, PerMinute: 3000}

// Limiter admits calls under two sliding windows at once. It keeps the exact time
// of every admitted call, so no half-open second or minute, wherever it starts,
// ever holds more than its limit, and the wait it names is exact before it is
// rounded up to whole seconds. (Limits above 4,096 a minute keep times up to
// 1/4,096 of the window coarser, always on the side of admitting less.) A refused
// call counts nowhere.
//
// Memory: 16 bytes per call admitted in the last minute (twice that while a ring
// grows), 64 KiB at most for one credential, and nothing for one that has been idle
// for two minutes. At most 65,536 credentials and addresses are remembered; beyond that one
// that has been idle for long is forgotten.
type Limiter struct {
	windows [2]window
	clock   func() time.Time
	base    time.Time
	seed    maphash.Seed
	shards  [shardCount]shard
	policy  string
}

const (
	shardCount  = 64
	maxPerShard = 1024
	sampled     = 16
)

type shard struct {
	mu    sync.Mutex
	keys  map[string]*track
	swept int64
	_     [40]byte // a cache line of its own
}

// NewLimiter makes a limiter that reads clock, time.Now for nil. It keeps its
// counts in this process only.
func NewLimiter(l Limits, clock func() time.Time) *Limiter {
	if clock == nil {
		clock = time.Now
	}
	x := &Limiter{clock: clock, base: clock(), seed: maphash.MakeSeed()}
	x.windows = [2]window{newWindow(l.PerSecond, time.Second), newWindow(l.PerMinute, time.Minute)}
	for _, w := range x.windows {
		if w.limit == 0 {
			continue
		}
		if x.policy != "" {
			x.policy += ", "
		}
		x.policy += strconv.Itoa(w.limit) + ";w=" + strconv.Itoa(int(w.length/int64(time.Second)))
	}
	for i := range x.shards {
		x.shards[i].keys = map[string]*track{}
	}
	return x
}

// Take counts one call of key, or says how long to wait. Both windows are checked
// and charged together. It may be called from many goroutines.
func (x *Limiter) Take(key string) Decision {
	return x.decide(key, (*track).take)
}

// Look says what Take would, and counts nothing.
func (x *Limiter) Look(key string) Decision {
	return x.decide(key, (*track).look)
}

// decide runs take or look on the track of key. A nil Limiter limits nothing.
func (x *Limiter) decide(key string, f func(*track, int64, *[2]window) Decision) Decision {
	if x == nil || x.policy == "" {
		return Decision{Allowed: true}
	}
	now := int64(x.clock().Sub(x.base))
	s := &x.shards[maphash.String(x.seed, key)%shardCount]
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sweep(now)
	t := s.keys[key]
	if t == nil {
		if len(s.keys) >= maxPerShard {
			s.forgetOldest()
		}
		t = &track{}
		s.keys[key] = t
	}
	d := f(t, now, &x.windows)
	d.policy = x.policy
	return d
}

// sweep forgets, once a minute, who has been idle for a minute.
func (s *shard) sweep(now int64) {
	if now-s.swept < int64(time.Minute) {
		return
	}
	s.swept = now
	for key, t := range s.keys {
		if now-t.newest >= int64(time.Minute) {
			delete(s.keys, key)
		}
	}
}

// forgetOldest drops the longest idle of a sample: map order starts anywhere, and
// looking at all of them would make a flood of new addresses expensive.
func (s *shard) forgetOldest() {
	var oldest string
	var at int64
	looked := 0
	for key, t := range s.keys {
		if looked == 0 || t.newest < at {
			oldest, at = key, t.newest
		}
		if looked++; looked == sampled {
			break
		}
	}
	delete(s.keys, oldest)
}

// Decision is the answer to one call.
type Decision struct {
	Allowed bool
	// RetryAfter is the wait in whole seconds, rounded up, at least 1; 0 when allowed.
	RetryAfter int
	// Limit, Remaining and Reset describe the window with the fewest calls left:
	// Reset is in how many whole seconds the next call of it comes free.
	Limit, Remaining, Reset int
	policy                  string
}

// SetHeader sets the RateLimit fields as of draft-ietf-httpapi-ratelimit-headers-06
// (RateLimit-Limit, -Remaining, -Reset and -Policy; later drafts fold them into
// one structured field), and Retry-After on a refusal.
func (d Decision) SetHeader(h http.Header) {
	if d.policy == "" {
		return
	}
	// Canonical form of these names; setting the map saves looking for it.
	h["Ratelimit-Limit"] = []string{strconv.Itoa(d.Limit)}
	h["Ratelimit-Remaining"] = []string{strconv.Itoa(d.Remaining)}
	h["Ratelimit-Reset"] = []string{strconv.Itoa(d.Reset)}
	h["Ratelimit-Policy"] = []string{d.policy}
	if !d.Allowed {
		h["Retry-After"] = []string{strconv.Itoa(d.RetryAfter)}
	}
}

// Fault is the refusal as a fault of code TooMany.
func (d Decision) Fault() error {
	return &fault.Error{Code: fault.TooMany, Constant: "RATE_LIMIT_EXCEEDED", RetryAfter: d.RetryAfter,
		Text: "Too many requests: at most " + d.policy + " (calls;w=seconds). Wait " + strconv.Itoa(d.RetryAfter) +
			" s and send it again."}
}
