package arca

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"folio/authority"
	"folio/country"
	"folio/events"
)

var _ authority.Contingency = (*Driver)(nil)

// issuerCodes are refusals of the company as FECAEASolicitar words them: inactive, no point
// of sale of CAEA, domicile, taxes, activity, regime, no main point of sale in the domicile.
var issuerCodes = []int{15000, 15003, 15009, 15010, 15011, 15012, 15016}

// Ask calls FECAEASolicitar.
func (d *Driver) Ask(ctx context.Context, c authority.Credential, f authority.Fortnight,
	rec authority.Recorder) (authority.ContingencyCode, error) {
	t, periodo, err := d.talkOf(c, f, rec)
	if err != nil {
		return authority.ContingencyCode{}, err
	}
	got, err := t.AskCAEA(ctx, periodo, f.Order)
	if err != nil {
		return authority.ContingencyCode{}, translate(err)
	}
	return codeGiven(got, f, t), nil
}

// Consult calls FECAEAConsultar.
func (d *Driver) Consult(ctx context.Context, c authority.Credential, f authority.Fortnight,
	rec authority.Recorder) (authority.ContingencyCode, bool, error) {
	t, periodo, err := d.talkOf(c, f, rec)
	if err != nil {
		return authority.ContingencyCode{}, false, err
	}
	got, ok, err := t.ConsultCAEA(ctx, periodo, f.Order)
	if err != nil || !ok {
		return authority.ContingencyCode{}, false, translate(err)
	}
	return codeGiven(got, f, t), true, nil
}

// talkOf is a conversation about a fortnight, and its Periodo.
func (d *Driver) talkOf(c authority.Credential, f authority.Fortnight, rec authority.Recorder) (*conversation, int,
	error) {
	if _, err := time.Parse("200601", f.Period); err != nil || f.Order != 1 && f.Order != 2 {
		return nil, 0, authority.NotSent(fmt.Errorf("fortnight %d of %.10q is none", f.Order, f.Period))
	}
	periodo, err := strconv.Atoi(f.Period)
	if err != nil {
		return nil, 0, authority.NotSent(err)
	}
	t, err := d.talk(c, rec)
	return t, periodo, err
}

func codeGiven(c CAEA, f authority.Fortnight, by announced) authority.ContingencyCode {
	return authority.ContingencyCode{Code: c.Code, Fortnight: f, From: isoDate(c.From), To: isoDate(c.To),
		ReportUntil: isoDate(c.ReportUntil), Processed: c.Processed, Remarks: messages(c.Observations),
		Sandbox: by.noValue()}
}

// Freeze writes FECAEADetRequest.
func (*Driver) Freeze(doc authority.Document, code string, at time.Time) (authority.Frozen, error) {
	if !isCode(code) {
		return authority.Frozen{}, unfit(doc, "a CAEA that has not 14 digits")
	}
	v, err := voucher(doc)
	if err != nil {
		return authority.Frozen{}, err
	}
	content, err := CAEAVoucher{Voucher: v, CAEA: code, Generated: generated(at)}.XML()
	if err != nil {
		return authority.Frozen{}, err
	}
	return authority.Frozen{Invoice: doc.Invoice, Number: doc.Number, Prepared: authority.Prepare(content)}, nil
}

// thawed are the vouchers that were frozen. Bytes that are not those of their digest and
// number are reported to nobody.
func thawed(batch []authority.Frozen) ([]CAEAVoucher, [][]byte, error) {
	vouchers, details := make([]CAEAVoucher, len(batch)), make([][]byte, len(batch))
	for i, f := range batch {
		v, err := ParseCAEAVoucher(f.Content)
		if err == nil && (authority.Prepare(f.Content).SHA256 != f.SHA256 || v.CbteDesde != f.Number) {
			err = errors.New("what was kept of it is not what was frozen")
		}
		if err != nil {
			return nil, nil, authority.NotSent(fmt.Errorf("report of number %d: %w", f.Number, err))
		}
		vouchers[i], details[i] = v, f.Content
	}
	return vouchers, details, nil
}

// Report calls FECAEARegInformativo once.
func (d *Driver) Report(ctx context.Context, c authority.Credential, s authority.Series, batch []authority.Frozen,
	rec authority.Recorder) ([]authority.ReportOutcome, error) {
	vouchers, details, err := thawed(batch)
	if err != nil {
		return nil, err
	}
	t, err := d.talk(c, rec)
	if err != nil {
		return nil, err
	}
	a, err := t.Report(ctx, s.BranchOffice, s.OfficialCode, vouchers, details)
	var refused *Refused
	if errors.As(err, &refused) && !slices.ContainsFunc(refused.Errors, ofHead) {
		a.Verdicts = judgeReport(vouchers, unprocessed(vouchers), refused.Errors)
		err = nil
	}
	if err != nil {
		d.unlearn(c.Environment, err)
		return nil, translate(err)
	}
	return reported(batch, a, t)
}

// unprocessed are the details of an answer that has none: what it refuses is the first, since
// nothing was taken.
func unprocessed(vouchers []CAEAVoucher) []reportDetail {
	return country.Collect(vouchers, func(v CAEAVoucher) reportDetail {
		return reportDetail{CbteDesde: v.CbteDesde, Resultado: "R"}
	})
}

// reported are the verdicts in the order of the batch. What the answer does not say is an
// error: ask FindReported.
func reported(batch []authority.Frozen, a Authorization, by announced) ([]authority.ReportOutcome, error) {
	out := make([]authority.ReportOutcome, len(batch))
	for i, v := range a.Verdicts {
		o := authority.ReportOutcome{Invoice: batch[i].Invoice, Number: batch[i].Number, Messages: messages(v.Messages),
			Processed: a.Processed, Sandbox: by.noValue()}
		switch v.Decision {
		case Accepted:
			o.Result = authority.ReportTaken
			if len(o.Messages) > 0 {
				o.Result = authority.ReportObserved
			}
		case Rejected, OutOfStep:
			o.Result, o.WrongNumber = authority.ReportRefused, v.Decision == OutOfStep
			o.TooEarly = has(v.Messages, codeCAEAEarly)
		case NotProcessed:
			o.Result = authority.ReportUnprocessed
		default:
			return nil, fmt.Errorf("the answer does not say what became of number %d", o.Number)
		}
		out[i] = o
	}
	return out, nil
}

// FindReported calls FECompConsultar and compares what it answers with what was frozen. It is
// not the same unless it was issued under the same CAEA.
func (d *Driver) FindReported(ctx context.Context, c authority.Credential, s authority.Series, f authority.Frozen,
	rec authority.Recorder) (authority.Found, error) {
	vouchers, _, err := thawed([]authority.Frozen{f})
	if err != nil {
		return authority.Found{}, err
	}
	t, err := d.talk(c, rec)
	if err != nil {
		return authority.Found{}, err
	}
	held, exists, err := t.Find(ctx, s.BranchOffice, s.OfficialCode, f.Number)
	if err != nil || !exists {
		return authority.Found{}, translate(err)
	}
	ours := vouchers[0]
	differ := differences(held.Differences(ours.Voucher))
	differ.unless(isCAEA(held.EmissionType), "EmisionTipo")
	differ.unless(held.Code == ours.CAEA, "CodAutorizacion")
	return found(held, differ, t), nil
}

// found is a voucher that the authority holds.
func found(held Registered, differ []string, by announced) authority.Found {
	return authority.Found{
		Exists: true, Same: len(differ) == 0, Difference: strings.Join(differ, ", "), Sandbox: by.noValue(),
		Authorization: events.Authorization{Type: held.EmissionType, Code: held.Code, ExpiresOn: isoDate(held.Expires),
			Date: isoDate(held.CbteFch), Processed: held.Processed, Extra: by.extra()},
		Observations: messages(held.Observations),
	}
}

// isCAEA tells vouchers and points of sale of CAEA from those of CAE. The real texts of
// points of sale are longer ("CAEA - Fact. Elect. (RECE) - RI IVA"): the beginning counts.
func isCAEA(emission string) bool { return strings.HasPrefix(strings.TrimSpace(emission), "CAEA") }

// NoMovement calls FECAEASinMovimientoInformar.
func (d *Driver) NoMovement(ctx context.Context, c authority.Credential, code string, point int,
	rec authority.Recorder) (authority.MovementAnswer, error) {
	t, err := d.talk(c, rec)
	if err != nil {
		return authority.MovementAnswer{}, err
	}
	m, err := t.NoMovement(ctx, point, code)
	out := authority.MovementAnswer{Result: authority.MovementTaken, Processed: m.Processed, Sandbox: t.noValue()}
	var refused *Refused
	if !errors.As(err, &refused) {
		return out, translate(err)
	}
	out.Messages = messages(refused.Errors)
	switch {
	case refused.Has(codeMovementKnown):
		out.Result = authority.MovementKnown
	case refused.Has(codeMovementUsed):
		out.Result = authority.MovementUsed
	case refused.Has(codeMovementEarly):
		out.Result = authority.MovementEarly
	case refused.aboutMovement():
		out.Result = authority.MovementRefused
	default:
		return authority.MovementAnswer{}, translate(err)
	}
	return out, nil
}

// aboutMovement says that the service judged the code and the point of sale, 1200 to 1209.
func (e *Refused) aboutMovement() bool {
	return slices.ContainsFunc(e.Errors, func(m Message) bool {
		return m.Code >= 1200 && m.Code <= codeMovementKnown
	})
}

// NoMovementReported calls FECAEASinMovimientoConsultar.
func (d *Driver) NoMovementReported(ctx context.Context, c authority.Credential, code string, point int,
	rec authority.Recorder) ([]authority.NoMovement, error) {
	t, err := d.talk(c, rec)
	if err != nil {
		return nil, err
	}
	all, err := t.Movements(ctx, code, point)
	if err != nil {
		return nil, translate(err)
	}
	out := make([]authority.NoMovement, len(all))
	for i, m := range all {
		out[i] = authority.NoMovement{Code: m.CAEA, PointOfSale: m.PtoVta, Processed: m.Processed}
	}
	return out, nil
}

// PointsOfSale calls FEParamGetPtosVenta.
func (d *Driver) PointsOfSale(ctx context.Context, c authority.Credential,
	rec authority.Recorder) ([]authority.PointOfSale, bool, error) {
	t, err := d.talk(c, rec)
	if err != nil {
		return nil, false, err
	}
	all, told, err := t.Points(ctx)
	if err != nil || !told {
		return nil, false, translate(err)
	}
	out := make([]authority.PointOfSale, len(all))
	for i, p := range all {
		out[i] = authority.PointOfSale{Number: p.Nro, Emission: p.Emision, Contingency: isCAEA(p.Emision),
			Blocked: p.Blocked != "N", ClosedOn: isoDate(p.Closed)}
	}
	return out, true, nil
}
