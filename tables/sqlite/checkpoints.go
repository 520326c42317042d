package sqlite

import (
	"context"
	"errors"
	"fmt"

	"folio/events"
	"folio/tables"
)

// Checkpoints implements tables.Store.
func (s *Store) Checkpoints(ctx context.Context) (all []tables.Checkpoint, err error) {
	rows, err := s.read.QueryContext(ctx, "SELECT name, store, at_c, at_p FROM folio_checkpoints ORDER BY name")
	if err != nil {
		return nil, fmt.Errorf("list the checkpoints: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var c tables.Checkpoint
		var at, p int64
		if err := rows.Scan(&c.Name, &c.Store, &at, &p); err != nil {
			return nil, fmt.Errorf("list the checkpoints: %w", err)
		}
		c.At = events.Position{Commit: uint64(at), Prepare: uint64(p)}
		all = append(all, c)
	}
	return all, rows.Err()
}
