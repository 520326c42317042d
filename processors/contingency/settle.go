package contingency

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"folio/authority"
	"folio/commands/numbering"
	"folio/events"
)

// settleOpen asks what became of an open report before anything is sent again, and settles what
// is known. When nothing of it arrived, the same bytes are sent again.
func (p *Processor) settleOpen(ctx context.Context, r reporting) error {
	found, err := p.ask(ctx, r)
	if err != nil {
		return err
	}
	if len(found) > 0 {
		return p.settle(ctx, r, found)
	}
	return p.sendReport(ctx, r, false)
}

// ask looks up the documents of the open report, in order, up to the first that the authority does not have.
func (p *Processor) ask(ctx context.Context, r reporting) ([]events.ReportOutcome, error) {
	frozen, err := p.frozenOf(ctx, r.state)
	if err != nil {
		return nil, err
	}
	var out []events.ReportOutcome
	for _, f := range frozen {
		held, err := r.can.FindReported(ctx, r.credential, r.series(), f, r.calls.Record)
		switch {
		case err != nil:
			return nil, fmt.Errorf("ask about number %d: %w", f.Number, err)
		case !held.Exists:
			return out, nil
		}
		o := events.ReportOutcome{Invoice: f.Invoice, Number: f.Number, State: events.ReportDone,
			Messages: held.Observations, Found: true}
		switch {
		case !held.Same:
			o.State = events.ReportRefused
			o.Messages = []events.AuthorityMessage{{Code: events.CodeNumberTaken,
				Text: "A document that is not ours has its number: " + held.Difference + "."}}
			return append(out, o), nil
		case len(held.Observations) > 0:
			o.State = events.ReportObserved
		}
		out = append(out, o)
	}
	return out, nil
}

// errReport: what was reported is asked about in the next turn.
var errReport = errors.New("the authority did not say what became of a report")

// sendReport sends the open report once. First says that nothing was sent of it before: a wrong
// number is then asked about, since an earlier report of it may have arrived; after that it is
// a refusal like any other.
func (p *Processor) sendReport(ctx context.Context, r reporting, first bool) error {
	frozen, err := p.frozenOf(ctx, r.state)
	if err != nil {
		return err
	}
	said, err := r.can.Report(ctx, r.credential, r.series(), frozen, r.calls.Record)
	if err != nil {
		return fmt.Errorf("%w: %w", errReport, err)
	}
	out := make([]events.ReportOutcome, 0, len(said))
	early := false
	for _, o := range said {
		next := events.ReportOutcome{Invoice: o.Invoice, Number: o.Number, Messages: o.Messages}
		switch {
		case o.WrongNumber && first:
			return nil // the next turn asks: never renumbered
		case o.Result == authority.ReportRefused && o.TooEarly:
			next.State, next.Messages, early = events.ReportDue, nil, true
		case o.Result == authority.ReportTaken:
			next.State = events.ReportDone
		case o.Result == authority.ReportObserved:
			next.State = events.ReportObserved
		case o.Result == authority.ReportRefused:
			next.State = events.ReportRefused
		default:
			next.State, next.Messages = events.ReportDue, nil
		}
		out = append(out, next)
	}
	if err := p.settle(ctx, r, out); err != nil || !early {
		return err
	}
	return errors.New("the authority takes no report of this code yet")
}

// settle closes the open report: outcomes are of its first documents, the rest are due.
func (p *Processor) settle(ctx context.Context, r reporting, outcomes []events.ReportOutcome) error {
	ctx = context.WithoutCancel(ctx) // an answer in hand is recorded, whatever else ends
	open := r.state.Contingent.Report
	for i := len(outcomes); i < len(open.Invoices); i++ {
		outcomes = append(outcomes, events.ReportOutcome{Invoice: open.Invoices[i], Number: open.First + int64(i),
			State: events.ReportDue})
	}
	for i := range outcomes {
		outcomes[i].Period = r.state.Contingent.Due[i].Period
	}
	kept, err := authority.Keep(ctx, p.c.Files, r.calls.All())
	if err != nil {
		return err
	}
	said, err := digest(outcomes)
	if err != nil {
		return err
	}
	out, err := p.log.Numbering.Execute(ctx, r.id.ID(), numbering.SettleReport{Report: open.Report, Outcomes: outcomes,
		Calls: kept}, p.request(open.Report, "settle", said))
	switch {
	case errors.Is(err, numbering.ErrReportNotOpen):
		return nil // another owner settled it
	case err != nil:
		return err
	case out.State.Held != "":
		p.Logger.Error("a report was refused: its series is held", "series", r.id.ID(), "reason", out.State.Held)
	}
	return p.copies(ctx, r.id, out.State)
}

// digest makes what is said part of the request's identity: another owner's different word is no repetition.
func digest(outcomes []events.ReportOutcome) (string, error) {
	body, err := json.Marshal(outcomes)
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:]), err
}
