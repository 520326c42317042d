package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"folio/tables"
)

// lacking says that a table of a generation is gone although its checkpoint says that events were folded into it:
// somebody dropped it by hand. Made anew beside that checkpoint it would be empty for good, and look complete.
//
// Tables are looked for before and after the checkpoint is read. Whoever drops a generation forgets its checkpoint
// first, and whoever begins one makes its tables first: neither looks like this.
func lacking(ctx context.Context, store tables.Store, p Projection, generation int) (bool, error) {
	if some, err := absent(ctx, store, p.schemas(generation)); err != nil || !some {
		return false, err
	}
	_, err := store.Checkpoint(ctx, p.table(generation))
	if errors.Is(err, tables.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("read checkpoint of projection %s: %w", p.name, err)
	}
	return absent(ctx, store, p.schemas(generation))
}

// absent says whether one of the tables is not there.
func absent(ctx context.Context, store tables.Store, wanted []tables.Schema) (bool, error) {
	all, err := store.Tables(ctx)
	if err != nil {
		return false, fmt.Errorf("list tables: %w", err)
	}
	return slices.ContainsFunc(wanted, func(w tables.Schema) bool {
		return !slices.ContainsFunc(all, func(s tables.Schema) bool { return s.Name == w.Name })
	}), nil
}

// restore builds a generation anew that lacks a table: with it what readers get, or the rebuild alone.
func (w *worker) restore(ctx context.Context, l *holding, b build, generation int) error {
	table := w.p.table(generation)
	w.o.Log.Warn("a table of a read model is gone, which Folio did not drop: building it anew from the log", "projection",
		w.p.name, "table", table)
	if generation != b.Serving {
		return drop(ctx, w.o.Tables, table)
	}
	grant := l.Grant()
	return startOver(ctx, w.o.Tables, w.p, &grant)
}
