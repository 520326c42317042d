package arca

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"math"
	"time"

	"folio/sandbox/desk"
)

const schema = `
CREATE TABLE IF NOT EXISTS voucher (
	environment TEXT NOT NULL, cuit INTEGER NOT NULL, ptovta INTEGER NOT NULL, tipo INTEGER NOT NULL,
	desde INTEGER NOT NULL, hasta INTEGER NOT NULL, body TEXT NOT NULL,
	PRIMARY KEY (environment, cuit, ptovta, tipo, desde)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS export_request (
	environment TEXT NOT NULL, cuit INTEGER NOT NULL, id INTEGER NOT NULL, ptovta INTEGER NOT NULL, tipo INTEGER NOT NULL, desde INTEGER NOT NULL,
	PRIMARY KEY (environment, cuit, id)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS caea (
	environment TEXT NOT NULL, cuit INTEGER NOT NULL, periodo INTEGER NOT NULL, orden INTEGER NOT NULL,
	code TEXT NOT NULL, body TEXT NOT NULL,
	PRIMARY KEY (environment, cuit, periodo, orden), UNIQUE (environment, code)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS no_movement (
	environment TEXT NOT NULL, cuit INTEGER NOT NULL, code TEXT NOT NULL, ptovta INTEGER NOT NULL, at TEXT NOT NULL,
	PRIMARY KEY (environment, cuit, code, ptovta)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS counter (environment TEXT PRIMARY KEY, n INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS login (
	environment TEXT NOT NULL, fingerprint TEXT NOT NULL, service TEXT NOT NULL, at INTEGER NOT NULL,
	PRIMARY KEY (environment, fingerprint, service)) WITHOUT ROWID;`

// store is the authority's memory.
type store struct{ desk.Database }

// series names one sequence of numbers.
type series struct {
	environment  string
	cuit         int64
	ptoVta, tipo int
}

// issuer is a taxpayer in an environment.
type issuer struct {
	environment string
	cuit        int64
}

func (s series) issuer() issuer { return issuer{s.environment, s.cuit} }

// String is "1, point of sale 3": type and point of sale.
func (s series) String() string { return fmt.Sprintf("%d, point of sale %d", s.tipo, s.ptoVta) }

// voucher is one that was authorized.
type voucher struct {
	Detail       detail    `json:"detail"`
	CAE          string    `json:"cae"`
	Expires      string    `json:"expires"`
	Processed    string    `json:"processed"`
	Observations []Message `json:"observations,omitempty"`
	Export       *export   `json:"export,omitempty"` // of WSFEXv1
	// Generated is CbteFchHsGen of a voucher that was reported under a CAEA, which is in CAE
	// then, and its last day in Expires.
	Generated string `json:"generated,omitempty"`
	Reported  bool   `json:"reported,omitempty"`
}

// mode is how it was authorized, as EmisionTipo has it.
func (v voucher) mode() string {
	if v.Reported {
		return "CAEA"
	}
	return "CAE"
}

// last is the last voucher of a series; ok is false before the first.
func last(ctx context.Context, q desk.Querier, s series) (v voucher, ok bool, err error) {
	return scanVoucher(q.QueryRowContext(ctx,
		`SELECT body FROM voucher WHERE environment=? AND cuit=? AND ptovta=? AND tipo=?
		ORDER BY desde DESC LIMIT 1`, s.environment, s.cuit, s.ptoVta, s.tipo))
}

// find is the voucher that holds number.
func find(ctx context.Context, q desk.Querier, s series, number int64) (v voucher, ok bool, err error) {
	return scanVoucher(q.QueryRowContext(ctx,
		`SELECT body FROM voucher WHERE environment=? AND cuit=? AND ptovta=? AND tipo=?
		AND desde<=? AND hasta>=? ORDER BY desde DESC LIMIT 1`, s.environment, s.cuit, s.ptoVta, s.tipo, number, number))
}

func scanVoucher(row *sql.Row) (v voucher, ok bool, err error) {
	var body []byte
	if found, err := desk.Found(row.Scan(&body)); !found {
		return v, false, err
	}
	return v, true, json.Unmarshal(body, &v)
}

// keep stores an authorized voucher.
func keep(ctx context.Context, q desk.Querier, s series, v voucher) error {
	body, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = q.ExecContext(ctx, `INSERT INTO voucher VALUES (?,?,?,?,?,?,?)`,
		s.environment, s.cuit, s.ptoVta, s.tipo, v.Detail.Desde, v.Detail.Hasta, string(body))
	return err
}

// count is the next number of the environment's CAE counter.
func count(ctx context.Context, q desk.Querier, environment string) (n int64, err error) {
	err = q.QueryRowContext(ctx, `INSERT INTO counter VALUES (?,1) ON CONFLICT DO UPDATE SET n=n+1 RETURNING n`,
		environment).Scan(&n)
	return n, err
}

// ticketOf says what a ticket is for, and by its certificate whose it is.
type ticketOf struct{ environment, fingerprint, service string }

// login notes a login unless one happened within the window.
func (st store) login(ctx context.Context, t ticketOf, now time.Time, window time.Duration) (fresh bool, err error) {
	least := window.Milliseconds()
	if window <= 0 {
		least = math.MinInt64 / 2 // whatever the clock does
	}
	res, err := st.ExecContext(ctx, `INSERT INTO login VALUES (?,?,?,?) ON CONFLICT DO UPDATE SET at=excluded.at WHERE excluded.at-at>=?`,
		t.environment, t.fingerprint, t.service, now.UnixMilli(), least)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}
