package arca

import (
	"context"
	"database/sql"
	"fmt"
	"regexp"
	"slices"
	"time"

	"folio/sandbox/desk"
)

var codeForm = regexp.MustCompile(`^\d{14}$`)

// reportedDetail is FECAEADetRequest: a detail with the code that it was issued under.
type reportedDetail struct {
	detail
	caea      string
	generated string
}

// reportCAEA answers FECAEARegInformativo: checks of issuer and header, then the vouchers in
// their order, of which the first refusal stops the rest.
func (s *Server) reportCAEA(ctx context.Context, c *call, read *reader, o *out) error {
	req := read.child(c.node, "FeCAEARegInfReq")
	head := read.child(req, "FeCabReq")
	quantity := int(read.int(head, "CantReg", 32))
	key := series{c.environment, c.cuit, int(read.int(head, "PtoVta", 32)), int(read.int(head, "CbteTipo", 32))}
	nodes := read.all(req, "FeDetReq", "FECAEADetRequest")
	b := reportedBatch{key, make([]reportedDetail, len(nodes)), make([]verdict, len(nodes))}
	for i, n := range nodes {
		b.details[i] = reportedDetail{detail: read.detail(n), caea: read.text(n, "CAEA"),
			generated: read.text(n, "CbteFchHsGen")}
		b.verdicts[i].detail, b.verdicts[i].code = b.details[i].detail, b.details[i].caea
	}
	if read.err != nil {
		return nil
	}
	errs := checkReport(key, quantity, len(nodes), c.knobs)
	if len(errs) == 0 {
		err := s.store.Within(ctx, func(q *sql.Tx) (err error) {
			errs, err = s.judgeReport(ctx, q, b, c)
			return err
		})
		if err != nil {
			return err
		}
	}
	c.saw(key, b.verdicts, errs)
	s.answer(o, key, reportedItem, b.verdicts, errs)
	return nil
}

// reportable are the types that FECAEARegInformativo takes (700).
var reportable = []int{1, 2, 3, 4, 6, 7, 8, 9, 11, 12, 13, 15, 51, 52, 53, 54, 63, 64, 201, 202, 203, 206, 207, 208,
	211, 212, 213}

// checkReport refuses a report as a whole (10000 to 10003, 1300, 700, 701).
func checkReport(key series, quantity, details int, k Knobs) []Message {
	point, _ := k.contingency(key.cuit, key.ptoVta)
	if errs := checkIssuer(key, quantity, details, k); len(errs) > 0 {
		return errs
	}
	switch {
	case key.ptoVta < 1 || key.ptoVta > 99998:
		return []Message{coded(1300)}
	case !slices.Contains(reportable, key.tipo):
		return []Message{coded(700)}
	case !k.mayReport(key.environment, key.cuit, key.ptoVta) || point.Blocked:
		return []Message{coded(701)}
	}
	return nil
}

// reportedBatch are the vouchers of one request, and what becomes of each.
type reportedBatch struct {
	key      series
	details  []reportedDetail
	verdicts []verdict
}

// judgeReport goes through the vouchers and keeps what it takes in q. A code that is missing
// and a number that does not follow are errors of the request, as they were recorded or as
// FECAESolicitar has them; anything else is an observation of the voucher.
func (s *Server) judgeReport(ctx context.Context, q *sql.Tx, b reportedBatch, c *call) ([]Message, error) {
	before, _, err := last(ctx, q, b.key)
	if err != nil {
		return nil, err
	}
	for i, d := range b.details {
		v := &b.verdicts[i]
		held, owner, known, err := holder(ctx, q, b.key.environment, d.caea)
		if err != nil {
			return nil, err
		}
		r := &report{detail: d, code: held, key: b.key, knobs: c.knobs, now: s.calendar(), before: before.Detail}
		if outside := r.form(); len(outside) > 0 {
			return outside, nil
		}
		if reasons := r.ofCode(known, owner); len(reasons) > 0 {
			v.obs = reasons
			return nil, nil
		}
		if d.Desde != before.Detail.Hasta+1 {
			return []Message{coded(703)}, nil
		}
		reasons, remarks, err := r.content(func(k series, n int64) (voucher, bool, error) { return find(ctx, q, k, n) })
		if err != nil {
			return nil, err
		}
		reasons, remarks = struckBy(c, i, reasons, remarks)
		if len(reasons) > 0 {
			v.obs = reasons
			return nil, nil
		}
		told, err := toldEmpty(ctx, q, b.key.issuer(), b.key.ptoVta, d.caea)
		if err != nil {
			return nil, err
		}
		if told {
			remarks = append(remarks, coded(1424))
		}
		before = voucher{Detail: d.detail, CAE: d.caea, Expires: held.To, Reported: true, Generated: d.generated,
			Processed: s.calendar().In(zone).Format("20060102150405"), Observations: remarks}
		if err := keep(ctx, q, b.key, before); err != nil {
			return nil, err
		}
		v.accepted, v.obs, v.granted = true, remarks, before
	}
	return nil, nil
}

// struckBy adds what is scripted about the voucher at place i.
func struckBy(c *call, i int, reasons, remarks []Message) ([]Message, []Message) {
	for _, f := range c.struck {
		switch {
		case f.Document != i:
		case f.Effect == Reject:
			reasons = append(reasons, message(f, c.service))
		case f.Effect == Observe:
			remarks = append(remarks, message(f, c.service))
		}
	}
	return reasons, remarks
}

// report is one voucher under the checks of FECAEARegInformativo.
type report struct {
	detail reportedDetail
	code   code // that it names
	key    series
	knobs  Knobs
	now    time.Time
	before detail // the last voucher of the series
}

// form checks what must be there at all (782 to 784, 711, 1416, 1433).
func (r *report) form() []Message {
	d := r.detail
	valid := func(n int64) bool { return n >= 1 && n <= 99_999_999 }
	switch {
	case !codeForm.MatchString(d.caea):
		return []Message{coded(782)}
	case !day(d.Fch):
		return []Message{coded(783)}
	case !valid(d.Desde) || !valid(d.Hasta):
		return []Message{coded(784)}
	case d.Hasta < d.Desde:
		return []Message{coded(1416)}
	case d.Hasta != d.Desde && kinds[r.key.tipo].class == classC:
		return []Message{coded(1433)}
	case d.Hasta != d.Desde && kinds[r.key.tipo].class != classB:
		return []Message{coded(711)}
	}
	return nil
}

// ofCode checks the code and its fortnight, and the dates (780, 705, 1414, 702, 709, 781, 704,
// 1444).
func (r *report) ofCode(known bool, owner int64) (reasons []Message) {
	point, _ := r.knobs.contingency(r.key.cuit, r.key.ptoVta)
	switch {
	case !known:
		return []Message{coded(780)}
	case owner != r.key.cuit:
		return []Message{coded(705)}
	case r.now.In(zone).Format(dateForm) <= r.code.From:
		return []Message{coded(1414)}
	}
	refuseIf := func(wrong bool, code int) {
		if wrong {
			reasons = append(reasons, coded(code))
		}
	}
	fch := r.detail.Fch
	refuseIf(fch < r.code.From || fch > r.code.To, 702)
	refuseIf(point.Created > r.code.To, 709)
	refuseIf(point.Created > fch, 781)
	refuseIf(fch < r.before.Fch, 704)
	refuseIf(!r.knobs.takes(r.key.cuit, r.key.ptoVta, kinds[r.key.tipo].class), 1444)
	return reasons
}

// content checks all the rest: what FECAESolicitar checks too, under the codes that it has here.
func (r *report) content(find func(series, int64) (voucher, bool, error)) (reasons, remarks []Message, err error) {
	d := r.detail.detail
	x := &examination{detail: &d, kind: kinds[r.key.tipo], series: r.key, now: r.now, knobs: r.knobs, find: find,
		reported: true}
	if _, _, err := x.run(); err != nil {
		return nil, nil, err
	}
	for _, m := range x.reasons {
		reasons, remarks = translated(m, x, reasons, remarks)
	}
	for _, m := range x.remarks {
		more, here := translated(m, x, nil, nil)
		remarks = append(append(remarks, more...), here...)
	}
	refuseIf := func(wrong bool, code int) {
		if wrong {
			reasons = append(reasons, coded(code))
		}
	}
	at, err := time.ParseInLocation("20060102150405", r.detail.generated, zone)
	refuseIf(r.detail.generated == "", 1440)
	refuseIf(r.detail.generated != "" && (err != nil || len(r.detail.generated) != 14), 1441)
	refuseIf(d.HasCompradores, 1432)
	refuseIf(d.HasOpcionales && !slices.Contains(withOptionals, r.key.tipo), 1426)
	refuseIf(d.HasAsoc && !slices.Contains(withAssociated, r.key.tipo), 807)
	if err == nil && !r.near(at) {
		remarks = append(remarks, coded(1445))
	}
	return reasons, remarks, nil
}

// Types that may carry optional data (1426) and associated vouchers (807).
var (
	withOptionals  = []int{1, 2, 3, 4, 5, 6, 7, 8, 34, 39, 60, 63, 64, 201, 202, 203, 206, 207, 208, 211, 212, 213}
	withAssociated = []int{1, 2, 3, 6, 7, 8, 12, 13, 51, 52, 53, 63, 64, 201, 202, 203, 206, 207, 208, 211, 212, 213}
)

// near says that the date is within five days of the voucher's making, ten for services.
func (r *report) near(at time.Time) bool {
	days := 5
	if r.detail.Concepto != 1 {
		days = 10
	}
	from, to := at.AddDate(0, 0, -days).Format(dateForm), at.AddDate(0, 0, days).Format(dateForm)
	return r.detail.Fch >= from && r.detail.Fch <= to
}

// grantAny authorizes a voucher as another system would: at a point of sale of CAEA, under
// the code of the voucher's fortnight, if there is one.
func (s *Server) grantAny(ctx context.Context, q desk.Querier, key series, d detail) error {
	if _, ok := s.Knobs().contingency(key.cuit, key.ptoVta); !ok {
		_, err := s.grant(ctx, q, key, voucher{Detail: d})
		return err
	}
	on, err := time.ParseInLocation(dateForm, d.Fch, zone)
	if err != nil {
		return err
	}
	orden := 1 + min(on.Day()/16, 1)
	held, ok, err := findCode(ctx, q, key.issuer(), on.Year()*100+int(on.Month()), orden)
	if err != nil || !ok {
		return fmt.Errorf("there is no CAEA for %s: %w", d.Fch, err)
	}
	now := s.calendar().In(zone).Format("20060102150405")
	return keep(ctx, q, key, voucher{Detail: d, CAE: held.CAEA, Expires: held.To, Reported: true, Generated: now,
		Processed: now})
}
