package contingency

import (
	"context"
	"errors"
	"fmt"
	"time"

	"folio/authority"
	"folio/commands/caea"
	"folio/commands/company"
	"folio/commands/numbering"
	"folio/country"
	"folio/events"
	"folio/processors/lanes"
)

// settleAfter is how long after the end of a fortnight a point counts as idle: a document of its
// last moment is in the log by then.
const settleAfter = time.Hour

// code looks after the code of a fortnight until it is closed: it tells the authority of the
// points that issued nothing, warns before the last day of reports, and closes.
func (p *Processor) code(ctx context.Context, id string) (lanes.Next, error) {
	it, err := p.item(ctx, ofCode, id)
	if err != nil {
		return lanes.Done(), err
	}
	f, err := caea.Parse(id)
	if err != nil {
		return lanes.Done(), err
	}
	state, _, err := p.log.CAEAs.Load(ctx, id)
	if err != nil {
		return lanes.Done(), err
	}
	if state.Closed || state.Granted == nil {
		return lanes.Done(), p.finished(ctx, it)
	}
	co, rules, contingent, err := p.home(ctx, f.Company)
	if err != nil {
		return lanes.Done(), err
	}
	over := startOf(rules, dayAfter(state.Granted.To)).Add(settleAfter)
	if p.Clock.Now().Before(over) {
		return lanes.Until(over), nil
	}
	c := closing{f, state, co, rules, contingent}
	failed := p.idlePoints(ctx, c)
	points, err := p.points(ctx, c)
	if err != nil {
		return lanes.Done(), err
	}
	if state, _, err = p.log.CAEAs.Load(ctx, id); err != nil {
		return lanes.Done(), err
	}
	out, err := p.log.CAEAs.Execute(ctx, id, caea.Close{Points: points}, p.request(id, "close"))
	switch {
	case err == nil && out.State.Closed:
		return lanes.Done(), p.finished(ctx, it)
	case err != nil && !errors.Is(err, caea.ErrOwed):
		return lanes.Done(), err
	}
	if err := p.remind(ctx, c, left(points, state)); err != nil {
		return lanes.Done(), err
	}
	return lanes.Until(p.tomorrow(rules)), failed
}

// closing is a code whose fortnight is over.
type closing struct {
	fortnight  caea.Fortnight
	state      caea.State
	company    company.State
	rules      country.Rules
	contingent country.Contingent
}

// points are what each contingency point did with the code, over all kinds of documents. One that a setting named on
// any day of the fortnight, since the code was given, counts: its movement, or that there was none, is told. One that
// no setting named any more by then counts where documents were issued by the code there: whether the authority still
// has it as a contingency point is not known here, so nothing else is told of it.
func (p *Processor) points(ctx context.Context, c closing) (out []caea.Point, err error) {
	since := startOf(c.rules, c.state.Granted.From)
	if c.state.GrantedAt.After(since) {
		since = c.state.GrantedAt
	}
	for _, number := range c.company.ContingencyPoints {
		point := caea.Point{Number: number}
		for _, kind := range c.contingent.ContingencyTypes() {
			s, _, err := p.log.Numbering.Load(ctx, c.series(kind, number).ID())
			if err != nil {
				return nil, err
			}
			point.Issued += s.Contingent.Issued[c.fortnight.Name()]
			point.Reported += s.Contingent.Reported[c.fortnight.Name()]
			point.Foreign = point.Foreign || s.Held != ""
		}
		if point.Issued > 0 || c.company.NamedAfter(number, since) {
			out = append(out, point)
		}
	}
	return out, nil
}

func (c closing) series(kind, point int) numbering.Series {
	return numbering.Series{Company: c.fortnight.Company, Environment: c.fortnight.Environment, OfficialCode: kind,
		BranchOffice: point}
}

// left is what is still to be reported: documents, and points without any.
func left(points []caea.Point, s caea.State) (n int64) {
	for _, point := range points {
		n += point.Issued - point.Reported
		if point.Issued == 0 && !s.Idle[point.Number] {
			n++
		}
	}
	return n
}

// idlePoints tells the authority of the points that issued nothing by the code. One that it
// knows documents of is used by somebody else: it is left alone, and told.
func (p *Processor) idlePoints(ctx context.Context, c closing) error {
	points, err := p.points(ctx, c)
	if err != nil {
		return err
	}
	var s *session
	for _, point := range points {
		if _, doubted := c.state.Doubted[point.Number]; point.Issued > 0 || point.Foreign || doubted ||
			c.state.Idle[point.Number] {
			continue
		}
		if s == nil {
			opened, err := p.session(ctx, c.fortnight.Company, c.fortnight.Environment)
			if err != nil {
				return err
			}
			s = &opened
		}
		if err := p.noMovement(ctx, *s, c, point.Number); err != nil {
			return fmt.Errorf("no movement of point %d: %w", point.Number, err)
		}
	}
	return nil
}

func (p *Processor) noMovement(ctx context.Context, s session, c closing, point int) error {
	bounded, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	calls := &authority.Calls{}
	answer, err := s.can.NoMovement(bounded, s.credential, c.state.Granted.Code, point, calls.Record)
	if err != nil {
		return err // asked again: telling twice is answered as known
	}
	ctx = context.WithoutCancel(ctx)
	kept, err := authority.Keep(ctx, p.c.Files, calls.All())
	if err != nil {
		return err
	}
	id := c.fortnight.ID()
	switch answer.Result {
	case authority.MovementTaken, authority.MovementKnown:
		told := events.NoMovementReported{Point: point, Known: answer.Result == authority.MovementKnown, Calls: kept}
		_, err = p.log.CAEAs.Execute(ctx, id, caea.ReportNoMovement{Reported: told},
			p.request(id, "idle", fmt.Sprint(point)))
	case authority.MovementEarly:
		return errors.New("the authority takes it later")
	default:
		p.Logger.Error("the authority does not believe that a contingency point issued nothing: look who uses it",
			"code", id, "point", point, "reasons", answer.Messages)
		doubt := events.NoMovementRefused{Point: point, Reasons: answer.Messages, Calls: kept}
		_, err = p.log.CAEAs.Execute(ctx, id, caea.DoubtNoMovement{Refused: doubt},
			p.request(id, "doubt", fmt.Sprint(point)))
	}
	return err
}

// remind gives the notices of a code of which something is still to be reported. It goes on
// after the last day: no code of the authority's refuses a late report.
func (p *Processor) remind(ctx context.Context, c closing, left int64) error {
	until := startOf(c.rules, c.state.Granted.ReportUntil)
	for _, notice := range []struct {
		kind string
		days int
	}{{"three_days_left", -3}, {"one_day_left", -1}, {"overdue", 1}} {
		if left > 0 && !p.Clock.Now().Before(until.AddDate(0, 0, notice.days)) {
			if err := p.warn(ctx, c.fortnight.ID(), notice.kind, left); err != nil {
				return err
			}
		}
	}
	return nil
}
