package arca

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"folio/sandbox/desk"
)

// code is a CAEA as the service keeps it. Days are yyyymmdd.
type code struct {
	CAEA         string    `json:"caea"`
	Periodo      int       `json:"periodo"`
	Orden        int       `json:"orden"`
	From         string    `json:"from"`
	To           string    `json:"to"`
	ReportUntil  string    `json:"report_until"`
	Processed    string    `json:"processed"`
	Observations []Message `json:"observations,omitempty"`
}

// fortnight are the first and last day of one. False: there is none such.
func fortnight(periodo, orden int) (from, to time.Time, ok bool) {
	first, err := time.ParseInLocation("200601", fmt.Sprint(periodo), zone)
	switch {
	case err != nil || orden != 1 && orden != 2:
		return from, to, false
	case orden == 1:
		return first, first.AddDate(0, 0, 14), true
	}
	return first.AddDate(0, 0, 15), first.AddDate(0, 1, -1), true
}

// checkFortnight refuses what is no fortnight (15004, 15005).
func checkFortnight(periodo, orden int) []Message {
	if _, _, ok := fortnight(periodo, 1); !ok {
		return []Message{coded(15004)}
	}
	if _, _, ok := fortnight(periodo, orden); !ok {
		return []Message{coded(15005)}
	}
	return nil
}

// askCAEA answers FECAEASolicitar: from five days before a fortnight to its last day, once.
func (s *Server) askCAEA(ctx context.Context, c *call, read *reader, o *out) error {
	periodo, orden := int(read.int(c.node, "Periodo", 32)), int(read.int(c.node, "Orden", 16))
	if read.err != nil {
		return nil
	}
	c.seen.Series = fmt.Sprintf("CAEA %d, %d", periodo, orden)
	if no := append(checkHolder(c), checkFortnight(periodo, orden)...); len(no) > 0 {
		o.WriteString(c.refuse(no...))
		return nil
	}
	from, to, _ := fortnight(periodo, orden)
	today, opens := s.today(), from.AddDate(0, 0, -5)
	if today < opens.Format(dateForm) || today > to.Format(dateForm) {
		o.WriteString(c.refuse(Message{15006, "Fecha de envío podrá ser desde 5 días corridos anteriores al inicio hasta " +
			"el último dia de cada quincena. Del " + opens.Format("1/2/2006") + " hasta " + to.Format("1/2/2006")}))
		return nil
	}
	var given code
	taken := false
	err := s.store.Within(ctx, func(q *sql.Tx) (err error) {
		if _, taken, err = findCode(ctx, q, c.issuer(), periodo, orden); err != nil || taken {
			return err
		}
		n, err := count(ctx, q, c.environment)
		now := s.calendar().In(zone)
		given = code{CAEA: cae(now, n), Periodo: periodo, Orden: orden, From: from.Format(dateForm),
			To: to.Format(dateForm), ReportUntil: to.AddDate(0, 0, 8).Format(dateForm),
			Processed: now.Format("20060102150405"), Observations: remarksOnCode(c)}
		if err != nil {
			return err
		}
		return keepCode(ctx, q, c.environment, c.cuit, given)
	})
	switch {
	case err != nil:
		return err
	case taken:
		o.WriteString(c.refuse(coded(15008)))
	default:
		c.seen.Verdict = "A " + given.CAEA + " " + joined(given.Observations)
		given.write(o)
	}
	return nil
}

// checkHolder refuses taxpayers that get no CAEA (15000, 15003), as far as the registry of a
// sandbox can say; its other reasons are scripted as the effect error.
func checkHolder(c *call) []Message {
	switch c.knobs.Registry[c.cuit] {
	case Inactive, Unknown, Deceased:
		return []Message{coded(15000)}
	}
	const some = 1 // of a taxpayer without a list one point of sale is like another
	points, listed := c.knobs.ContingencyPoints[c.cuit]
	active := slices.ContainsFunc(points, func(p Point) bool { return !p.Blocked && p.Closed == "" })
	if active || !listed && c.knobs.mayReport(c.environment, c.cuit, some) {
		return nil
	}
	return []Message{coded(15003)}
}

// remarksOnCode come with a code: what is owed (15014), and what is scripted.
func remarksOnCode(c *call) (out []Message) {
	for i, owed := range c.knobs.Debts[c.cuit] {
		if i == 0 {
			out = append(out, coded(15014))
		}
		out[0].Text += " " + owed
	}
	for _, f := range c.struck {
		if f.Effect == Observe {
			out = append(out, message(f, c.service))
		}
	}
	return out
}

// consultCAEA answers FECAEAConsultar. That there is none is 602, with what was asked.
func (s *Server) consultCAEA(ctx context.Context, c *call, read *reader, o *out) error {
	periodo, orden := int(read.int(c.node, "Periodo", 32)), int(read.int(c.node, "Orden", 16))
	if read.err != nil {
		return nil
	}
	c.seen.Series = fmt.Sprintf("CAEA %d, %d", periodo, orden)
	if no := checkFortnight(periodo, orden); no != nil {
		o.WriteString(c.refuse(no...))
		return nil
	}
	held, ok, err := findCode(ctx, s.store, c.issuer(), periodo, orden)
	if err != nil {
		return err
	}
	if ok {
		held.write(o)
		return nil
	}
	code{Periodo: periodo, Orden: orden}.write(o)
	o.WriteString(c.refuse(coded(602)))
	return nil
}

func (c code) write(o *out) {
	o.in("ResultGet", func() {
		o.some("CAEA", c.CAEA)
		o.int("Periodo", int64(c.Periodo))
		o.int("Orden", int64(c.Orden))
		o.some("FchVigDesde", c.From)
		o.some("FchVigHasta", c.To)
		o.some("FchTopeInf", c.ReportUntil)
		o.some("FchProceso", c.Processed)
		o.messages("Observaciones", "Obs", c.Observations)
	})
}

func findCode(ctx context.Context, q desk.Querier, by issuer, periodo, orden int) (code, bool, error) {
	c, _, ok, err := scanCode(q.QueryRowContext(ctx,
		`SELECT body, cuit FROM caea WHERE environment=? AND cuit=? AND periodo=? AND orden=?`, by.environment, by.cuit,
		periodo,
		orden))
	return c, ok, err
}

// holder is a CAEA by its digits, and whose it is.
func holder(ctx context.Context, q desk.Querier, environment, caea string) (c code, cuit int64, ok bool, err error) {
	return scanCode(q.QueryRowContext(ctx, `SELECT body, cuit FROM caea WHERE environment=? AND code=?`, environment,
		caea))
}

func scanCode(row *sql.Row) (c code, cuit int64, ok bool, err error) {
	var body []byte
	if found, err := desk.Found(row.Scan(&body, &cuit)); !found {
		return c, 0, false, err
	}
	return c, cuit, true, json.Unmarshal(body, &c)
}

func keepCode(ctx context.Context, q desk.Querier, environment string, cuit int64, c code) error {
	body, err := json.Marshal(c)
	if err != nil {
		return err
	}
	_, err = q.ExecContext(ctx, `INSERT INTO caea VALUES (?,?,?,?,?,?)`, environment, cuit, c.Periodo, c.Orden, c.CAEA,
		string(body))
	return err
}
