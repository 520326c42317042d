package sii

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"

	"folio/sandbox/desk"
)

const tables = `
CREATE TABLE IF NOT EXISTS seed (environment TEXT NOT NULL, seed TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (environment, seed)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS token (environment TEXT NOT NULL, token TEXT NOT NULL, holder TEXT NOT NULL, until INTEGER NOT NULL, PRIMARY KEY (environment, token)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS envelope (
	track INTEGER PRIMARY KEY AUTOINCREMENT, environment TEXT NOT NULL, issuer TEXT NOT NULL, sha256 TEXT NOT NULL,
	receipt INTEGER NOT NULL, at INTEGER NOT NULL, state TEXT NOT NULL, stuck INTEGER NOT NULL);
CREATE INDEX IF NOT EXISTS envelope_bytes ON envelope (environment, issuer, sha256);
CREATE TABLE IF NOT EXISTS document (
	environment TEXT NOT NULL, issuer TEXT NOT NULL, type INTEGER NOT NULL, folio INTEGER NOT NULL, track INTEGER NOT NULL, body TEXT NOT NULL,
	PRIMARY KEY (environment, issuer, type, folio, track)) WITHOUT ROWID;`

// store is the authority's memory.
type store struct{ desk.Database }

// outcome of a document.
type outcome string

const (
	passed   outcome = "accepted"
	remarked outcome = "remarked" // reparo
	refused  outcome = "rejected"
)

// remark is a code with its text.
type remark struct {
	Code string `json:"code"`
	Text string `json:"text"`
}

// document is one that came in an envelope, with its verdict.
type document struct {
	Type      int      `json:"type"`
	Folio     int64    `json:"folio"`
	Date      string   `json:"date"` // FchEmis
	Recipient string   `json:"recipient"`
	Amount    string   `json:"amount"`
	Signature string   `json:"signature,omitempty"` // SignatureValue, one line
	Outcome   outcome  `json:"outcome"`
	Remarks   []remark `json:"remarks,omitempty"`
	Track     int64    `json:"-"`
}

// envelope is an upload.
type envelope struct {
	environment, issuer, hash string
	track                     int64
	receipt                   bool
	at                        time.Time
	state                     string
	stuck                     bool
	docs                      []document
}

func (st store) addSeed(ctx context.Context, environment, seed string, at time.Time) error {
	_, err := st.ExecContext(ctx, `INSERT INTO seed VALUES (?,?,?)`, environment, seed, at.UnixMilli())
	return err
}

// takeSeed is true once for a seed that is young enough.
func (st store) takeSeed(ctx context.Context, environment, seed string, after time.Time) (bool, error) {
	r, err := st.ExecContext(ctx, `DELETE FROM seed WHERE environment=? AND seed=? AND at>=?`, environment, seed,
		after.UnixMilli())
	if err != nil {
		return false, err
	}
	n, err := r.RowsAffected()
	return n == 1, err
}

func (st store) addToken(ctx context.Context, environment, token, holder string, until time.Time) error {
	_, err := st.ExecContext(ctx, `INSERT INTO token VALUES (?,?,?,?)`, environment, token, holder, until.UnixMilli())
	return err
}

// holder is whose token this is, "" for a bad one.
func (st store) holder(ctx context.Context, environment, token string, now time.Time) (string, error) {
	var holder string
	err := st.QueryRowContext(ctx, `SELECT holder FROM token WHERE environment=? AND token=? AND until>?`, environment,
		token, now.UnixMilli()).Scan(&holder)
	_, err = desk.Found(err)
	return holder, err
}

// repeats asks whether the same bytes came before.
func repeats(ctx context.Context, q desk.Querier, e *envelope) (bool, error) {
	var n int
	err := q.QueryRowContext(ctx, `SELECT count(*) FROM envelope WHERE environment=? AND issuer=? AND sha256=?`,
		e.environment, e.issuer, e.hash).Scan(&n)
	return n > 0, err
}

// numbered is an issuer's document by type and folio.
type numbered struct {
	environment, issuer string
	code                int
	folio               int64
}

// known are the documents that came under a folio, in order.
func known(ctx context.Context, q desk.Querier, n numbered) ([]document, error) {
	return documents(ctx, q, `WHERE environment=? AND issuer=? AND type=? AND folio=? ORDER BY track`, n.environment,
		n.issuer, n.code, n.folio)
}

func documents(ctx context.Context, q desk.Querier, where string, args ...any) ([]document, error) {
	return desk.Bodies(ctx, q, func(d *document) []any { return []any{&d.Track} },
		`SELECT body, track FROM document `+where, args...)
}

// envelope is an upload by its track id; false for none of this issuer.
func (st store) envelope(ctx context.Context, environment, issuer string, track int64) (envelope, bool, error) {
	e := envelope{environment: environment, issuer: issuer, track: track}
	var at int64
	err := st.QueryRowContext(ctx, `SELECT receipt, at, state, stuck FROM envelope WHERE track=? AND environment=? AND issuer=?`, track, environment, issuer).
		Scan(&e.receipt, &at, &e.state, &e.stuck)
	if found, err := desk.Found(err); !found {
		return e, false, err
	}
	e.at = time.UnixMilli(at)
	e.docs, err = documents(ctx, st, `WHERE track=?`, track)
	return e, true, err
}

// add keeps an envelope and its documents in one commit; judge sees the documents that
// came before.
func (st store) add(ctx context.Context, e envelope,
	judge func(desk.Querier, *envelope) error) (track int64, err error) {
	err = st.Within(ctx, func(tx *sql.Tx) error {
		if err := judge(tx, &e); err != nil {
			return err
		}
		r, err := tx.ExecContext(ctx, `INSERT INTO envelope (environment, issuer, sha256, receipt, at, state, stuck) VALUES (?,?,?,?,?,?,?)`,
			e.environment, e.issuer, e.hash, e.receipt, e.at.UnixMilli(), e.state, e.stuck)
		if err != nil {
			return err
		}
		if track, err = r.LastInsertId(); err != nil {
			return err
		}
		for _, d := range e.docs {
			body, err := json.Marshal(d)
			if err != nil {
				return err
			}
			_, err = tx.ExecContext(ctx, `INSERT INTO document VALUES (?,?,?,?,?,?)`, e.environment, e.issuer, d.Type, d.Folio,
				track, string(body))
			if err != nil {
				return err
			}
		}
		return nil
	})
	return track, err
}
