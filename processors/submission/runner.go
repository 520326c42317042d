package submission

import (
	"context"
	"time"

	"folio/authority"
	"folio/processors"
	"folio/waiting"
)

// runner works on one series. One exists only while the series has something to do
// or to wait for, so series go in parallel and a stuck one slows no other.
type runner struct {
	wake  chan struct{} // one is enough: it says "look again now"
	more  chan struct{} // it says "there is more", which ends no pause
	asked chan struct{} // it says "a person wants another try"
	down  bool          // it waits for the authority; guarded by the processor's mu
}

// wake makes the series look at its work now, even in the middle of a pause: something
// happened that may have cured what it waits for.
func (p *Processor) wake(series string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if r := p.atWork(series); r != nil {
		processors.Kick(r.wake)
	}
}

// insist is wake by a person, who has mostly put right what the authority refused.
func (p *Processor) insist(series string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if r := p.atWork(series); r != nil {
		processors.Kick(r.asked)
		processors.Kick(r.wake)
	}
}

// start makes the series look at its work, unless it waits for something: one invoice
// more cures nothing.
func (p *Processor) start(series string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if r := p.atWork(series); r != nil {
		processors.Kick(r.more)
	}
}

// atWork is the runner that a series has. One without gets one, which looks at its work
// at once and needs no signal: then it is nil, as before the worklist is as new as the
// log. The caller holds mu.
func (p *Processor) atWork(series string) *runner {
	if !p.ready || p.ctx.Err() != nil {
		return nil
	}
	if r, ok := p.series[series]; ok {
		return r
	}
	r := &runner{wake: make(chan struct{}, 1), more: make(chan struct{}, 1), asked: make(chan struct{}, 1)}
	p.series[series] = r
	p.running.Go(func() { p.work(p.ctx, series, r) })
	return nil
}

// wakeCompany wakes the series of a company that wait for something.
func (p *Processor) wakeCompany(company string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for series, r := range p.series {
		if companyOf(series) == company {
			processors.Kick(r.wake)
		}
	}
}

// answered wakes the company's series that wait for the authority, since it answered
// another one of them.
func (p *Processor) answered(company string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.down == 0 {
		return
	}
	for series, r := range p.series {
		if r.down && companyOf(series) == company {
			processors.Kick(r.wake)
		}
	}
}

// waitsForAuthority notes whether a series does.
func (p *Processor) waitsForAuthority(r *runner, yes bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case yes && !r.down:
		p.down++
	case !yes && r.down:
		p.down--
	}
	r.down = yes
}

// WakeAll makes every series that waits look again: the authority is back.
func (p *Processor) WakeAll() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, r := range p.series {
		processors.Kick(r.wake)
	}
}

// heard says whether c was signalled, and takes the signal.
func heard(c chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// verdict is what one turn of a series came to.
type verdict struct {
	empty  bool            // nothing is left to do
	reason *waiting.Reason // why it cannot go on; nil: go on at once
	event  bool            // no use to try before something happens
	cause  error           // for the operator's log; readers see only reason
	until  time.Time       // no use to try before; it is no attempt of the series' own
	calls  []authority.Exchange

	// Of series with several open submissions, each of which has pauses of its own:
	more     bool      // this was one step; there may be more to do at once
	answered bool      // the authority was heard
	at       time.Time // when the first pause is over
	idle     bool      // one more invoice is something to do
}

// work takes turns until the series is empty. A failure is waited out with growing
// pauses, an event that may have cured it ends the pause.
func (p *Processor) work(ctx context.Context, series string, r *runner) {
	t := &turn{Processor: p, series: series, learnt: map[string]*learnt{}, silent: map[*pause]bool{}}
	left, err := p.c.Notes.Get(ctx, series) // by an earlier owner
	t.noted, t.heir = left != nil || err != nil, left
	b := backoff{p: p}
	if left != nil {
		t.tried, b.since = left.Tried, left.Since
	}
	defer p.goes(series)
	for ctx.Err() == nil {
		heard(r.more) // whatever there is, this turn sees it
		if heard(r.asked) {
			t.asked = true
			t.woken(true)
		}
		v := t.safely(func() verdict { return t.take(ctx) })
		if ctx.Err() != nil {
			return
		}
		if v.more {
			b = backoff{p: p, progressed: b.progressed}
			if v.answered {
				p.waitsForAuthority(r, false)
				p.answered(companyOf(series))
			}
			continue
		}
		t.asked = false
		if v.reason == nil {
			if len(v.calls) > 0 {
				b.progress()
			} else {
				b = backoff{p: p, progressed: b.progressed}
			}
			p.goes(series)
			p.waitsForAuthority(r, false)
			t.goesOn(ctx)
			if v.empty && p.retire(series, r) {
				return
			}
			if !v.empty {
				p.answered(companyOf(series))
			}
			continue
		}
		t.rests(ctx, r, &b, v)
	}
}

// rests tells why the series cannot go on, and waits until it may.
func (t *turn) rests(ctx context.Context, r *runner, b *backoff, v verdict) {
	if t.progress {
		b.progress()
	}
	next := v.at
	if next.IsZero() {
		next = b.next(&v)
	}
	t.waitsForAuthority(r, v.reason.Code == waiting.AuthorityDown)
	t.tell(ctx, v)
	t.note(ctx, t.series, v.reason, v.cause)
	t.stands(t.series, v.reason)
	t.noted = true
	var more chan struct{}
	if v.idle {
		more = r.more
	}
	select {
	case <-r.wake:
		b.woken()
		t.woken(false)
	case <-more:
	case <-t.c.Clock.At(next):
	case <-ctx.Done():
	}
}

// backoff are the growing pauses of one series, or of one of its open submissions.
type backoff struct {
	p        *Processor
	attempts int
	since    time.Time
	// progressed is when a verdict was learnt last, zero for never: no pause is longer than
	// the time since, so that answers that are lost now and then cost moments.
	progressed time.Time
}

// next completes the reason of a wait and says when the pause is over. What the driver
// knows to be useless before a time is no attempt.
func (b *backoff) next(v *verdict) time.Time {
	now := b.p.c.Clock.Now()
	if b.since.IsZero() {
		b.since = now
	}
	pause := v.until.Sub(now)
	if v.until.IsZero() || pause <= 0 || b.attempts == 0 {
		b.attempts++
		pause = max(pause, b.growing(now))
	}
	next := now.Add(pause)
	if v.event {
		next = now.Add(max(pause, eventPoll))
	} else {
		v.reason.NextTry = &next
	}
	v.reason.Attempts, v.reason.Since = b.attempts, b.since
	return next
}

// growing is the pause after so many attempts.
func (b *backoff) growing(now time.Time) time.Duration {
	pause := b.p.pause(b.attempts)
	if b.progressed.IsZero() {
		return pause
	}
	return min(pause, max(b.p.pause(1), now.Sub(b.progressed)))
}

// progress begins the pauses anew: something was learnt, so what failed is not all there is.
func (b *backoff) progress() { *b = backoff{p: b.p, progressed: b.p.c.Clock.Now()} }

// woken says that the pause was cut short: the try that follows is the one that was due.
func (b *backoff) woken() { b.attempts = max(b.attempts-1, 0) }

// eventPoll is how often a series that waits for an event looks all the same: the
// event may have been recorded by a process whose news are late.
const eventPoll = time.Minute

// retire ends the runner unless it was woken meanwhile.
func (p *Processor) retire(series string, r *runner) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if heard(r.wake) || heard(r.more) {
		return false
	}
	delete(p.series, series)
	return true
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
		t.noted, t.tried = false, nil
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
