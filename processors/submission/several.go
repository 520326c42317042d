package submission

import (
	"context"
	"time"

	"folio/commands/numbering"
	"folio/waiting"
)

// pause is until when something is not tried again, and why. The zero value waits for nothing.
type pause struct {
	backoff
	reason *waiting.Reason
	event  bool // only an event helps
	until  time.Time
	tried  *waiting.Tried
	cause  error
}

// over says that it may be tried.
func (w *pause) over(now time.Time) bool { return !w.until.After(now) }

// clear ends the pause: something came of it.
func (w *pause) clear() { *w = pause{backoff: backoff{p: w.p}} }

// woken ends the pause because something happened that may have cured what it waits for. A
// submission on which the authority has yet to decide waits for its answer alone.
func (w *pause) woken(asked bool, now time.Time) {
	if w.over(now) || w.reason.Code == waiting.AuthorityDeciding && !asked {
		return
	}
	w.backoff.woken()
	w.until = now
}

// unanswered says that it waits for something that stands in the way of others as well: the
// authority, the certificate, our own house. What the authority answered about one document
// says nothing about the next.
func (w *pause) unanswered() bool {
	return w.reason != nil && w.reason.Code != waiting.AuthorityDeciding && w.reason.Code != waiting.AuthorityDisagree
}

// maxSilent is how many submissions in a row may go without an answer before the next
// numbers wait for long. One document that cannot be answered about holds up no other;
// three look like an authority that answers nobody, and each more only takes numbers.
const maxSilent = 3

// maxTold is of how many open submissions the note of a series keeps what was said to the
// authority: the first ones, which have waited longest.
const maxTold = 20

// step is one step of a series with ranges, where several submissions may be open: the one
// whose pause is over first is gone on with, else the next numbers are taken. When nothing
// can be done, it says why.
func (t *turn) step(ctx context.Context, d session, state numbering.State, queued bool) verdict {
	now := t.Clock.Now()
	o, due := t.due(state, now)
	opens := queued && !state.Full() && t.opening.over(now)
	switch waited := t.opening.reason != nil; {
	case opens && (waited || !due): // what waited has its turn: the others will wait again
		v := t.openRanged(ctx, d, state)
		if v.more { // it opened, and says itself what came of it
			return v
		}
		return t.waits(ctx, &t.opening, d, v)
	case due:
		v := t.safely(func() verdict { return t.finish(ctx, d, state, o) })
		return t.waits(ctx, &t.about(o.Submission).pause, d, v)
	}
	return t.rest(state, queued)
}

// due is the open submission whose pause has been over for longest.
func (t *turn) due(state numbering.State, now time.Time) (found numbering.Submission, ok bool) {
	for _, o := range state.Open {
		l := t.about(o.Submission)
		if l.over(now) && (!ok || l.until.Before(t.about(found.Submission).until)) {
			found, ok = o, true
		}
	}
	return found, ok
}

// waits notes what came of one step, and has the turn look for the next one. A step without
// an answer makes the next numbers wait for a moment; any answer lets them go on.
func (t *turn) waits(ctx context.Context, w *pause, d session, v verdict) verdict {
	if v.moved() {
		return v
	}
	calls := d.calls.All()
	if v.reason == nil {
		w.clear()
		if len(calls) > 0 {
			t.heard()
		}
		return verdict{more: true, answered: len(calls) > 0}
	}
	w.backoff.p, t.opening.p = t.Processor, t.Processor
	if t.progress {
		w.backoff.progress()
	}
	w.until = w.next(&v)
	w.reason, w.event, w.cause = v.reason, v.event, v.cause
	if len(calls) > 0 {
		w.tried = t.more(ctx, w.tried, calls)
	}
	w.reason.Tried = w.tried
	switch {
	case w == &t.opening:
	case w.unanswered():
		t.unheard(w)
	default:
		t.heard()
	}
	return verdict{more: true}
}

// heard says that the authority answered something of this series: the next numbers may be
// taken, unless they wait for an event.
func (t *turn) heard() {
	if !t.opening.event {
		t.opening.clear()
	}
	clear(t.silent)
}

// unheard makes the next numbers wait a moment, since what stands in the way of one
// submission may stand in the way of the next: a short one after the first failures in a
// row, a long and longer one once several submissions have failed. Where documents may be handed
// over before the verdict, an authority that is away makes nothing wait: they are signed as ever.
func (t *turn) unheard(w *pause) {
	now := t.Clock.Now()
	t.silent[w] = true
	if !t.opening.over(now) || t.c.Handover && w.reason.Code == waiting.AuthorityDown {
		return
	}
	wait := t.pause(1)
	if more := len(t.silent) - maxSilent; more >= 0 {
		wait = t.pause(len(steps)) << min(more, 6)
	}
	next := now.Add(wait)
	t.opening.reason, t.opening.until = &waiting.Reason{Code: w.reason.Code, Text: w.reason.Text, NextTry: &next,
		Attempts: w.reason.Attempts, Since: w.reason.Since}, next
}

// rest is why the series waits, when nothing of it can be done now: what keeps the next
// numbers from being taken, else what an open submission waits for.
func (t *turn) rest(state numbering.State, queued bool) verdict {
	v := verdict{idle: !queued}
	all := make([]*pause, 0, len(state.Open)+1)
	if queued && !state.Full() {
		all = append(all, &t.opening)
	}
	var open []waiting.Submission
	for _, o := range state.Open {
		w := &t.about(o.Submission).pause
		all = append(all, w)
		if l := t.learnt[o.Submission]; !l.denied.IsZero() {
			w.reason.Denied = l.denied
		}
		of := waiting.Submission{Submission: o.Submission, Invoices: o.Invoices, Reason: *w.reason}
		if len(open) >= maxTold {
			of.Reason.Tried = nil
		}
		open = append(open, of)
	}
	var first *pause
	for _, w := range all {
		if v.at.IsZero() || w.until.Before(v.at) {
			v.at = w.until
		}
		if first == nil || first.reason.Code == waiting.AuthorityDeciding && w.reason.Code != waiting.AuthorityDeciding {
			first = w
		}
	}
	if first == nil {
		return verdict{empty: true}
	}
	reason := *first.reason
	reason.Open = open
	v.reason, v.event, v.cause = &reason, first.event, first.cause
	return v
}

// woken ends every pause that an event may have cured; that of a question to an authority
// which is deciding only when a person asks for it.
func (t *turn) woken(asked bool) {
	now := t.Clock.Now()
	t.opening.woken(asked, now)
	for _, l := range t.learnt {
		l.woken(asked, now)
	}
}

// left is what an earlier owner noted about an open submission. It is tried at once.
func (t *turn) left(submission string) pause {
	w := pause{backoff: backoff{p: t.Processor}}
	if t.heir == nil {
		return w
	}
	for _, o := range t.heir.Open {
		if r := o.Reason; o.Submission == submission {
			w.reason, w.tried, w.since = &r, r.Tried, r.Since
		}
	}
	return w
}
