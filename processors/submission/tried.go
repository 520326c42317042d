package submission

import (
	"cmp"
	"context"
	"slices"

	"folio/authority"
	"folio/waiting"
)

// maxTried bounds the calls that are kept of one turn without an answer.
const maxTried = 8

// tell adds to a reason what was said to the authority, so that who looks at an invoice
// that is stuck sees it before anything is settled. Failing to keep it stops nothing.
func (t *turn) tell(ctx context.Context, v verdict) {
	if len(v.calls) > 0 {
		t.tried = t.more(ctx, t.tried, v.calls)
	}
	v.reason.Tried = cmp.Or(v.reason.Tried, t.tried)
}

// more is what was tried with one more turn. Its calls are kept when the number of turns
// is a power of two.
func (t *turn) more(ctx context.Context, before *waiting.Tried, calls []authority.Exchange) *waiting.Tried {
	var out waiting.Tried
	if before != nil {
		out = *before
	}
	out.Turns++
	if out.Turns&(out.Turns-1) != 0 {
		return &out
	}
	kept, err := authority.Keep(ctx, t.c.Files, ends(calls))
	if err != nil {
		t.Logger.Warn("the calls of a waiting series were not kept", "series", t.series, "error", err)
		return &out
	}
	out.Last = waiting.Try{Turn: out.Turns, Calls: kept}
	if out.Turns == 1 {
		out.First = out.Last
	}
	return &out
}

// ends are the first and the last calls of many.
func ends(calls []authority.Exchange) []authority.Exchange {
	if len(calls) <= maxTried {
		return calls
	}
	return slices.Concat(calls[:maxTried/2], calls[len(calls)-maxTried/2:])
}
