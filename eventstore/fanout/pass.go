package fanout

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sort"
	"time"

	"folio/clock"
	"folio/events"
	"folio/eventstore"
)

const (
	// pastEvery is how many events of no interest the log may pass over, in the past,
	// without saying where it is: a server reads that many at once.
	pastEvery = 1024
	// begin is how long a pass waits before it reads, for others that start just now.
	begin = 10 * time.Millisecond
	// longestGather is how many times Options.Gather the beginning is kept at most.
	longestGather = 6
	// stalled is for how many times Options.Patience one is waited for that takes nothing.
	stalled = 5
)

// pass is one reading of the log. All fields are under Reader.mu.
type pass struct {
	r      *Reader
	cancel context.CancelFunc
	from   events.Position
	whole  bool // from the beginning
	begun  bool // reading began: from and wants are fixed
	wants  int  // Reader.wants, as it is read

	entries []events.Recorded // the window, never changed in place
	bytes   int
	first   uint64          // number of entries[0]
	low     events.Position // what the pass read after it is in the window
	high    events.Position // read up to here
	steps   uint64          // moves of high, one for each event

	present  bool // it has caught up once, and waits for nobody since
	caughtUp bool
	err      error

	opened, joined time.Time     // the first and the last follower came
	changed        chan struct{} // closed with each news
	moved          chan struct{} // a follower went on or left
	followers      map[*follower]bool
}

// covers says whether everything after f's place is in the window or will come soon.
func (p *pass) covers(f *follower) bool {
	switch {
	case p.err != nil, p.begun && p.wants < f.wants:
		return false
	case !f.started:
		return p.whole && p.first == 0
	case !p.begun:
		return p.near(f.at, p.from) && p.near(p.from, f.at)
	}
	return !f.at.Before(p.low) && p.near(p.high, f.at)
}

// rank orders passes: those in the present first, then those that read more types.
func (p *pass) rank() int {
	if p.present {
		return p.r.wants + p.wants + 1
	}
	return p.wants
}

// near says that at is not much beyond from. Commit positions count bytes.
func (p *pass) near(from, at events.Position) bool {
	return at.Commit <= from.Commit+uint64(p.r.o.WindowBytes)
}

// admit takes f into p, which covers it.
func (p *pass) admit(f *follower) {
	if !p.begun && f.at.Before(p.from) {
		p.from, p.low, p.high, p.whole = f.at, f.at, f.at, !f.started
	}
	p.joined = time.Now()
	f.next, f.steps, f.waited, f.took = p.first+uint64(p.index(f)), p.steps, 0, p.joined
	p.followers[f] = true
}

// index is the place in the window of what comes next for f.
func (p *pass) index(f *follower) int {
	if !f.started {
		return 0
	}
	return sort.Search(len(p.entries), func(i int) bool { return f.at.Before(p.entries[i].Position) })
}

// behind is how many entries of the window f has not taken.
func (p *pass) behind(f *follower) int { return len(p.entries) - p.index(f) }

// tell wakes the followers.
func (p *pass) tell() {
	close(p.changed)
	p.changed = make(chan struct{})
}

// notify wakes the pass when it waits for a follower.
func (p *pass) notify() {
	select {
	case p.moved <- struct{}{}:
	default:
	}
}

var errPresent = errors.New("the present is reached")

// run reads until ctx ends or the log ends the reading: the past with a filter of the server
// and in large pages, and the present whole, so that each event is one message and every
// event moves the position.
func (p *pass) run(ctx context.Context) {
	clock.Sleep(ctx, begin)
	from, filter := p.start()
	err := p.r.log.Follow(ctx, from, filter, eventstore.FollowOptions{CheckpointEvery: pastEvery},
		func(ctx context.Context, b eventstore.Batch) error {
			if err := p.take(ctx, b); err != nil || !b.CaughtUp {
				return err
			}
			return errPresent
		})
	if errors.Is(err, errPresent) {
		err = p.r.log.Follow(ctx, p.position(), filter, eventstore.FollowOptions{CheckpointEvery: 1}, p.take)
	}
	p.r.mu.Lock()
	defer p.r.mu.Unlock()
	if len(p.followers) > 0 {
		p.r.drop(p, err)
	}
}

func (p *pass) start() (events.Position, eventstore.Filter) {
	p.r.mu.Lock()
	defer p.r.mu.Unlock()
	p.begun, p.wants = true, p.r.wants
	if p.r.whole {
		return p.from, eventstore.Filter{}
	}
	return p.from, eventstore.Filter{Types: slices.Sorted(maps.Keys(p.r.types))}
}

func (p *pass) position() events.Position {
	p.r.mu.Lock()
	defer p.r.mu.Unlock()
	return p.high
}

// take adds a batch to the window and makes room for the next one.
func (p *pass) take(ctx context.Context, b eventstore.Batch) error {
	p.r.mu.Lock()
	defer p.r.mu.Unlock()
	for _, e := range b.Events {
		p.entries = append(p.entries, e.Shared())
		p.bytes += len(e.Raw)
	}
	p.r.read += uint64(len(b.Events))
	if p.high.Before(b.Position) {
		p.high = b.Position
	}
	p.steps += uint64(max(len(b.Events), 1))
	p.caughtUp = b.CaughtUp && p.present
	p.tell()
	for n := p.excess(len(b.Events)); n > 0 && ctx.Err() == nil; n = p.excess(len(b.Events)) {
		if p.present || !p.wait(ctx, n) {
			p.evict(n)
		}
	}
	// Only now: whoever read the past with this pass is not left behind at its end.
	p.present, p.caughtUp = p.present || b.CaughtUp, b.CaughtUp
	p.tell()
	return ctx.Err()
}

// excess is how many entries are too many. The latest batch stays in any case.
func (p *pass) excess(latest int) int {
	n, bytes := 0, p.bytes
	for n < len(p.entries)-latest && (len(p.entries)-n > p.r.o.Window || bytes > p.r.o.WindowBytes) {
		bytes -= len(p.entries[n].Raw)
		n++
	}
	return n
}

// evict drops the n oldest entries. Whoever had not taken them is left behind.
func (p *pass) evict(n int) {
	for _, e := range p.entries[:n] {
		p.bytes -= len(e.Raw)
	}
	p.low = p.entries[n-1].Position
	p.entries, p.first = p.entries[n:], p.first+uint64(n)
	p.tell()
}

// wait waits, in the past, until somebody goes on; false when nobody is waited for who
// needs the n oldest entries.
func (p *pass) wait(ctx context.Context, n int) bool {
	now := time.Now()
	slow, limit := p.slow(n, now), p.r.o.Patience/4
	if len(slow) == 0 {
		if limit = p.gathers().Sub(now); limit <= 0 {
			return false
		}
	}
	p.r.mu.Unlock()
	t := time.NewTimer(limit)
	select {
	case <-p.moved:
	case <-t.C:
	case <-ctx.Done():
	}
	t.Stop()
	p.r.mu.Lock()
	if 2*len(slow) <= len(p.followers) {
		for _, f := range slow {
			f.waited += time.Since(now)
		}
	}
	return true
}

// gathers is until when the beginning of the pass is kept.
func (p *pass) gathers() time.Time {
	until, latest := p.joined.Add(p.r.o.Gather), p.opened.Add(longestGather*p.r.o.Gather)
	if latest.Before(until) {
		return latest
	}
	return until
}

// slow are the followers that have not taken the n oldest entries and are waited for. Who
// keeps most others waiting for three quarters of the time is not, since waiting would
// cost them more than another pass costs the log; nor is one that takes nothing.
func (p *pass) slow(n int, now time.Time) []*follower {
	var slow []*follower
	idle, limit := false, p.r.o.Patience+now.Sub(p.opened)*3/4
	for f := range p.followers {
		idle = idle || f.next == p.first+uint64(len(p.entries))
	}
	for f := range p.followers {
		stands := idle && now.Sub(f.took) > stalled*p.r.o.Patience
		if f.next < p.first+uint64(n) && f.waited <= limit && !stands {
			slow = append(slow, f)
		}
	}
	return slow
}
