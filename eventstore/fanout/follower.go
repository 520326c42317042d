package fanout

import (
	"context"
	"time"

	"folio/events"
	"folio/eventstore"
)

// maxBatchBytes ends a batch early when its events are large.
const maxBatchBytes = 4 << 20

// follower is one call of Reader.Follow.
type follower struct {
	wanted map[string]bool
	all    bool // it wants every event
	wants  int  // Reader.wants, once they included wanted
	o      eventstore.FollowOptions
	end    events.Position // of the log, when the follower began

	// Under Reader.mu, since a pass looks at them:
	at      events.Position // taken up to here
	started bool            // at is a real place: the first event may have the zero position
	next    uint64          // number, in its pass, of the event that it takes next
	waited  time.Duration   // its pass waited for it while most others had gone on
	took    time.Time       // when it took something last

	// Of its own goroutine:
	steps    uint64          // of the pass, when a batch was handed over last
	told     events.Position // as in the last batch
	caughtUp bool            // likewise
}

// view is what a pass has for a follower at one moment.
type view struct {
	entries  []events.Recorded // from follower.next on
	high     events.Position
	steps    uint64
	caughtUp bool
	changed  <-chan struct{}
}

// serve hands f what p has until f must go elsewhere or ends.
func (r *Reader) serve(ctx context.Context, p *pass, f *follower,
	handle func(context.Context, eventstore.Batch) error) error {
	for {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		v, err := r.view(p, f)
		if err != nil {
			return err
		}
		b, taken := f.gather(v)
		if f.worth(b, v) {
			if err := handle(ctx, b); err != nil {
				return err
			}
			f.told, f.caughtUp, f.steps = b.Position, b.CaughtUp, v.steps
		}
		moved := taken > 0 || f.at.Before(b.Position)
		r.note(p, f, b.Position, taken)
		if moved {
			continue
		}
		select {
		case <-v.changed:
		case <-ctx.Done():
		}
	}
}

func (r *Reader) view(p *pass, f *follower) (view, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case p.err != nil:
		return view{}, p.err
	case f.next < p.first, r.better(f, p):
		return view{}, errElsewhere
	}
	return view{entries: p.entries[f.next-p.first:], high: p.high, steps: p.steps, caughtUp: p.caughtUp,
		changed: p.changed}, nil
}

// gather makes a batch of what v has, and says how many entries it is made of.
func (f *follower) gather(v view) (b eventstore.Batch, taken int) {
	size := 0
	b.Position = f.at
	for _, e := range v.entries {
		if len(b.Events) >= f.o.MaxBatch || size >= maxBatchBytes {
			return b, taken
		}
		taken++
		if f.started && !f.at.Before(e.Position) {
			continue // it came before f joined the pass
		}
		b.Position = e.Position
		if f.hears(e.Type) {
			if b.Events == nil {
				b.Events = make([]events.Recorded, 0, f.count(v.entries[taken-1:]))
			}
			b.Events = append(b.Events, e)
			size += len(e.Raw)
		}
	}
	if b.Position.Before(v.high) {
		b.Position = v.high
	}
	b.CaughtUp = v.caughtUp && !v.high.Before(f.at) && !b.Position.Before(f.end)
	return b, taken
}

func (f *follower) hears(kind string) bool { return f.all || f.wanted[kind] }

// count is how many of the entries f wants, up to what a batch may have.
func (f *follower) count(entries []events.Recorded) (n int) {
	for i := range entries {
		if f.hears(entries[i].Type) {
			n++
		}
	}
	return min(n, f.o.MaxBatch)
}

// worth says whether b tells the follower anything that it should know now.
func (f *follower) worth(b eventstore.Batch, v view) bool {
	if len(b.Events) > 0 || b.CaughtUp != f.caughtUp {
		return true
	}
	every := uint64(f.o.CheckpointEvery)
	return f.told.Before(b.Position) && (every == 1 || v.steps-f.steps >= every)
}

// note notes how far f came.
func (r *Reader) note(p *pass, f *follower, at events.Position, taken int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if f.next += uint64(taken); taken > 0 {
		f.took = time.Now()
	}
	if f.at.Before(at) {
		f.at = at
	}
	f.started = f.started || taken > 0 || !f.at.IsZero()
	p.notify()
}
