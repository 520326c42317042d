package submission

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"folio/authority"
	"folio/commands/numbering"
	"folio/events"
)

// learnt is what earlier turns learnt about an open submission, and until when it is not
// tried again. Losing it costs questions and time, never an answer: the next owner asks again.
type learnt struct {
	pause
	failed []authority.Exchange // calls that sent it without a definitive answer
	found  map[int64]authority.Found
	askAt  time.Time // no use to ask before; zero: unknown
	denied time.Time // since when the authority denies what it says it had; zero: it does not

	told map[string]bool // invoices that know that the authority has their document

	// Of documents that go alone, by number: the calls of an earlier turn that sent it last,
	// the outcome where the authority refused it, and the error where it has it and does not
	// show it.
	alone   map[int64][]authority.Exchange
	refused map[int64]events.Outcome
	hidden  map[int64]error
}

// longestDeciding bounds what an authority may say about when to ask: beyond it, one of
// the clocks is wrong.
const longestDeciding = 24 * time.Hour

// pending remembers when the authority that has not decided wants to be asked, and says it.
func (l *learnt) pending(err error, now time.Time) time.Time {
	l.askAt = time.Time{}
	var m *authority.Message
	if errors.As(err, &m) && m.At.After(now) && m.At.Sub(now) <= longestDeciding {
		l.askAt = m.At
	}
	return l.askAt
}

// maxFailed bounds the failed calls that a settlement tells of: the last ones.
const maxFailed = 8

// about is what is known about an open submission.
func (t *turn) about(submission string) *learnt {
	l := t.learnt[submission]
	if l == nil {
		l = &learnt{pause: t.left(submission), found: map[int64]authority.Found{}, told: map[string]bool{},
			alone:   map[int64][]authority.Exchange{},
			refused: map[int64]events.Outcome{}, hidden: map[int64]error{}}
		if l.reason != nil {
			l.denied = l.reason.Denied
		}
		t.learnt[submission] = l
	}
	return l
}

// forget drops what is known of submissions that are not open any more.
func (t *turn) forget(open []numbering.Submission) {
	maps.DeleteFunc(t.learnt, func(submission string, l *learnt) bool {
		if slices.ContainsFunc(open, func(o numbering.Submission) bool { return o.Submission == submission }) {
			return false
		}
		delete(t.silent, &l.pause)
		return true
	})
}

func (l *learnt) fail(calls []authority.Exchange) {
	l.failed = append(l.failed, calls...)
	l.failed = l.failed[max(0, len(l.failed)-maxFailed):]
}

// said are the calls of earlier turns that the next record tells of.
func (l *learnt) said() []authority.Exchange {
	out := slices.Clone(l.failed)
	for _, number := range slices.Sorted(maps.Keys(l.alone)) {
		out = append(out, l.alone[number]...)
	}
	return out
}

// find asks about a document unless it was found before. What the authority holds
// under a number never changes once it is decided, so that a long batch is not asked about from the
// start when a question in between fails.
func (t *turn) find(ctx context.Context, d session, submission string, s authority.Series,
	doc authority.Document) (authority.Found, error) {
	l := t.about(submission)
	if f, ok := l.found[doc.Number]; ok {
		return f, nil
	}
	f, err := d.driver.Find(ctx, d.credential, s, doc, d.calls.Record)
	if errors.Is(err, authority.ErrPending) {
		l.pending(err, t.Clock.Now())
		return authority.Found{Exists: true, Pending: true}, nil
	}
	if err == nil && f.Exists && !f.Pending {
		l.found[doc.Number] = f
		t.progress = true
	}
	return f, err
}
