package commands

import (
	"context"
	"fmt"
	"hash/maphash"
	"sync"
	"sync/atomic"
	"time"

	"folio/cache"
	"folio/events"
	"folio/fault"
)

// cachedBytes bounds the states kept in memory: some 30,000 of invoices.
const cachedBytes = 16 << 20

// staleAfter is how long a cached state may be believed while the log's news do not
// reach this process (design: a revoked key stops at once, or nothing goes on).
const staleAfter = 60 * time.Second

// errSilent is the fault of a state that may no longer be believed.
var errSilent = &fault.Error{Code: fault.Unavailable, Constant: "LOG_UNAVAILABLE", RetryAfter: 5,
	Text: "The event log has been out of reach for a minute; nothing can be checked until it is back. Try again."}

// Executor runs deciders against a log and keeps the last state of each stream.
type Executor struct {
	log    Log
	guard  Guard
	now    func() time.Time
	told   func(Told)        // nil: nobody is told
	states *cache.Cache[any] // stream -> version[S]

	mu      sync.Mutex
	changes atomic.Uint64 // events heard by Heard
	silent  atomic.Int64  // unix nanoseconds since when news are missing; 0: they come

	seed  maphash.Seed
	gates [64]chan struct{} // by hash of the stream
}

// NewExecutor makes an executor. Until Connected(true) is called, Cached reads the
// log each time.
func NewExecutor(log Log, now func() time.Time) *Executor {
	x := &Executor{log: log, guard: unguarded{}, now: now, states: cache.New(cachedBytes, cache.SizeOf),
		seed: maphash.MakeSeed()}
	for i := range x.gates {
		x.gates[i] = make(chan struct{}, 1)
	}
	x.silent.Store(-1)
	return x
}

// Told is an append that this executor made; see Telling.
type Told struct {
	Stream  string
	State   any // that came of it
	Facts   []events.Event
	Request Request
}

// Telling makes x tell f of each append that it made itself: once an append, not for what others appended and not for
// a repeat. It is called before x is used; f must be quick.
func (x *Executor) Telling(f func(Told)) *Executor {
	x.told = f
	return x
}

// Now is the executor's clock.
func (x *Executor) Now() time.Time { return x.now() }

// Heard tells of events that somebody recorded: cached states before them are
// forgotten. A subscription of the followed categories calls it.
func (x *Executor) Heard(rs ...events.Recorded) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.changes.Add(uint64(len(rs)))
	for _, r := range rs {
		if v, ok := x.states.Peek(r.Stream); ok && v.(interface{ upTo() int64 }).upTo() < int64(r.Revision) {
			x.states.Remove(r.Stream)
		}
	}
}

// Forget has the stream read anew: somebody cut or deleted what its state came from.
func (x *Executor) Forget(stream string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.changes.Add(1)
	x.states.Remove(stream)
}

// Connected says whether the subscription behind Heard is alive and caught up.
func (x *Executor) Connected(yes bool) {
	if yes {
		x.silent.Store(0)
	} else {
		x.silent.CompareAndSwap(0, x.now().UnixNano())
	}
}

// Silence is for how long the log's news have stayed out, 0 while they come in; false before
// the first of them.
func (x *Executor) Silence() (d time.Duration, heard bool) {
	silent := x.silent.Load()
	if silent <= 0 {
		return 0, silent == 0
	}
	return x.now().Sub(time.Unix(0, silent)), true
}

func (v version[S]) upTo() int64 { return v.revision }

// At is where in its stream a state is.
type At struct {
	revision int64
	position events.Position
}

// Briefly is a Decider's Brief: of a state S it keeps what brief makes of it, which the decider with the state B would
// have folded from the same events.
func Briefly[S, B any](brief func(S) B) func(S, At) any {
	return func(s S, at At) any { return version[B]{state: brief(s), revision: at.revision, position: at.position} }
}

func (x *Executor) generation() uint64 { return x.changes.Load() }

func (a Aggregates[S, C]) cached(stream string) (version[S], bool) {
	if a.d.Uncached {
		return version[S]{}, false
	}
	v, ok := a.x.states.Get(stream)
	if !ok {
		return version[S]{}, false
	}
	return v.(version[S]), true
}

// remember keeps v unless a later state is there. When news were heard since
// generation, v may be from before them and nobody would come to forget it, so nothing
// is kept: neither v nor what was known before it.
func (a Aggregates[S, C]) remember(stream string, v version[S], generation uint64) {
	var kept any = v
	switch {
	case a.d.Uncached && a.d.Brief == nil:
		return
	case a.d.Uncached:
		kept = a.d.Brief(v.state, At{v.revision, v.position})
	}
	x := a.x
	x.mu.Lock()
	defer x.mu.Unlock()
	if old, ok := x.states.Peek(stream); ok && old.(interface{ upTo() int64 }).upTo() >= v.revision {
		return
	}
	if x.changes.Load() == generation {
		x.states.Add(stream, kept)
	} else {
		x.states.Remove(stream)
	}
}

// queue lets the requests of this process that met a conflict on a stream go one at a
// time: all at once, each round has one winner and the last of many never ends.
func (x *Executor) queue(ctx context.Context, stream string) (leave func(), err error) {
	gate := x.gates[maphash.String(x.seed, stream)%uint64(len(x.gates))]
	select {
	case gate <- struct{}{}:
		return func() { <-gate }, nil
	case <-ctx.Done():
		return nil, fmt.Errorf("wait for others that change %s: %w", stream, ctx.Err())
	}
}
