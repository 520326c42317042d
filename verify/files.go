package verify

import (
	"context"
	"errors"

	"folio/events"
	"folio/past"
	"folio/vault"
)

// filed looks whether the vault has what an event names by its hash, as it was.
func (r *run) filed(ctx context.Context, e events.Recorded) error {
	for _, f := range past.FilesOf(e.Event) {
		if err := r.file(ctx, e, f.What, f.SHA256); err != nil {
			return err
		}
	}
	if opened, ok := e.Event.(events.SubmissionOpened); ok {
		return r.rebuild(ctx, e, opened)
	}
	return nil
}

// file reads a file of the vault, which verifies it.
func (r *run) file(ctx context.Context, e events.Recorded, what, sum string) error {
	_, err := r.Secrets.File(ctx, sum)
	switch {
	case err == nil:
		r.report.Files++
	case errors.Is(err, vault.ErrTampered):
		return differs(e, "%s (file %s) was changed in the vault", what, sum)
	case errors.Is(err, vault.ErrNotFound) && e.Position.Before(r.renewed):
		r.report.note("%s of %s revision %d was lost with the vault that was given up", what, e.Stream, e.Revision)
	case errors.Is(err, vault.ErrNotFound), errors.Is(err, vault.ErrInvalid):
		return differs(e, "%s (file %s) is not in the vault", what, sum)
	default:
		return err
	}
	return nil
}
