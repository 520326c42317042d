package submission

import (
	"context"
	"sync"

	"folio/authority"
	"folio/commands/numbering"
)

// ahead is the authority's last number, asked for while the outcomes of the submission before it are recorded: the
// call takes as long as that. It counts for the next step of the series, unless numbers may have been used in between:
// by another series of the taxpayer, which had its turn, or by another owner, whose settlement is the last one then.
// Another system may use them at any time, and the authority refuses ours.
type ahead struct {
	entry uint64 // of the taxpayer's turn, in which it was asked for
	after string // the submission that was answered before
	last  authority.Last
	err   error
	calls authority.Calls
}

// askAhead asks for the last number after the authority's answer, if more documents wait; the function that it returns
// waits for it. What a failed settlement leaves open is asked about as ever: see enters.
func (t *turn) askAhead(ctx context.Context, d session, j job) (wait func()) {
	if !j.more || t.ranged {
		return func() {}
	}
	a := &ahead{entry: t.entry, after: j.Submission.Submission}
	var asking sync.WaitGroup
	asking.Go(func() {
		a.last, a.err = d.driver.Last(ctx, d.credential, d.authoritySeries(), a.calls.Record)
	})
	return func() {
		asking.Wait()
		t.ahead = a
	}
}

// enters notes that the series has the taxpayer's turn, and forgets what was asked for ahead if another had it since.
func (t *turn) enters(x *taxpayer) {
	if t.ahead != nil && t.ahead.entry+1 != x.entered {
		t.ahead = nil
	}
	t.entry = x.entered
}

// last is the authority's last number, as it was asked for ahead or is now.
func (t *turn) last(ctx context.Context, d session, state numbering.State) (authority.Last, error) {
	a := t.ahead
	if t.ahead = nil; a != nil && a.after == settledBefore(state) {
		d.calls.Add(a.calls.All()...)
		return a.last, a.err
	}
	return d.driver.Last(ctx, d.credential, d.authoritySeries(), d.calls.Record)
}
