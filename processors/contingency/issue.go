package contingency

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"folio/commands/caea"
	"folio/commands/company"
	"folio/commands/contingency"
	"folio/commands/invoice"
	"folio/commands/numbering"
	"folio/country"
	"folio/events"
	"folio/processors/lanes"
	"folio/tables"
)

// place is an ordinary series on its way to the contingency point.
type place struct {
	id         numbering.Series
	company    company.State
	rules      country.Rules
	contingent country.Contingent
}

// issue finishes what left a series, and moves more of it while its contingency is open. It
// asks no authority.
func (p *Processor) issue(ctx context.Context, series string) (lanes.Next, error) {
	it, err := p.item(ctx, ofIssue, series)
	if err != nil {
		return lanes.Done(), err
	}
	id, err := numbering.ParseSeries(series)
	if err != nil {
		return lanes.Done(), err
	}
	co, rules, contingent, err := p.home(ctx, id.Company)
	if err != nil {
		return lanes.Done(), err
	}
	at := place{id, co, rules, contingent}
	state, _, err := p.log.Numbering.Load(ctx, series)
	if err != nil {
		return lanes.Done(), err
	}
	for _, w := range state.Withdrawn {
		if p.ended(w.Invoice) {
			continue
		}
		if err := p.finish(ctx, at, w); err != nil {
			return lanes.Done(), fmt.Errorf("invoice %s at the contingency point %d: %w", w.Invoice, w.Point, err)
		}
	}
	if err := p.move(ctx, at); err != nil {
		return lanes.Done(), err
	}
	return lanes.Done(), p.finished(ctx, it)
}

// move withdraws, one after the other, what waits in the series and may be issued now.
func (p *Processor) move(ctx context.Context, at place) error {
	window := contingency.Window{Company: at.id.Company, Environment: at.id.Environment, PointOfSale: at.id.BranchOffice}
	open, _, err := p.log.Contingencies.Load(ctx, window.ID())
	if err != nil || open.Open == nil {
		return err
	}
	items, err := p.queue.InGroup(ctx, at.id.ID(), allItems)
	if err != nil {
		return err
	}
	for _, id := range p.waiting(at.id.ID(), items) {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := p.moveOne(ctx, at, id, open.Open.Point); err != nil {
			return fmt.Errorf("move invoice %s: %w", id, err)
		}
	}
	return nil
}

// waiting are the invoices that may move: those of submission's list, and behind them those
// that this processor heard of first.
func (p *Processor) waiting(series string, items []tables.Item) (ids []string) {
	for _, it := range items {
		ids = append(ids, it.Key)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, id := range p.fresh[series] {
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	delete(p.fresh, series)
	return ids
}

// moveOne withdraws an invoice if it may go, and issues it. The series is read before the
// invoice: one that is Pending then was in no submission that was settled by then.
func (p *Processor) moveOne(ctx context.Context, at place, id string, point int) error {
	state, _, err := p.log.Numbering.Load(ctx, at.id.ID())
	if err != nil {
		return err
	}
	inv, _, err := p.log.Documents.Load(ctx, id)
	if err != nil || inv.Status != invoice.Pending || inv.Submission != "" ||
		inv.Created.Environment != at.id.Environment {
		return err
	}
	ready, _, err := p.mayIssue(ctx, at, inv, point)
	if err != nil || ready != "" {
		return err
	}
	after := ""
	if state.Settled != nil {
		after = state.Settled.Submission
	}
	out, err := p.log.Numbering.Execute(ctx, at.id.ID(),
		numbering.Withdraw{Invoice: id, Point: point, After: after},
		p.request(id, "withdraw", after, fmt.Sprint(state.Moves)))
	switch {
	case errors.Is(err, numbering.ErrNamed), errors.Is(err, numbering.ErrMoved), errors.Is(err, numbering.ErrWithdrawn):
		return nil // a submission has it, or had one: it keeps its series
	case err != nil:
		return err
	}
	if w, ok := out.State.Move(id); ok {
		return p.finish(ctx, at, w)
	}
	return nil
}

// mayIssue says why an invoice cannot be issued by contingency now, "" when it can, and by which code.
func (p *Processor) mayIssue(ctx context.Context, at place, inv invoice.Full, point int) (string, caea.State, error) {
	now := p.Clock.Now()
	if bad := at.contingent.CheckContingency(inv.Created.Document, inv.Created.Taxes, now); len(bad) > 0 {
		return bad[0].Message, caea.State{}, nil
	}
	if lacking := country.Lacking(at.rules, *inv.Created); len(lacking) > 0 {
		return events.Because("the document lacks %s", lacking[0]), caea.State{}, nil
	}
	series := at.contingencySeries(point)
	state, _, err := p.log.Numbering.Load(ctx, series.ID())
	switch {
	case err != nil:
		return "", caea.State{}, err
	case state.Held != "":
		return events.Because("the contingency point's series is held: %s", state.Held), caea.State{}, nil
	case state.Settled != nil || len(state.Open) > 0:
		return events.Because("its contingency point is an ordinary one"), caea.State{}, nil
	}
	day := now.In(at.rules.Location())
	code, _, err := p.log.CAEAs.Load(ctx, fortnightOf(at.id.Company, at.id.Environment, day).ID())
	today := day.Format(time.DateOnly)
	switch {
	case err != nil:
		return "", code, err
	case code.Granted == nil:
		return events.Because("no code of this fortnight is held"), code, nil
	case code.Closed || today < code.Granted.From || today > code.Granted.To:
		return events.Because("the code that is held is not of today"), code, nil
	}
	why, err := p.claim(ctx, at, point)
	return why, code, err
}

func (at place) contingencySeries(point int) numbering.Series {
	s := at.id
	s.BranchOffice = point
	return s
}

// finish issues a withdrawn invoice, or completes what a crash left of that. One that cannot be
// issued any more is returned to its series.
func (p *Processor) finish(ctx context.Context, at place, w events.InvoiceWithdrawn) error {
	for {
		again, err := p.finishOnce(ctx, at, w)
		if err != nil || !again {
			return err
		}
	}
}

// finishOnce does that on what it reads now; again says that somebody else took the number.
func (p *Processor) finishOnce(ctx context.Context, at place, w events.InvoiceWithdrawn) (again bool, err error) {
	series := at.contingencySeries(w.Point)
	state, _, err := p.log.Numbering.Load(ctx, series.ID())
	if err != nil {
		return false, err
	}
	for _, due := range state.Contingent.Due {
		if due.Invoice == w.Invoice {
			return false, p.copyIssue(ctx, series, due)
		}
	}
	inv, _, err := p.log.Documents.Load(ctx, w.Invoice)
	if err != nil {
		return false, err
	}
	if inv.Status != invoice.Pending {
		p.end(w.Invoice)
		return false, nil
	}
	why, code, err := p.mayIssue(ctx, at, inv, w.Point)
	if err != nil {
		return false, err
	}
	if why != "" {
		return p.giveBack(ctx, at, w, state.NextContingency(), why)
	}
	issued, why, err := p.freeze(ctx, at, inv, code, draft{series, state.NextContingency(), w.Move})
	if err != nil {
		return false, err
	}
	if why != "" {
		return p.giveBack(ctx, at, w, state.NextContingency(), why)
	}
	r := p.request(w.Invoice, "issue", fmt.Sprint(w.Move))
	r.Before = func(context.Context) error { return p.stillToday(at, issued) }
	out, err := p.log.Numbering.Execute(ctx, series.ID(), numbering.IssueContingency{Issued: issued}, r)
	switch {
	case errors.Is(err, numbering.ErrDeclined):
		return p.giveBack(ctx, at, w, state.NextContingency(), events.Because("it was decided before"))
	case errors.Is(err, numbering.ErrMoved), errors.Is(err, errMidnight), errors.Is(err, numbering.ErrHeld):
		return true, nil
	case err != nil:
		return false, err
	}
	for _, e := range out.Events {
		if e, ok := e.(events.ContingencyIssued); ok {
			issued = e
		}
	}
	return false, p.copyIssue(ctx, series, issued)
}

// errMidnight: the day for which a document was frozen is over.
var errMidnight = errors.New("the day of the document is over")

// stillToday is asked right before the append: a document of yesterday is issued by no code.
func (p *Processor) stillToday(at place, issued events.ContingencyIssued) error {
	if p.today(at.rules).Format(time.DateOnly) != issued.Authorization.Date {
		return errMidnight
	}
	return nil
}

// giveBack returns an invoice that was withdrawn and cannot be issued: the contingency point's
// series decides that its move never ends there, and only then it is in its own again. Next is
// the number that the invoice would have had when it was looked at.
func (p *Processor) giveBack(ctx context.Context, at place, w events.InvoiceWithdrawn, next int64, why string) (
	again bool, err error) {
	p.Logger.Warn("an invoice goes back to its series", "invoice", w.Invoice, "reason", why)
	_, err = p.log.Numbering.Execute(ctx, at.contingencySeries(w.Point).ID(),
		numbering.Decline{Invoice: w.Invoice, Move: w.Move, Next: next, Reason: why},
		p.request(w.Invoice, "decline", fmt.Sprint(w.Move)))
	if errors.Is(err, numbering.ErrMoved) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	_, err = p.log.Numbering.Execute(ctx, at.id.ID(), numbering.Return{Invoice: w.Invoice, Move: w.Move, Reason: why},
		p.request(w.Invoice, "return", fmt.Sprint(w.Move)))
	return false, err
}

func (p *Processor) ended(invoice string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.done[invoice]
}

func (p *Processor) end(invoice string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done[invoice] = true
}
