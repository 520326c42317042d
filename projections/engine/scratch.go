package engine

import (
	"context"
	"fmt"

	"folio/events"
	"folio/tables"
)

// Scratch folds a projection into a store of its own, beside the live documents: for trying
// a changed projection over history. Nothing else reads it, and no effect follows from it.
type Scratch struct {
	p      Projection
	store  tables.Store
	folder *folder
}

// NewScratch defines the tables in an empty store. The log has the events that Fold will be given.
func NewScratch(ctx context.Context, store tables.Store, p Projection, log Streams) (*Scratch, error) {
	if err := store.Define(ctx, p.schemas(1)...); err != nil {
		return nil, fmt.Errorf("scratch tables of projection %s: %w", p.name, err)
	}
	return &Scratch{p, store, newFolder(p, p.table(1), store, newEvolution(keptJoined), pastOf(log))}, nil
}

// Fold takes the next events in log order.
func (s *Scratch) Fold(ctx context.Context, batch ...events.Recorded) error {
	writes, _, err := s.folder.fold(ctx, batch)
	if err == nil && len(writes) > 0 {
		err = s.store.Apply(ctx, tables.Batch{Writes: writes})
	}
	return err
}

// Side is where the documents are.
func (s *Scratch) Side() Side { return Side{s.store, s.p.table(1)} }
