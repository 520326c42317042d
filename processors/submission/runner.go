package submission

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"folio/authority"
	"folio/processors/lanes"
	"folio/tables"
	"folio/waiting"
)

// answered wakes the company's series that wait for the authority, since it answered
// another one of them.
func (p *Processor) answered(company string) {
	if p.down.Load() > 0 {
		p.lanes.WakeWhere(func(series string, t *turn) bool { return t.down.Load() && companyOf(series) == company })
	}
}

// waitsForAuthority notes whether the series does.
func (t *turn) waitsForAuthority(yes bool) {
	switch was := t.down.Swap(yes); {
	case yes && !was:
		t.Processor.down.Add(1)
	case !yes && was:
		t.Processor.down.Add(-1)
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

// moved says that another process has the series by now: whatever is to be done or told about it is its.
func (v verdict) moved() bool { return errors.Is(v.cause, tables.ErrLeaseLost) }

// newTurn is the lane of a series that has something to do.
func (p *Processor) newTurn(series string) *turn {
	return &turn{Processor: p, series: series, learnt: map[string]*learnt{}, silent: map[*pause]bool{},
		pauses: backoff{p: p}}
}

// inherit takes over what an earlier owner noted about the series.
func (t *turn) inherit(ctx context.Context) {
	if t.inherited {
		return
	}
	left, err := t.c.Notes.Stored(ctx, t.series)
	t.inherited, t.noted, t.heir = true, left != nil || err != nil, left
	if left != nil {
		t.tried, t.pauses.since = left.Tried, left.Since
	}
}

// Turn implements lanes.Lane: it does one step of the series and says when the next one is. A failure is waited out
// with growing pauses; an event that may have cured it ends the pause.
func (t *turn) Turn(ctx context.Context, woken bool) lanes.Next {
	t.inherit(ctx)
	if woken {
		t.pauses.woken()
		t.woken(false)
	}
	if t.insisted.Swap(false) {
		t.asked = true
		t.woken(true)
	}
	v := t.safely(func() verdict { return t.take(ctx) })
	switch {
	case ctx.Err() != nil, v.moved():
		return lanes.Done()
	case v.more:
		t.pauses = backoff{p: t.Processor, progressed: t.pauses.progressed}
		if v.answered {
			t.waitsForAuthority(false)
			t.Processor.answered(companyOf(t.series))
		}
		return lanes.Again()
	}
	t.asked = false
	if v.reason != nil {
		return t.rests(ctx, v)
	}
	if len(v.calls) > 0 {
		t.pauses.progress()
	} else {
		t.pauses = backoff{p: t.Processor, progressed: t.pauses.progressed}
	}
	t.goes(t.series)
	t.waitsForAuthority(false)
	t.goesOn(ctx)
	if v.empty {
		return lanes.Done()
	}
	t.Processor.answered(companyOf(t.series))
	return lanes.Again()
}

// rests tells why the series cannot go on, and when it may.
func (t *turn) rests(ctx context.Context, v verdict) lanes.Next {
	if t.progress {
		t.pauses.progress()
	}
	t.ahead = nil
	next := v.at
	if next.IsZero() {
		next = t.pauses.next(&v)
	}
	t.waitsForAuthority(v.reason.Code == waiting.AuthorityDown)
	t.offered(ctx, v.reason)
	t.tell(ctx, v)
	t.note(ctx, t.series, v.reason, v.cause)
	t.stands(t.series, v.reason)
	t.noted = true
	if v.idle {
		return lanes.Until(next).OrMore()
	}
	return lanes.Until(next)
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
	now := b.p.Clock.Now()
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
func (b *backoff) progress() { *b = backoff{p: b.p, progressed: b.p.Clock.Now()} }

// woken says that the pause was cut short: the try that follows is the one that was due.
func (b *backoff) woken() { b.attempts = max(b.attempts-1, 0) }

// eventPoll is how often a series that waits for an event looks all the same: the
// event may have been recorded by a process whose news are late.
const eventPoll = time.Minute

// steps are the pauses after the first, second, ... failure, in units of RetryBase
// (5 s, 30 s, 2 min, 10 min with the default).
var steps = []int{1, 6, 24, 120}

// pause grows with the attempts and varies by a fifth, so that series that failed
// together do not come back together.
func (p *Processor) pause(attempts int) time.Duration {
	return lanes.Pauses{Base: p.c.RetryBase, Steps: steps, Random: p.c.Random}.After(attempts)
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
		level := slog.LevelWarn
		if reason.Code == waiting.ContingencyMove { // as a rule it ends in moments
			level = slog.LevelInfo
		}
		line := []any{"series", series, "reason", reason.Code, "text", reason.Text, "attempts", reason.Attempts}
		if cause != nil {
			line = append(line, "error", cause)
		}
		p.Logger.Log(ctx, level, "series waits", line...)
	}
	err := p.c.Notes.Put(ctx, series, reason, p.Grant())
	if err != nil && ctx.Err() == nil && !errors.Is(err, tables.ErrLeaseLost) {
		p.Logger.Warn("the reason of a waiting series was not noted", "series", series, "error", err)
	}
}
