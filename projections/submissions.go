package projections

import (
	"context"

	"folio/events"
)

// Submission is what invoices were sent in.
type Submission struct {
	Place

	SHA256 string `json:"sha256"` // of the bytes that were sent, a file of the vault
}

// Submissions keeps each submission under its id.
var Submissions = Define("submissions", 1,
	On(func(_ events.Recorded, e events.SubmissionOpened) string { return e.Submission },
		func(d *Submission, _ events.Recorded, e events.SubmissionOpened) { d.SHA256 = e.SHA256 }),
)

// GetSubmission reads a submission.
func (r *Reader) GetSubmission(ctx context.Context, id string) (Submission, error) {
	return Get[Submission](ctx, r, Submissions, id)
}
