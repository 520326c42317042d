package contingency

import (
	"context"
	"errors"
	"fmt"
	"time"

	"folio/authority"
	"folio/commands/caea"
	"folio/events"
	"folio/processors/lanes"
)

// Days before a fortnight begins on which its code is asked for, and on which somebody is told
// that none is held: FECAEASolicitar's window opens five days before (WSFEv1 manual, 15006).
const (
	askDays  = 5
	warnDays = 2
)

// keep asks for the code of this fortnight and, shortly before it begins, of the next one. It
// looks once a day, and when the company's settings or certificates change.
func (p *Processor) keep(ctx context.Context, id string) (lanes.Next, error) {
	it, err := p.item(ctx, ofKeeper, id)
	if err != nil {
		return lanes.Done(), err
	}
	co, rules, _, err := p.home(ctx, id)
	if err != nil {
		return lanes.Done(), err
	}
	environment := co.Environment()
	switch {
	case !co.OnContingency():
		return lanes.Done(), p.finished(ctx, it)
	case environment == "":
		return lanes.Asleep(), nil // its first certificate wakes it
	}
	today := p.today(rules)
	var failed error
	for _, first := range fortnights(today) {
		f := fortnightOf(id, environment, first)
		if err := p.hold(ctx, f); err != nil && failed == nil {
			failed = err
		}
		if err := p.warnNotHeld(ctx, f, first, today); err != nil {
			return lanes.Done(), err
		}
	}
	return lanes.Until(p.tomorrow(rules)), failed
}

// fortnights are the first days of those whose code is to be held: this one, and the next one
// from askDays before it begins.
func fortnights(today time.Time) []time.Time {
	day := func(t time.Time, n int) time.Time {
		return time.Date(t.Year(), t.Month(), n, 0, 0, 0, 0, t.Location())
	}
	first, next := day(today, 1), day(today, 16)
	if today.Day() > 15 {
		first, next = day(today, 16), day(today.AddDate(0, 0, 1-today.Day()).AddDate(0, 1, 0), 1)
	}
	if day(today, today.Day()).AddDate(0, 0, askDays).Before(next) {
		return []time.Time{first}
	}
	return []time.Time{first, next}
}

// hold makes sure that the code of a fortnight is in the log, if the authority gives one.
func (p *Processor) hold(ctx context.Context, f caea.Fortnight) error {
	state, _, err := p.log.CAEAs.Load(ctx, f.ID())
	if err != nil || state.Granted != nil {
		return err
	}
	s, err := p.session(ctx, f.Company, f.Environment)
	if err != nil {
		return err
	}
	asked := events.CAEARequested{Company: f.Company, Environment: f.Environment, Period: f.Period, Order: f.Order}
	if _, err := p.log.CAEAs.Execute(ctx, f.ID(), caea.Request{Requested: asked},
		p.request(f.ID(), "request")); err != nil {
		return err
	}
	bounded, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	code, err := ask(bounded, s, authority.Fortnight{Period: f.Period, Order: f.Order})
	kept, keepErr := authority.Keep(context.WithoutCancel(ctx), p.c.Files, s.calls.All())
	switch {
	case keepErr != nil:
		return keepErr
	case errors.Is(err, authority.ErrWindow):
		return nil // tomorrow, or never
	case errors.Is(err, authority.ErrRefused), errors.Is(err, authority.ErrSeries):
		p.Logger.Warn("the authority gives no code for a fortnight", "fortnight", f.ID(), "reasons", authority.Reasons(err))
		_, err = p.log.CAEAs.Execute(ctx, f.ID(), caea.Refuse{Refused: events.CAEARefused{Reasons: authority.Reasons(err),
			Calls: kept}}, p.request(f.ID(), "refuse", p.Clock.Now().UTC().Format(time.RFC3339)))
		return err
	case err != nil:
		return fmt.Errorf("code of %s: %w", f.Name(), err)
	}
	granted := events.CAEAGranted{Company: f.Company, Environment: f.Environment, Code: code.Code, From: code.From,
		To: code.To, ReportUntil: code.ReportUntil, Remarks: code.Remarks, Sandbox: code.Sandbox, Calls: kept}
	_, err = p.log.CAEAs.Execute(ctx, f.ID(), caea.Grant{Granted: granted}, p.request(f.ID(), "grant", code.Code))
	return err
}

// ask consults first, since a code may have been given before, to whoever asked.
func ask(ctx context.Context, s session, f authority.Fortnight) (authority.ContingencyCode, error) {
	code, exists, err := s.can.Consult(ctx, s.credential, f, s.calls.Record)
	if err != nil || exists {
		return code, err
	}
	code, err = s.can.Ask(ctx, s.credential, f, s.calls.Record)
	if !errors.Is(err, authority.ErrCodeExists) {
		return code, err
	}
	code, exists, err = s.can.Consult(ctx, s.credential, f, s.calls.Record)
	if err == nil && !exists {
		err = errors.New("the authority says that there is a code of this fortnight, and does not show it")
	}
	return code, err
}

// warnNotHeld tells once that no code of a fortnight is held shortly before it begins.
func (p *Processor) warnNotHeld(ctx context.Context, f caea.Fortnight, first, today time.Time) error {
	if today.Before(first.AddDate(0, 0, -warnDays)) {
		return nil
	}
	state, _, err := p.log.CAEAs.Load(ctx, f.ID())
	if err != nil || state.Granted != nil || state.Company == "" {
		return err
	}
	return p.warn(ctx, f.ID(), "not_held", 0)
}

// warn gives a notice of a kind, once.
func (p *Processor) warn(ctx context.Context, id, kind string, left int64) error {
	out, err := p.log.CAEAs.Execute(ctx, id, caea.Warn{Warned: events.CAEAWarned{Kind: kind, Left: left}},
		p.request(id, "warn", kind))
	if err == nil && len(out.Events) > 0 {
		p.Logger.Warn("the code of a fortnight wants attention", "code", id, "notice", kind, "left", left)
	}
	return err
}
