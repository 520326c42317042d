package submission

import (
	"context"
	"time"

	"folio/waiting"
)

// runner works on one series. One exists only while the series has something to do
// or to wait for, so series go in parallel and a stuck one slows no other.
type runner struct {
	wake chan struct{} // one is enough: it says "look again now"
}

// wake makes the series look at its work now, even in the middle of a pause. Before
// the worklist is as new as the log nothing starts.
func (p *Processor) wake(series string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.ready || p.ctx.Err() != nil {
		return
	}
	if r, ok := p.series[series]; ok {
		r.signal()
		return
	}
	r := &runner{wake: make(chan struct{}, 1)}
	p.series[series] = r
	p.running.Go(func() { p.work(p.ctx, series, r) })
}

// wakeCompany wakes the series of a company that wait for something.
func (p *Processor) wakeCompany(company string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for series, r := range p.series {
		if companyOf(series) == company {
			r.signal()
		}
	}
}

// WakeAll makes every series that waits look again: the authority is back.
func (p *Processor) WakeAll() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, r := range p.series {
		r.signal()
	}
}

func (r *runner) signal() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// verdict is what one turn of a series came to.
type verdict struct {
	empty  bool            // nothing is left to do
	reason *waiting.Reason // why it cannot go on; nil: go on at once
	event  bool            // no use to try before something happens
	cause  error           // for the operator's log; readers see only reason
}

// work takes turns until the series is empty. A failure is waited out with growing
// pauses, an event that may have cured it ends the pause.
func (p *Processor) work(ctx context.Context, series string, r *runner) {
	t := &turn{Processor: p, series: series}
	left, err := p.c.Notes.Get(ctx, series) // by an earlier owner
	t.noted = left != nil || err != nil
	var since time.Time
	for attempts := 0; ctx.Err() == nil; {
		v := t.take(ctx)
		if ctx.Err() != nil {
			return
		}
		if v.reason == nil {
			attempts = 0
			t.goesOn(ctx)
			if v.empty && p.retire(series, r) {
				return
			}
			continue
		}
		attempts++
		pause := p.pause(attempts)
		if v.event {
			pause = max(pause, eventPoll)
		}
		next := p.c.Clock.Now().Add(pause)
		v.reason.Attempts = attempts
		if attempts == 1 {
			since = p.c.Clock.Now()
		}
		v.reason.Since = since
		if !v.event {
			v.reason.NextTry = &next
		}
		p.note(ctx, series, v.reason, v.cause)
		t.noted = true
		select {
		case <-r.wake:
		case <-p.c.Clock.After(pause):
		case <-ctx.Done():
		}
	}
}

// eventPoll is how often a series that waits for an event looks all the same: the
// event may have been recorded by a process whose news are late.
const eventPoll = time.Minute

// retire ends the runner unless it was woken meanwhile.
func (p *Processor) retire(series string, r *runner) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-r.wake:
		return false
	default:
		delete(p.series, series)
		return true
	}
}

// steps are the pauses after the first, second, ... failure, in units of RetryBase
// (5 s, 30 s, 2 min, 10 min with the default).
var steps = []time.Duration{1, 6, 24, 120}

// pause grows with the attempts and varies by a fifth, so that series that failed
// together do not come back together.
func (p *Processor) pause(attempts int) time.Duration {
	d := p.c.RetryBase * steps[min(attempts, len(steps))-1]
	return d + time.Duration((p.c.Random()-0.5)*0.4*float64(d))
}

// goesOn takes back the reason for which the series waited.
func (t *turn) goesOn(ctx context.Context) {
	if t.noted {
		t.note(ctx, t.series, nil, nil)
		t.noted = false
	}
}

// note tells readers why the series waits; failing to tell stops nothing.
func (p *Processor) note(ctx context.Context, series string, reason *waiting.Reason, cause error) {
	if reason != nil {
		p.c.Logger.Warn("series waits", "series", series, "reason", reason.Code, "text", reason.Text, "attempts", reason.Attempts, "error", cause)
	}
	if err := p.c.Notes.Put(ctx, series, reason); err != nil && ctx.Err() == nil {
		p.c.Logger.Warn("the reason of a waiting series was not noted", "series", series, "error", err)
	}
}

// Series is how many series have something to do or to wait for in this process.
func (p *Processor) Series() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.series)
}
