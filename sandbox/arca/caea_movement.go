package arca

import (
	"context"
	"database/sql"
	"fmt"

	"folio/sandbox/desk"
)

// noMovement answers FECAEASinMovimientoInformar. A refusal has the code and the point of
// sale in it.
func (s *Server) noMovement(ctx context.Context, c *call, read *reader, o *out) error {
	ptoVta, caea := int(read.int(c.node, "PtoVta", 32)), read.text(c.node, "CAEA")
	if read.err != nil {
		return nil
	}
	c.seen.Series = fmt.Sprintf("CAEA %.14s, point of sale %d", caea, ptoVta)
	var no []Message
	err := s.store.Within(ctx, func(q *sql.Tx) (err error) {
		if no, err = s.judgeMovement(ctx, q, c, ptoVta, caea); err != nil || len(no) > 0 {
			return err
		}
		_, err = q.ExecContext(ctx, `INSERT INTO no_movement VALUES (?,?,?,?,?)`, c.environment, c.cuit, caea, ptoVta,
			s.today())
		return err
	})
	if err != nil {
		return err
	}
	o.text("CAEA", caea)
	o.text("FchProceso", s.today())
	o.int("PtoVta", int64(ptoVta))
	if len(no) == 0 {
		c.seen.Verdict = "A"
		o.text("Resultado", "A")
		return nil
	}
	c.seen.Verdict = "R " + joined(no)
	o.text("Resultado", "R")
	o.messages("Errors", "Err", no)
	return nil
}

// judgeMovement is the first reason to refuse (1200 to 1207, 1209).
func (s *Server) judgeMovement(ctx context.Context, q *sql.Tx, c *call, ptoVta int, caea string) ([]Message, error) {
	refuse := func(code int) ([]Message, error) { return []Message{coded(code)}, nil }
	for _, f := range c.struck {
		if f.Effect == Reject {
			return []Message{message(f, c.service)}, nil
		}
	}
	if !codeForm.MatchString(caea) {
		return refuse(1207)
	}
	held, cuit, ok, err := holder(ctx, q, c.environment, caea)
	if err != nil {
		return nil, err
	}
	point, _ := c.knobs.contingency(c.cuit, ptoVta)
	switch {
	case !ok:
		return refuse(1200)
	case cuit != c.cuit:
		return refuse(1201)
	case ptoVta < 1 || ptoVta > 99998:
		return refuse(1206)
	case !c.knobs.mayReport(c.environment, c.cuit, ptoVta):
		return refuse(1204)
	case point.Created > held.To || point.Closed != "" && point.Closed < held.From:
		return refuse(1205)
	case s.today() <= held.From:
		return refuse(1203)
	}
	used, err := reportedUnder(ctx, q, c.issuer(), ptoVta, caea)
	if err != nil || used {
		return []Message{coded(1202)}, err
	}
	if told, err := toldEmpty(ctx, q, c.issuer(), ptoVta, caea); err != nil || told {
		return []Message{coded(1209)}, err
	}
	return nil, nil
}

// movements answers FECAEASinMovimientoConsultar; PtoVta 0 is all.
func (s *Server) movements(ctx context.Context, c *call, read *reader, o *out) (err error) {
	ptoVta, caea := int(read.int(c.node, "PtoVta", 32)), read.text(c.node, "CAEA")
	switch {
	case read.err != nil:
		return nil
	case !codeForm.MatchString(caea):
		o.WriteString(c.refuse(coded(10100)))
		return nil
	case ptoVta < 0 || ptoVta > 99998:
		o.WriteString(c.refuse(coded(10101)))
		return nil
	}
	told, err := empties(ctx, s.store, c.issuer(), ptoVta, caea)
	if err != nil {
		return err
	}
	if len(told) == 0 {
		no := 10102
		if used, err := reportedUnder(ctx, s.store, c.issuer(), ptoVta, caea); err != nil || used {
			no = 10105
		}
		o.WriteString(c.refuse(coded(no)))
		return nil
	}
	list(o, "ResultGet", "FECAEASinMov", told, func(e emptyPoint) {
		o.text("CAEA", e.CAEA)
		o.text("FchProceso", e.At)
		o.int("PtoVta", int64(e.PtoVta))
	})
	return nil
}

// emptyPoint is a point of sale that was told to be without vouchers of a CAEA.
type emptyPoint struct {
	CAEA   string `json:"caea"`
	PtoVta int    `json:"point_of_sale"`
	At     string `json:"at"` // yyyymmdd
}

// empties are those of a code; ptoVta 0 and caea "" are any.
func empties(ctx context.Context, q desk.Querier, by issuer, ptoVta int, caea string) ([]emptyPoint, error) {
	return desk.Bodies[emptyPoint](ctx, q, nil, `SELECT json_object('caea', code, 'point_of_sale', ptovta, 'at', at)
		FROM no_movement WHERE environment=? AND cuit=? AND (?=0 OR ptovta=?) AND (?='' OR code=?) ORDER BY code, ptovta`,
		by.environment, by.cuit, ptoVta, ptoVta, caea, caea)
}

func toldEmpty(ctx context.Context, q desk.Querier, by issuer, ptoVta int, caea string) (bool, error) {
	told, err := empties(ctx, q, by, ptoVta, caea)
	return len(told) > 0, err
}

// reportedUnder says that a voucher of a code was reported at a point of sale; 0 is any.
func reportedUnder(ctx context.Context, q desk.Querier, by issuer, ptoVta int, caea string) (used bool, err error) {
	err = q.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM voucher WHERE environment=? AND cuit=? AND (?=0 OR ptovta=?)
		AND body->>'reported' AND body->>'cae'=?)`, by.environment, by.cuit, ptoVta, ptoVta, caea).Scan(&used)
	return used, err
}
