package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"folio/tables"
)

// Acquire implements tables.Leases.
func (s *Store) Acquire(ctx context.Context, name, owner string,
	ttl time.Duration) (g tables.Grant, ok bool, err error) {
	if err := tables.CheckLease(name, owner, ttl); err != nil {
		return g, false, err
	}
	now := s.now()
	err = s.transact(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if g, err = s.lease(ctx, tx, name); err != nil {
			return err
		}
		free := !now.Before(g.Until)
		if !free && g.Owner != owner {
			return nil
		}
		if free {
			g.Token++ // even for the same owner: it was without the lease for a while
		}
		ok, g.Owner, g.Until = true, owner, now.Add(ttl)
		return keep(ctx, tx, g)
	})
	if err != nil {
		return tables.Grant{}, false, fmt.Errorf("acquire lease %.60s: %w", name, err)
	}
	return g, ok, nil
}

// Renew implements tables.Leases.
func (s *Store) Renew(ctx context.Context, g tables.Grant, ttl time.Duration) (held tables.Grant, ok bool, err error) {
	if err := tables.CheckLease(g.Name, g.Owner, ttl); err != nil {
		return held, false, err
	}
	now := s.now()
	err = s.transact(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if held, err = s.lease(ctx, tx, g.Name); err != nil {
			return err
		}
		if held.Token != g.Token || held.Owner != g.Owner || !now.Before(held.Until) {
			return nil
		}
		ok, held.Until = true, now.Add(ttl)
		return keep(ctx, tx, held)
	})
	if err != nil {
		return tables.Grant{}, false, fmt.Errorf("renew lease %.60s: %w", g.Name, err)
	}
	return held, ok, nil
}

// Release implements tables.Leases. The token stays, so that the next one is higher.
func (s *Store) Release(ctx context.Context, g tables.Grant) error {
	if _, err := s.write.Exec(ctx, "UPDATE folio_leases SET until = 0 WHERE name = ? AND token = ? AND owner = ?",
		g.Name, g.Token, g.Owner); err != nil {
		return fmt.Errorf("release lease %.60s: %w", g.Name, err)
	}
	return nil
}

const selectLease = "SELECT owner, token, until FROM folio_leases WHERE name = ?"

// lease reads the present grant, a free one with token 0 when there was none yet.
func (s *Store) lease(ctx context.Context, tx *sql.Tx, name string) (tables.Grant, error) {
	g := tables.Grant{Name: name}
	var until int64
	err := tx.StmtContext(ctx, s.batch.lease).QueryRowContext(ctx, name).Scan(&g.Owner, &g.Token, &until)
	if errors.Is(err, sql.ErrNoRows) {
		return g, nil
	}
	g.Until = time.UnixMicro(until).UTC()
	return g, err
}

func keep(ctx context.Context, tx *sql.Tx, g tables.Grant) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO folio_leases (name, owner, token, until) VALUES (?, ?, ?, ?)
		ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, token = excluded.token, until = excluded.until`,
		g.Name, g.Owner, g.Token, g.Until.UnixMicro())
	return err
}

// holds refuses a batch whose lease went to a newer owner.
func (s *Store) holds(ctx context.Context, tx *sql.Tx, g tables.Grant) error {
	now, err := s.lease(ctx, tx, g.Name)
	if err == nil && (now.Token != g.Token || now.Owner != g.Owner) {
		err = fmt.Errorf("lease %.60s, token %d, now %d: %w", g.Name, g.Token, now.Token, tables.ErrLeaseLost)
	}
	return err
}
