package dgi

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"folio/sandbox/desk"
)

// receiveReport is EFACRECEPCIONREPORTE: it answers ACKRepDiario, AR or BR, or 109 for a
// report that came before.
func (c *call) receiveReport() {
	if c.begin() {
		return
	}
	r, root, bad := readReport(c.message.content)
	r.Environment = c.environment
	if bad == nil {
		switch err := signedReport(root, c.message.certificate, c.Knobs().TakeSHA1); {
		case r.RUC != c.message.ruc:
			bad = &remark{"R02", "RUCEmisor " + r.RUC + ", certificado RUC " + c.message.ruc}
		case err != nil:
			bad = &remark{"R03", err.Error()}
		case r.Date > c.now().In(Zone).Format(time.DateOnly):
			bad = &remark{"R06", "FechaResumen " + r.Date}
		}
	}
	if f, ok := desk.Find(c.struck, Cover); ok {
		bad = &remark{cmp.Or(f.Code, "R01"), f.Text}
	}
	id, repeated := int64(0), false
	if bad == nil {
		var err error
		if id, repeated, bad, err = c.store.addReport(c.r.Context(), r, c.now()); err != nil {
			c.broken(err)
			return
		}
	}
	if repeated {
		c.refuse("109", fmt.Sprintf("%s secuencia %d", r.Date, r.Sequence))
		return
	}
	c.seen.Verdict = fmt.Sprintf("AR %s, sequence %d, %d types", r.Date, r.Sequence, len(r.Summaries))
	if bad != nil {
		c.seen.Verdict = "BR " + bad.Code + " " + bad.Detail
	}
	text, err := c.reportReceipt(r, id, bad)
	if err != nil {
		c.broken(err)
		return
	}
	c.answer(text)
}

// reportReceipt is ACKRepDiario.
func (c *call) reportReceipt(r Report, id int64, bad *remark) (string, error) {
	text := c.ack("ACKRepDiario", envelope{id: id, ruc: c.message.ruc, at: c.now()}) + element("Tmst", stamp(c.now())) + `</Caratula><Detalle>`
	if bad == nil {
		text += element("Estado", "AR")
	} else {
		text += element("Estado", "BR") + reasons("MotivosRechazo", []remark{*bad})
	}
	return c.signed(text+`</Detalle>`, "ACKRepDiario")
}

// addReport keeps a report whose sequence follows the last one of its day (R05), and its
// ranges in the place of that one's. The same bytes again are no fault of sequence.
func (st *store) addReport(ctx context.Context, r Report, at time.Time) (id int64, repeated bool, bad *remark, err error) {
	sum := sha256.Sum256([]byte(r.XML))
	hash := hex.EncodeToString(sum[:])
	tx, err := st.db.BeginTx(ctx, nil)
	if err != nil {
		return 0, false, nil, err
	}
	defer func() { _ = tx.Rollback() }() // it does nothing after a commit
	var last int
	var same int
	if err := tx.QueryRowContext(ctx, `SELECT coalesce(max(sequence), 0), coalesce(sum(sha256=?), 0) FROM report WHERE environment=? AND ruc=? AND date=?`, hash, r.Environment, r.RUC, r.Date).Scan(&last, &same); err != nil {
		return 0, false, nil, err
	}
	if same > 0 {
		return 0, true, nil, nil
	}
	if r.Sequence != last+1 {
		return 0, false, &remark{"R05", fmt.Sprintf("SecEnvio %d, corresponde %d", r.Sequence, last+1)}, nil
	}
	body, err := json.Marshal(r)
	if err != nil {
		return 0, false, nil, err
	}
	res, err := tx.ExecContext(ctx, `INSERT INTO report (environment, ruc, date, sequence, sha256, at, body) VALUES (?,?,?,?,?,?,?)`, r.Environment, r.RUC, r.Date, r.Sequence, hash, at.UnixMilli(), string(body))
	if err != nil {
		return 0, false, nil, err
	}
	if id, err = res.LastInsertId(); err != nil {
		return 0, false, nil, err
	}
	if _, err := tx.ExecContext(ctx, `DELETE FROM reported WHERE environment=? AND ruc=? AND date=?`, r.Environment, r.RUC, r.Date); err != nil {
		return 0, false, nil, err
	}
	for _, s := range r.Summaries {
		for annulled, ranges := range map[bool][]Range{false: s.Numbers, true: s.Voided} {
			for _, n := range ranges {
				if _, err := tx.ExecContext(ctx, `INSERT INTO reported VALUES (?,?,?,?,?,?,?,?)`, r.Environment, r.RUC, r.Date, s.Type, n.Series, n.From, n.To, annulled); err != nil {
					return 0, false, nil, err
				}
			}
		}
	}
	return id, false, nil, tx.Commit()
}

// reports are the last ones received, newest first; ruc "" for all.
func (st *store) reports(ctx context.Context, ruc string, limit int) (out []Report, err error) {
	rows, err := st.db.QueryContext(ctx, `SELECT body FROM report WHERE ?='' OR ruc=? ORDER BY id DESC LIMIT ?`, ruc, ruc, limit)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	out = []Report{}
	for rows.Next() {
		var body string
		var r Report
		if err := rows.Scan(&body); err != nil {
			return nil, err
		}
		if err := json.Unmarshal([]byte(body), &r); err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, rows.Err()
}

// Reports are the daily reports that were accepted, newest first; ruc "" for those of
// all companies.
func (s *Server) Reports(ctx context.Context, ruc string, limit int) ([]Report, error) {
	return s.store.reports(ctx, ruc, limit)
}
