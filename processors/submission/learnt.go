package submission

import (
	"context"

	"folio/authority"
)

// learnt is what earlier turns learnt about the open submission. Losing it costs
// questions, never an answer: the next owner asks again.
type learnt struct {
	submission string
	failed     []authority.Exchange // calls that sent it without a definitive answer
	found      map[int64]authority.Found
}

// maxFailed bounds the failed calls that a settlement tells of: the last ones.
const maxFailed = 8

// about is what is known about an open submission; another one starts from nothing.
func (t *turn) about(submission string) *learnt {
	if t.learnt.submission != submission {
		t.learnt = learnt{submission: submission, found: map[int64]authority.Found{}}
	}
	return &t.learnt
}

func (l *learnt) fail(calls []authority.Exchange) {
	l.failed = append(l.failed, calls...)
	l.failed = l.failed[max(0, len(l.failed)-maxFailed):]
}

// find asks about a document unless it was found before. What the authority holds
// under a number never changes once it is decided, so that a long batch is not asked about from the
// start when a question in between fails.
func (t *turn) find(ctx context.Context, d desk, submission string, s authority.Series, doc authority.Document) (authority.Found, error) {
	l := t.about(submission)
	if f, ok := l.found[doc.Number]; ok {
		return f, nil
	}
	f, err := d.driver.Find(ctx, d.credential, s, doc, d.calls.record)
	if err == nil && f.Exists && !f.Pending {
		l.found[doc.Number] = f
	}
	return f, err
}
