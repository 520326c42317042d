package dgi

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
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
		case r.Date > c.Now().In(Zone).Format(time.DateOnly):
			bad = &remark{"R06", "FechaResumen " + r.Date}
		}
	}
	if f, ok := desk.Find(c.struck, Cover); ok {
		bad = &remark{cmp.Or(f.Code, "R01"), f.Text}
	}
	id, repeated := int64(0), false
	if bad == nil {
		var err error
		if id, repeated, bad, err = c.store.addReport(c.r.Context(), r, c.Now()); err != nil {
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
	text, err := c.reportReceipt(id, bad)
	if err != nil {
		c.broken(err)
		return
	}
	c.answer(text)
}

// reportReceipt is ACKRepDiario.
func (c *call) reportReceipt(id int64, bad *remark) (string, error) {
	text := c.ack("ACKRepDiario", envelope{id: id, ruc: c.message.ruc, at: c.Now()}) + element("Tmst", stamp(c.Now())) +
		`</Caratula><Detalle>`
	if bad == nil {
		text += element("Estado", "AR")
	} else {
		text += element("Estado", "BR") + reasons("MotivosRechazo", []remark{*bad})
	}
	return c.signed(text+`</Detalle>`, "ACKRepDiario")
}

// addReport keeps a report whose sequence follows the last one of its day (R05), and its
// ranges in the place of that one's. The same bytes again are no fault of sequence.
func (st store) addReport(ctx context.Context, r Report,
	at time.Time) (id int64, repeated bool, bad *remark, err error) {
	sum := sha256.Sum256([]byte(r.XML))
	hash := hex.EncodeToString(sum[:])
	err = st.Within(ctx, func(tx *sql.Tx) error {
		var last, same int
		err := tx.QueryRowContext(ctx, `SELECT coalesce(max(sequence), 0), coalesce(sum(sha256=?), 0) FROM report WHERE environment=? AND ruc=? AND date=?`,
			hash, r.Environment, r.RUC, r.Date).Scan(&last, &same)
		if repeated = same > 0; err != nil || repeated {
			return err
		}
		if r.Sequence != last+1 {
			bad = &remark{"R05", fmt.Sprintf("SecEnvio %d, corresponde %d", r.Sequence, last+1)}
			return nil
		}
		id, err = r.keep(ctx, tx, hash, at)
		return err
	})
	return id, repeated, bad, err
}

// keep keeps a report, and its ranges in the place of those of the report before it.
func (r Report) keep(ctx context.Context, tx *sql.Tx, hash string, at time.Time) (int64, error) {
	body, err := json.Marshal(r)
	if err != nil {
		return 0, err
	}
	res, err := tx.ExecContext(ctx, `INSERT INTO report (environment, ruc, date, sequence, sha256, at, body) VALUES (?,?,?,?,?,?,?)`,
		r.Environment, r.RUC, r.Date, r.Sequence, hash, at.UnixMilli(), string(body))
	if err != nil {
		return 0, err
	}
	if _, err := tx.ExecContext(ctx, `DELETE FROM reported WHERE environment=? AND ruc=? AND date=?`, r.Environment, r.RUC,
		r.Date); err != nil {
		return 0, err
	}
	for _, s := range r.Summaries {
		for annulled, ranges := range map[bool][]Range{false: s.Numbers, true: s.Voided} {
			for _, n := range ranges {
				_, err := tx.ExecContext(ctx, `INSERT INTO reported VALUES (?,?,?,?,?,?,?,?)`,
					r.Environment, r.RUC, r.Date, s.Type, n.Series, n.From, n.To, annulled)
				if err != nil {
					return 0, err
				}
			}
		}
	}
	return res.LastInsertId()
}

// Reports are the daily reports that were accepted, newest first; ruc "" for those of
// all companies.
func (s *Server) Reports(ctx context.Context, ruc string, limit int) ([]Report, error) {
	list, err := desk.Bodies[Report](ctx, s.store, nil,
		`SELECT body FROM report WHERE ?='' OR ruc=? ORDER BY id DESC LIMIT ?`, ruc, ruc, limit)
	if list == nil {
		list = []Report{}
	}
	return list, err
}
