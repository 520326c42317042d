package sqlite

import (
	"context"
	"errors"

	"folio/sqlfile"
)

// Next implements vault.Backend.
func (b *Backend) Next(ctx context.Context, after string, limit int) (ids []string, err error) {
	rows, err := b.read.QueryContext(ctx, "SELECT id FROM sealed WHERE id > ? ORDER BY id LIMIT ?", after, limit)
	if err != nil {
		return nil, sqlfile.Explain(err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}
