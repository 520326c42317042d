package dgi

import (
	"context"
	"database/sql"
	"encoding/json"
	"slices"
	"time"

	"folio/sandbox/desk"
)

// The states of a document.
const (
	accepted = "AE"
	rejected = "BE"
)

// document is one that came in an envelope, with its verdict.
type document struct {
	Type      int      `json:"type"`
	Series    string   `json:"series"`
	Number    int64    `json:"number"`
	Date      string   `json:"date"`      // FchEmis
	SignedAt  string   `json:"signed_at"` // TmstFirma
	Recipient string   `json:"recipient,omitempty"`
	Currency  string   `json:"currency,omitempty"`
	Rate      string   `json:"rate,omitempty"` // TpoCambio
	Total     string   `json:"total"`          // MntPagar
	State     string   `json:"state"`
	Remarks   []remark `json:"remarks,omitempty"`
	Envelope  int64    `json:"envelope"` // IDReceptor
}

// burns says whether the number of a refused document can never be used again: all
// refusals burn it but E02 and E09 (Formato de Mensaje de Respuesta v19, section 1).
func (d document) burns() bool {
	return !slices.ContainsFunc(d.Remarks, func(r remark) bool { return r.Code == "E02" || r.Code == "E09" })
}

// envelope is a sobre that was received.
type envelope struct {
	id          int64 // IDReceptor
	environment string
	ruc         string
	idEmisor    int64
	hash        string
	at, ready   time.Time
	token       string
	stuck       bool
	partial     bool
	told        int // messages of verdicts that left
	count       int
	bad         *remark // BS; such envelopes are not kept
	repeated    bool    // the same bytes came before
	documents   []document
}

// usedNumber is the hash of the envelope that was received under an Idemisor.
func usedNumber(ctx context.Context, q desk.Querier, e envelope) (hash string, found bool, err error) {
	err = q.QueryRowContext(ctx, `SELECT sha256 FROM envelope WHERE environment=? AND ruc=? AND idemisor=?`, e.environment,
		e.ruc, e.idEmisor).Scan(&hash)
	found, err = desk.Found(err)
	return hash, found, err
}

// add keeps an envelope and its documents in one commit; judge sees what came before,
// and fills in the documents or says that nothing is kept.
func (st store) add(ctx context.Context, e *envelope, judge func(desk.Querier) error) error {
	return st.Within(ctx, func(tx *sql.Tx) error {
		if err := judge(tx); err != nil || e.bad != nil || e.repeated {
			return err
		}
		r, err := tx.ExecContext(ctx, `INSERT INTO envelope (environment, ruc, idemisor, sha256, at, ready, token, stuck, partial, told)
			VALUES (?,?,?,?,?,?,?,?,?,0)`, e.environment, e.ruc, e.idEmisor, e.hash, e.at.UnixMilli(), e.ready.UnixMilli(),
			e.token, e.stuck, e.partial)
		if err != nil {
			return err
		}
		if e.id, err = r.LastInsertId(); err != nil {
			return err
		}
		for i := range e.documents {
			d := &e.documents[i]
			d.Envelope = e.id
			body, err := json.Marshal(d)
			if err != nil {
				return err
			}
			_, err = tx.ExecContext(ctx, `INSERT INTO document VALUES (?,?,?,?,?,?,?,?)`,
				e.environment, e.ruc, d.Type, d.Series, d.Number, e.id, i, string(body))
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// envelope is one by its IDReceptor; false for none.
func (st store) envelope(ctx context.Context, environment string, id int64) (envelope, bool, error) {
	e := envelope{id: id, environment: environment}
	var at, ready int64
	err := st.QueryRowContext(ctx, `SELECT ruc, idemisor, sha256, at, ready, token, stuck, partial, told FROM envelope WHERE id=? AND environment=?`, id, environment).
		Scan(&e.ruc, &e.idEmisor, &e.hash, &at, &ready, &e.token, &e.stuck, &e.partial, &e.told)
	if found, err := desk.Found(err); !found {
		return e, false, err
	}
	e.at, e.ready = time.UnixMilli(at), time.UnixMilli(ready)
	e.documents, err = documents(ctx, st, `WHERE envelope=? ORDER BY ordinal`, id)
	e.count = len(e.documents)
	return e, true, err
}

// tell notes that a message of verdicts is about to leave.
func (st store) tell(ctx context.Context, id int64) error {
	_, err := st.ExecContext(ctx, `UPDATE envelope SET told=told+1 WHERE id=?`, id)
	return err
}

// identity is what a CFE is known by.
type identity struct {
	environment, ruc string
	code             int
	series           string
	number           int64
}

// known are the documents that came under a number, in order.
func known(ctx context.Context, q desk.Querier, i identity) ([]document, error) {
	return documents(ctx, q, `WHERE environment=? AND ruc=? AND type=? AND series=? AND number=? ORDER BY envelope, ordinal`,
		i.environment, i.ruc, i.code, i.series, i.number)
}

func documents(ctx context.Context, q desk.Querier, where string, args ...any) ([]document, error) {
	return desk.Bodies[document](ctx, q, nil, `SELECT body FROM document `+where, args...)
}

// findCAE is one that was given out, by its number.
func findCAE(ctx context.Context, q desk.Querier, number string) (authorization, bool, error) {
	a := authorization{Number: number}
	err := q.QueryRowContext(ctx, `SELECT ruc, type, series, first, last, kind, issued, expires, coalesce(special, 0), coalesce(cause, 0)
		FROM cae LEFT JOIN special USING (number) WHERE number=?`, number).
		Scan(&a.RUC, &a.Type, &a.Series, &a.From, &a.To, &a.Kind, &a.Issued, &a.Expires, &a.Special, &a.Cause)
	found, err := desk.Found(err)
	return a, found, err
}

// reported asks whether a number is in the last daily report of some day, as used or as
// annulled.
func reported(ctx context.Context, q desk.Querier, i identity, annulled bool) (bool, error) {
	var n int
	err := q.QueryRowContext(ctx, `SELECT count(*) FROM reported WHERE environment=? AND ruc=? AND type=? AND series=? AND first<=? AND last>=? AND annulled=?`,
		i.environment, i.ruc, i.code, i.series, i.number, i.number, annulled).Scan(&n)
	return n > 0, err
}
