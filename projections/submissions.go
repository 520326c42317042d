package projections

import (
	"context"

	"folio/events"
	"folio/projections/engine"
)

// Submission is what invoices were sent in.
type Submission struct {
	engine.Place

	SHA256 string `json:"sha256"` // of the bytes that were sent, a file of the vault
}

// Submissions keeps each submission under its id.
var Submissions = engine.Define("submissions", 1,
	engine.On(func(_ events.Recorded, e events.SubmissionOpened) string { return e.Submission },
		func(d *Submission, _ events.Recorded, e events.SubmissionOpened) { d.SHA256 = e.SHA256 }),
	engine.Gathered[Submission](),
)

// GetSubmission reads a submission.
func (r *Reader) GetSubmission(ctx context.Context, id string) (Submission, error) {
	return engine.Get[Submission](ctx, r, Submissions, id)
}
