package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"folio/events"
	"folio/sqlfile"
	"folio/tables"
)

// Apply implements tables.Store in one transaction.
func (s *Store) Apply(ctx context.Context, b tables.Batch) error {
	targets, err := s.check(ctx, b)
	if err != nil {
		return fmt.Errorf("apply: %w", err)
	}
	err = s.transact(ctx, func(ctx context.Context, tx *sql.Tx) error {
		followed, err := s.follow(ctx, tx, b)
		if err != nil {
			return err
		}
		if b.Lease != nil && !followed {
			if err := s.holds(ctx, tx, *b.Lease); err != nil {
				return err
			}
		}
		for i, w := range b.Writes {
			if err := targets[i].write(ctx, tx, w); err != nil {
				return fmt.Errorf("table %s: %w", w.Table, s.gone(targets[i], err))
			}
		}
		for _, c := range b.Work {
			if err := s.batch.change(ctx, tx, c); err != nil {
				return fmt.Errorf("worklist %s: %w", c.Worklist, err)
			}
		}
		if b.Checkpoint != nil && !followed {
			return s.advance(ctx, tx, *b.Checkpoint)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("apply: %w", err)
	}
	s.pages.wrote(rows(b))
	return nil
}

// rows is about how many rows a batch writes.
func rows(b tables.Batch) (n int) {
	for _, w := range b.Writes {
		n += len(w.Documents) + len(w.Deletes)
	}
	for _, c := range b.Work {
		n += len(c.Put) + len(c.Remove) + len(c.Postpone)
	}
	return n
}

// check refuses the whole batch before the transaction begins, and finds its tables.
func (s *Store) check(ctx context.Context, b tables.Batch) ([]*table, error) {
	targets := make([]*table, len(b.Writes))
	for i, w := range b.Writes {
		t, err := s.table(ctx, w.Table)
		if err != nil {
			return nil, err
		}
		for _, d := range w.Documents {
			if err := t.Check(d); err != nil {
				return nil, err
			}
		}
		targets[i] = t
	}
	for _, c := range b.Work {
		if err := c.Validate(); err != nil {
			return nil, err
		}
	}
	if c := b.Checkpoint; c != nil {
		return targets, c.Validate()
	}
	return targets, nil
}

func (t *table) write(ctx context.Context, tx *sql.Tx, w tables.Write) error {
	upsert := tx.StmtContext(ctx, t.upsert)
	args := make([]any, 0, 2*len(t.columns))
	for _, d := range w.Documents {
		args = args[:0]
		for _, a := range t.Attributes {
			if a.Fold {
				args = append(args, tables.Fold(d.Attributes[a.Name]))
			}
		}
		args = append(args, d.ID, int64(d.At.Commit), int64(d.At.Prepare), d.List, d.Ordinal)
		for _, a := range t.Attributes {
			stored, err := a.Stored(d.Attributes[a.Name])
			if err != nil {
				return err
			}
			args = append(args, stored)
		}
		body := d.Body
		if body == nil {
			body = []byte{} // nil would be NULL
		}
		if _, err := upsert.ExecContext(ctx, append(args, body)...); err != nil {
			return err
		}
	}
	if len(w.Deletes) == 0 {
		return nil // as nearly always: finding the statement is not free
	}
	remove := tx.StmtContext(ctx, t.remove)
	for _, id := range w.Deletes {
		if _, err := remove.ExecContext(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

// updateCheckpoint replaces a checkpoint by the one that follows on it, while a lease is held.
const updateCheckpoint = `UPDATE folio_checkpoints SET at_c = ?, at_p = ?
	WHERE name = ? AND store = ? AND at_c = ? AND at_p = ?
	AND EXISTS (SELECT 1 FROM folio_leases WHERE name = ? AND owner = ? AND token = ?)`

// follow moves the checkpoint of a batch in one statement, as nearly all batches let it: the lease is held and the
// checkpoint follows on what is stored. False says only that this is not so, and that nothing changed.
func (s *Store) follow(ctx context.Context, tx *sql.Tx, b tables.Batch) (bool, error) {
	c, l := b.Checkpoint, b.Lease
	if c == nil || l == nil {
		return false, nil
	}
	done, err := tx.StmtContext(ctx, s.batch.follow).ExecContext(ctx, int64(c.At.Commit), int64(c.At.Prepare), c.Name,
		c.Store, int64(c.After.Commit), int64(c.After.Prepare), l.Name, l.Owner, l.Token)
	if err != nil {
		return false, fmt.Errorf("checkpoint %s: %w", c.Name, err)
	}
	n, err := done.RowsAffected()
	return n == 1, err
}

const (
	selectCheckpoint = "SELECT store, at_c, at_p FROM folio_checkpoints WHERE name = ?"
	upsertCheckpoint = `INSERT INTO folio_checkpoints (name, store, at_c, at_p) VALUES (?, ?, ?, ?)
	ON CONFLICT (name) DO UPDATE SET at_c = excluded.at_c, at_p = excluded.at_p`
)

// advance replaces the checkpoint that c follows on.
func (s *Store) advance(ctx context.Context, tx *sql.Tx, c tables.Checkpoint) error {
	var stored *tables.Checkpoint
	switch have, err := checkpoint(tx.StmtContext(ctx, s.batch.stored).QueryRowContext(ctx, c.Name), c.Name); {
	case err == nil:
		stored = &have
	case !errors.Is(err, tables.ErrNotFound):
		return err
	}
	if err := c.Follows(stored); err != nil {
		return err
	}
	_, err := tx.StmtContext(ctx, s.batch.checkpoint).ExecContext(ctx, c.Name, c.Store, int64(c.At.Commit),
		int64(c.At.Prepare))
	if err != nil {
		return fmt.Errorf("checkpoint %s: %w", c.Name, err)
	}
	return nil
}

// checkpoint reads a row of selectCheckpoint.
func checkpoint(row *sql.Row, name string) (tables.Checkpoint, error) {
	c := tables.Checkpoint{Name: name}
	var at, p int64
	err := row.Scan(&c.Store, &at, &p)
	if errors.Is(err, sql.ErrNoRows) {
		err = tables.ErrNotFound
	}
	if err != nil {
		return tables.Checkpoint{}, fmt.Errorf("checkpoint %.60q: %w", name, sqlfile.Explain(err))
	}
	c.At = events.Position{Commit: uint64(at), Prepare: uint64(p)}
	return c, nil
}

// Checkpoint implements tables.Store.
func (s *Store) Checkpoint(ctx context.Context, name string) (tables.Checkpoint, error) {
	q, err := s.query(ctx, selectCheckpoint)
	if err != nil {
		return tables.Checkpoint{}, fmt.Errorf("checkpoint %.60q: %w", name, sqlfile.Explain(err))
	}
	return checkpoint(q.QueryRowContext(ctx, name), name)
}

// ResetCheckpoint implements tables.Store.
func (s *Store) ResetCheckpoint(ctx context.Context, name string) error {
	if _, err := s.write.Exec(ctx, "DELETE FROM folio_checkpoints WHERE name = ?", name); err != nil {
		return fmt.Errorf("reset checkpoint %.60q: %w", name, err)
	}
	return nil
}
