package engine

import (
	"context"

	"folio/tables"
)

// StartOver drops every document of a projection, which is then built from the beginning of
// the log: for documents of events that the log no longer holds.
func StartOver(ctx context.Context, store tables.Store, p Projection) error {
	return startOver(ctx, store, p, nil)
}
