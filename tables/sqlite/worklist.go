package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"folio/events"
	"folio/sqlfile"
	"folio/tables"
)

// statements are those of a batch that no table has.
type statements struct{ put, remove, postpone, lease, stored, checkpoint, follow *sql.Stmt }

func (w *statements) prepare(ctx context.Context, s *Store) (err error) {
	w.put, err = s.write.DB.PrepareContext(ctx, `INSERT INTO folio_work
		(list, key, grp, ord_c, ord_p, due, at_c, at_p, gone, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, ?)
		ON CONFLICT (list, key) DO UPDATE SET grp = excluded.grp, ord_c = excluded.ord_c, ord_p = excluded.ord_p,
			due = excluded.due, at_c = excluded.at_c, at_p = excluded.at_p, gone = 0, body = excluded.body
		WHERE (at_c, at_p) < (excluded.at_c, excluded.at_p)`)
	if err != nil {
		return err
	}
	w.remove, err = s.write.DB.PrepareContext(ctx, `INSERT INTO folio_work
		(list, key, grp, ord_c, ord_p, due, at_c, at_p, gone) VALUES (?, ?, '', 0, 0, 0, ?, ?, 1)
		ON CONFLICT (list, key) DO UPDATE SET grp = '', ord_c = 0, ord_p = 0, due = 0,
			at_c = excluded.at_c, at_p = excluded.at_p, gone = 1, body = NULL
		WHERE (at_c, at_p) <= (excluded.at_c, excluded.at_p)`)
	if err != nil {
		return err
	}
	if w.postpone, err = s.write.DB.PrepareContext(ctx, "UPDATE folio_work SET due = ? WHERE list = ? AND key = ? AND "+
		"gone = 0"); err != nil {
		return err
	}
	if w.lease, err = s.write.DB.PrepareContext(ctx, selectLease); err != nil {
		return err
	}
	if w.stored, err = s.write.DB.PrepareContext(ctx, selectCheckpoint); err != nil {
		return err
	}
	if w.follow, err = s.write.DB.PrepareContext(ctx, updateCheckpoint); err != nil {
		return err
	}
	w.checkpoint, err = s.write.DB.PrepareContext(ctx, upsertCheckpoint)
	return err
}

func (w *statements) change(ctx context.Context, tx *sql.Tx, c tables.WorklistChange) error {
	put, remove := tx.StmtContext(ctx, w.put), tx.StmtContext(ctx, w.remove)
	for _, it := range c.Put {
		if _, err := put.ExecContext(ctx, c.Worklist, it.Key, it.Group, int64(it.Order.Commit), int64(it.Order.Prepare),
			tables.Micros(it.Due), int64(it.At.Commit), int64(it.At.Prepare), it.Body); err != nil {
			return err
		}
	}
	for _, r := range c.Remove {
		if _, err := remove.ExecContext(ctx, c.Worklist, r.Key, int64(r.At.Commit), int64(r.At.Prepare)); err != nil {
			return err
		}
	}
	postpone := tx.StmtContext(ctx, w.postpone)
	for _, p := range c.Postpone {
		if _, err := postpone.ExecContext(ctx, tables.Micros(p.Due), c.Worklist, p.Key); err != nil {
			return err
		}
	}
	return nil
}

// Worklist implements tables.Store.
func (s *Store) Worklist(name string) tables.Worklist { return worklist{s, name} }

type worklist struct {
	s    *Store
	name string
}

// run checks the name and adds it to whatever goes wrong.
func (w worklist) run(operation string, fn func() error) error {
	err := tables.CheckName("worklist", w.name)
	if err == nil {
		err = fn()
	}
	if err != nil {
		return fmt.Errorf("%s worklist %.60s: %w", operation, w.name, sqlfile.Explain(err))
	}
	return nil
}

func (w worklist) Put(ctx context.Context, items ...tables.Item) error {
	return w.s.Apply(ctx, tables.Batch{Work: []tables.WorklistChange{{Worklist: w.name, Put: items}}})
}

func (w worklist) Remove(ctx context.Context, key string, at events.Position) error {
	return w.s.Apply(ctx, tables.Batch{Work: []tables.WorklistChange{
		{Worklist: w.name, Remove: []tables.Removal{{Key: key, At: at}}}}})
}

// waiting is the condition of items that a clock wakes.
const waiting = " FROM folio_work WHERE list = ? AND gone = 0 AND due <= ? "

// until is the last due time that now covers; Never never comes.
func until(now time.Time) int64 { return min(tables.Micros(now), tables.Never.UnixMicro()-1) }

func (w worklist) items(ctx context.Context, rest string, args ...any) (out []tables.Item, err error) {
	q, err := w.s.query(ctx, "SELECT key, grp, ord_c, ord_p, due, at_c, at_p, body"+rest)
	if err != nil {
		return nil, err
	}
	rows, err := q.QueryContext(ctx, args...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var it tables.Item
		var oc, op, due, ac, ap int64
		if err := rows.Scan(&it.Key, &it.Group, &oc, &op, &due, &ac, &ap, &it.Body); err != nil {
			return nil, err
		}
		it.Order = events.Position{Commit: uint64(oc), Prepare: uint64(op)}
		it.At = events.Position{Commit: uint64(ac), Prepare: uint64(ap)}
		it.Due = tables.FromMicros(due)
		out = append(out, it)
	}
	return out, rows.Err()
}

func (w worklist) Get(ctx context.Context, key string) (it tables.Item, err error) {
	err = w.run("get from", func() error {
		found, err := w.items(ctx, " FROM folio_work WHERE list = ? AND key = ? AND gone = 0", w.name, key)
		if err == nil && len(found) == 0 {
			return fmt.Errorf("%.80q: %w", key, tables.ErrNotFound)
		} else if err == nil {
			it = found[0]
		}
		return err
	})
	return it, err
}

func (w worklist) Due(ctx context.Context, now time.Time, limit int) (out []tables.Item, err error) {
	err = w.run("due of", func() (err error) {
		out, err = w.items(ctx, waiting+"ORDER BY due, ord_c, ord_p, key LIMIT ?", w.name, until(now), max(limit, 0))
		return err
	})
	return out, err
}

func (w worklist) InGroup(ctx context.Context, group string, limit int) (out []tables.Item, err error) {
	err = w.run("group of", func() (err error) {
		out, err = w.items(ctx, " FROM folio_work WHERE list = ? AND grp = ? AND gone = 0 ORDER BY ord_c, ord_p, key LIMIT ?",
			w.name, group, max(limit, 0))
		return err
	})
	return out, err
}

func (w worklist) All(ctx context.Context, limit int) (out []tables.Item, err error) {
	err = w.run("all of", func() (err error) {
		out, err = w.items(ctx, " FROM folio_work WHERE list = ? AND gone = 0 ORDER BY key LIMIT ?", w.name, max(limit, 0))
		return err
	})
	return out, err
}

func (w worklist) Groups(ctx context.Context, now time.Time, limit int) (out []string, err error) {
	err = w.run("groups of", func() error {
		rows, err := w.s.read.QueryContext(ctx, "SELECT grp"+waiting+
			"GROUP BY grp ORDER BY min(due), grp LIMIT ?", w.name, until(now), max(limit, 0))
		if err != nil {
			return err
		}
		for rows.Next() {
			var group string
			if err := rows.Scan(&group); err != nil {
				return errors.Join(err, rows.Close())
			}
			out = append(out, group)
		}
		return errors.Join(rows.Err(), rows.Close())
	})
	return out, err
}

func (w worklist) Postpone(ctx context.Context, key string, due time.Time) error {
	return w.run("postpone in", func() error {
		return w.s.transact(ctx, func(ctx context.Context, tx *sql.Tx) error {
			_, err := tx.StmtContext(ctx, w.s.batch.postpone).ExecContext(ctx, tables.Micros(due), w.name, key)
			return err
		})
	})
}

func (w worklist) NextDue(ctx context.Context) (next time.Time, ok bool, err error) {
	err = w.run("next due of", func() error {
		var due sql.NullInt64
		q, err := w.s.query(ctx, "SELECT min(due)"+waiting)
		if err != nil {
			return err
		}
		err = q.QueryRowContext(ctx, w.name, until(tables.Never)).Scan(&due)
		next, ok = tables.FromMicros(due.Int64), due.Valid
		return err
	})
	return next, ok, err
}

func (w worklist) Count(ctx context.Context) (n int64, err error) {
	err = w.run("count", func() error {
		q, err := w.s.query(ctx, "SELECT count(*) FROM folio_work WHERE list = ? AND gone = 0")
		if err != nil {
			return err
		}
		return q.QueryRowContext(ctx, w.name).Scan(&n)
	})
	return n, err
}

func (w worklist) PruneBefore(ctx context.Context, p events.Position) (n int64, err error) {
	err = w.run("prune", func() error {
		if err := tables.CheckPosition(p); err != nil {
			return err
		}
		n, err = w.s.write.Exec(ctx, "DELETE FROM folio_work WHERE list = ? AND gone = 1 AND (at_c, at_p) < (?, ?)",
			w.name, int64(p.Commit), int64(p.Prepare))
		return err
	})
	return n, err
}

func (w worklist) Clear(ctx context.Context) error {
	return w.run("clear", func() error {
		_, err := w.s.write.Exec(ctx, "DELETE FROM folio_work WHERE list = ?", w.name)
		return err
	})
}
