package submission

import (
	"context"
	"errors"
	"fmt"
	"time"

	"folio/authority"
	"folio/commands/numbering"
)

// denied is the verdict on what the authority says it had and does not show
// (authority.ErrHidden). What was sent may be under way, so it is asked about for
// RenewAfter. After that the same signed documents go out in a new envelope: what refused
// the first one, or lost it, can be told again, and a document that comes to light in it
// all the same is refused as a double in the second.
func (t *turn) denied(ctx context.Context, d session, j job, denial error) verdict {
	about, now := t.about(j.Submission.Submission), t.Clock.Now()
	if about.denied.IsZero() {
		about.denied = now
	}
	renewer := d.driver.Can().Renewer
	if renewer == nil || t.c.RenewAfter == 0 || now.Sub(about.denied) < t.c.RenewAfter || j.Split || j.Voids != nil ||
		j.Renewals >= numbering.MaxRenewals {
		return away(denial)
	}
	before, err := t.prepared(ctx, j.Submission)
	if err != nil {
		return failure(err)
	}
	renewed, err := renewer.Renew(d.credential, j.batch, before, j.Renewals+1)
	switch {
	case errors.Is(err, errors.ErrUnsupported):
		return away(denial)
	case err != nil:
		return failure(fmt.Errorf("renew the envelope of submission %s: %w", j.Submission.Submission, err))
	}
	return t.renew(ctx, d, j, renewed, denial)
}

// renew records the new envelope. It is sent by the next turn, which asks before, as for
// any open submission.
func (t *turn) renew(ctx context.Context, d session, j job, p authority.Prepared, denial error) verdict {
	if _, err := t.c.Files.StoreFile(ctx, p.Content); err != nil {
		return failure(fmt.Errorf("store what will be sent: %w", err))
	}
	about := t.about(j.Submission.Submission)
	kept, err := authority.Keep(ctx, t.c.Files, append(ends(about.said()), ends(d.calls.All())...))
	if err != nil {
		return failure(err)
	}
	_, err = t.log.Numbering.Execute(ctx, t.series, numbering.RenewEnvelope{
		Submission: j.Submission.Submission, Was: j.SHA256, SHA256: p.SHA256, Messages: authority.Reasons(denial),
		Calls: kept,
	}, t.request(j.Submission.Submission, "renew", p.SHA256))
	switch {
	case errors.Is(err, numbering.ErrNotOpen) || errors.Is(err, numbering.ErrHeld) || errors.Is(err, numbering.ErrRenewed):
		return verdict{} // the next turn sees why
	case err != nil:
		return failure(err)
	}
	t.Logger.Warn("documents go out in a new envelope: the authority denies what it says it had", "series", t.series,
		"submission", j.Submission.Submission, "from", j.First)
	about.denied, about.askAt, about.failed = time.Time{}, time.Time{}, nil
	return verdict{}
}
