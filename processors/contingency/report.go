package contingency

import (
	"context"
	"errors"
	"fmt"
	"time"

	"folio/authority"
	"folio/commands/invoice"
	"folio/commands/numbering"
	"folio/events"
	"folio/processors/lanes"
)

// heldPoll is how often a held series is looked at all the same: its release may have been
// recorded by a process whose news are late.
const heldPoll = time.Minute

// report tells the authority of a series' documents in the order of their numbers, with the
// bytes that were fixed when they were issued, one report at a time.
func (p *Processor) report(ctx context.Context, series string) (lanes.Next, error) {
	it, err := p.item(ctx, ofReport, series)
	if err != nil {
		return lanes.Done(), err
	}
	id, err := numbering.ParseSeries(series)
	if err != nil {
		return lanes.Done(), err
	}
	state, _, err := p.log.Numbering.Load(ctx, series)
	if err != nil {
		return lanes.Done(), err
	}
	if err := p.copies(ctx, id, state); err != nil {
		return lanes.Done(), err
	}
	switch {
	case state.Held != "":
		return lanes.Until(p.Clock.Now().Add(heldPoll)), nil
	case state.Contingent.Report == nil && len(state.Contingent.Due) == 0:
		return lanes.Done(), p.finished(ctx, it)
	}
	s, err := p.session(ctx, id.Company, id.Environment)
	if err != nil {
		return lanes.Done(), err
	}
	r := reporting{session: s, id: id, state: state}
	bounded, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	if state.Contingent.Report != nil {
		return lanes.Again(), p.settleOpen(bounded, r)
	}
	if from := startOf(s.rules, state.Contingent.Due[0].ReportFrom); p.Clock.Now().Before(from) {
		return lanes.Until(from), nil
	}
	return p.openReport(bounded, r)
}

// reporting is a series on its way to the authority.
type reporting struct {
	session
	id    numbering.Series
	state numbering.State
}

func (r reporting) series() authority.Series {
	return authority.Series{Company: r.id.Company, Environment: authority.Environment(r.id.Environment),
		OfficialCode: r.id.OfficialCode, BranchOffice: r.id.BranchOffice}
}

// openReport asks for the authority's last number, opens the next report and sends it.
func (p *Processor) openReport(ctx context.Context, r reporting) (lanes.Next, error) {
	last, err := r.driver.Last(ctx, r.credential, r.series(), r.calls.Record)
	if err != nil {
		return lanes.Done(), err
	}
	if out, err := p.foreign(ctx, r.id, last.Number); err != nil || out.Held != "" {
		return lanes.Again(), err
	}
	invoices := firstDue(r.state, p.today(r.rules).Format(time.DateOnly), last.BatchLimit)
	after := ""
	if r.state.Contingent.Settled != nil {
		after = r.state.Contingent.Settled.Report
	}
	id := p.c.NewID()
	out, err := p.log.Numbering.Execute(ctx, r.id.ID(), numbering.OpenReport{Report: id, Invoices: invoices, After: after},
		p.request(id, "open"))
	switch {
	case errors.Is(err, numbering.ErrMoved), errors.Is(err, numbering.ErrHeld), errors.Is(err, numbering.ErrReportOpen):
		return lanes.Again(), nil
	case err != nil:
		return lanes.Done(), err
	}
	r.state = out.State
	if last.Number >= r.state.Contingent.Report.First { // it has some of them: an earlier answer was lost
		return lanes.Again(), nil
	}
	return lanes.Again(), p.sendReport(ctx, r, true)
}

// firstDue are the invoices of the next report: due, of consecutive numbers, and of codes whose reports have begun.
func firstDue(s numbering.State, today string, limit int) (invoices []string) {
	for i, d := range s.Contingent.Due {
		if i >= max(limit, 1) || d.ReportFrom > today || d.Number != s.Contingent.Due[0].Number+int64(i) {
			break
		}
		invoices = append(invoices, d.Invoice)
	}
	return invoices
}

// foreign records a last number that is not ours; it holds the series.
func (p *Processor) foreign(ctx context.Context, id numbering.Series, last int64) (numbering.State, error) {
	out, err := p.log.Numbering.Execute(ctx, id.ID(), numbering.NoticeForeign{AuthorityLast: last},
		p.request(id.ID(), "foreign", fmt.Sprint(last)))
	if err == nil && len(out.Events) > 0 {
		p.Logger.Error("another system uses a contingency point: its series is held", "series", id.ID(),
			"authority_last", last)
	}
	return out.State, err
}

// frozenOf are the documents of the open report, as they were fixed.
func (p *Processor) frozenOf(ctx context.Context, s numbering.State) ([]authority.Frozen, error) {
	open := s.Contingent.Report
	out := make([]authority.Frozen, len(open.Invoices))
	for i, id := range open.Invoices {
		due := s.Contingent.Due[i]
		if due.Invoice != id {
			return nil, fmt.Errorf("report %s: number %d is not the one that is due", open.Report, due.Number)
		}
		content, err := p.c.Files.File(ctx, due.SHA256)
		if err != nil {
			return nil, fmt.Errorf("what is reported of number %d: %w", due.Number, err)
		}
		out[i] = authority.Frozen{Invoice: id, Number: due.Number,
			Prepared: authority.Prepared{Content: content, SHA256: due.SHA256}}
	}
	return out, nil
}

// copies completes what the series says in its invoices: that they are issued, and how the last
// settled report ended for them. Doing it again changes nothing.
func (p *Processor) copies(ctx context.Context, id numbering.Series, s numbering.State) error {
	key := id.ID()
	p.mu.Lock()
	copied, settled := p.copied[key], p.settled[key]
	p.mu.Unlock()
	for _, d := range s.Contingent.Due {
		if d.Number <= copied {
			continue
		}
		if err := p.copyIssue(ctx, id, d); err != nil {
			return err
		}
		copied = d.Number
	}
	if last := s.Contingent.Settled; last != nil && last.Report != settled {
		for _, o := range last.Outcomes {
			if err := p.copyReport(ctx, last.Report, o); err != nil {
				return err
			}
		}
		settled = last.Report
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.copied[key], p.settled[key] = copied, settled
	return nil
}

func (p *Processor) copyReport(ctx context.Context, report string, o events.ReportOutcome) error {
	if o.State == events.ReportDue {
		return nil
	}
	inv, _, err := p.log.Invoices.Load(ctx, o.Invoice)
	if err != nil {
		return err
	}
	changed := events.AuthorityReportChanged{State: o.State, DueBy: inv.DueBy, Messages: o.Messages}
	_, err = p.log.Invoices.Execute(ctx, o.Invoice, invoice.RecordReport{Changed: changed},
		p.request(report, "reported", o.Invoice))
	if err != nil {
		return fmt.Errorf("tell invoice %s how it was reported: %w", o.Invoice, err)
	}
	return nil
}
