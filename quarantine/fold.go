package quarantine

import (
	"context"
	"slices"
	"strings"
)

// Table is the Feed of the read model that is kept in a table. It holds streams until the
// read model is built anew: documents stand where they were folded, so that an event which
// comes late cannot be put in its place.
func (r *Room) Table(ctx context.Context, table string, types ...string) (*Feed, error) {
	f := r.Feed(table, types...)
	return f, f.load(ctx)
}

// Keep forgets what was held for tables that are gone: those whose name begins with prefix,
// without the ones listed.
func (r *Room) Keep(ctx context.Context, prefix string, tables ...string) error {
	all, err := r.Held(ctx)
	if err != nil {
		return err
	}
	for _, h := range all {
		if strings.HasPrefix(h.Feed, prefix) && !slices.Contains(tables, h.Feed) {
			h.Released, h.Since = true, r.now().UTC()
			if err := r.put(ctx, h); err != nil {
				return err
			}
		}
	}
	return nil
}
