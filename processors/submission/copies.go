package submission

import (
	"context"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"folio/commands"
	"folio/commands/invoice"
	"folio/commands/numbering"
	"folio/events"
	"folio/processors/credits"
	"folio/tables"
)

// request is the identity of a step of a submission: taken again after a crash it is
// the same one, so nothing is recorded twice.
func (p *Processor) request(submission string, step ...string) commands.Request {
	q := p.Request(submission, step...)
	q.Causation = submission
	return q
}

// each runs f for the invoices of a submission, some at once.
func each(ctx context.Context, invoices []string, f func(ctx context.Context, i int, id string) error) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(parallel)
	for i, id := range invoices {
		g.Go(func() error { return f(ctx, i, id) })
	}
	return g.Wait()
}

// copyStart tells each invoice that it is being sent, and under which number.
func (t *turn) copyStart(ctx context.Context, id numbering.Series, j job) error {
	letter := j.state.Letter(j.SubmissionOpened)
	return each(ctx, j.Invoices, func(ctx context.Context, i int, _ string) error {
		return t.start(ctx, id, letter, j.SubmissionOpened, i)
	})
}

// start tells the i-th invoice of a submission.
func (t *turn) start(ctx context.Context, id numbering.Series, letter string, open events.SubmissionOpened,
	i int) error {
	inv := open.Invoices[i]
	_, err := t.log.Invoices.Execute(ctx, inv, invoice.StartSubmission{
		Submission: open.Submission, Environment: id.Environment, Number: open.First + int64(i),
		Final: t.ranged, BranchOffice: id.BranchOffice, Letter: letter,
	}, t.request(open.Submission, "start", inv))
	if err != nil {
		return fmt.Errorf("start invoice %s: %w", inv, err)
	}
	return nil
}

// completeCopies makes sure, once a run for each submission, that the last settled one
// has its copies before anything is opened or settled. A series that has nothing open any
// more goes on, and says so first: without its items nobody would come back to take the
// reason away.
func (t *turn) completeCopies(ctx context.Context, id numbering.Series, state numbering.State) error {
	if state.Settled == nil || t.isCopied(state.Settled.Submission) {
		return nil
	}
	if len(state.Open) == 0 {
		t.goesOn(ctx)
	}
	if err := t.copyOutcomes(ctx, id, state); err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.copied[t.series] = state.Settled.Submission
	return nil
}

func (t *turn) isCopied(submission string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.copied[t.series] == submission
}

// copyOutcomes completes the copies of the last settled submission in its invoices,
// then takes the final ones off the worklist. Doing it again changes nothing.
func (t *turn) copyOutcomes(ctx context.Context, id numbering.Series, state numbering.State) error {
	open, settled := *state.Opened, state.Settled
	letter := state.Letter(open)
	ended := make([]tables.Removal, len(open.Invoices))
	err := each(ctx, open.Invoices, func(ctx context.Context, i int, inv string) error {
		o := settled.Outcomes[i]
		if o.Result == events.NotProcessed {
			return nil // it keeps its place; the next submission tells it its number
		}
		s, err := t.started(ctx, id, letter, open, i)
		if err != nil {
			return err
		}
		at, err := t.copyOutcome(ctx, id, open.Submission, s, o)
		if err != nil {
			return fmt.Errorf("record the outcome of invoice %s: %w", inv, err)
		}
		if at.IsZero() { // an earlier life told it
			item, err := t.List.Get(ctx, inv)
			if err != nil {
				return ignoreMissing(err)
			}
			at = item.At
		}
		ended[i] = tables.Removal{Key: inv, At: at}
		return nil
	})
	if err != nil {
		return err
	}
	ended = slices.DeleteFunc(ended, func(r tables.Removal) bool { return r.Key == "" })
	if len(ended) == 0 {
		return nil
	}
	return t.Tables.Apply(ctx, tables.Batch{Work: []tables.WorklistChange{{Worklist: Name, Remove: ended}}})
}

// started is the i-th invoice of a settled submission, told its number if it did not know it. What this process
// remembers saves looking into the log: a start that was recorded stays recorded.
func (t *turn) started(ctx context.Context, id numbering.Series, letter string, open events.SubmissionOpened,
	i int) (invoice.State, error) {
	inv := open.Invoices[i]
	if s, known := t.log.Invoices.LastKnown(inv); known && s.Status == invoice.InProcess &&
		s.Submission == open.Submission {
		return s, nil
	}
	s, err := t.load(ctx, inv)
	if err == nil && !final(s.Status) {
		err = t.start(ctx, id, letter, open, i)
	}
	return s, err
}

// copyOutcome tells the invoice its end, at the position that it gives; zero when it was told before. That comes last:
// the feed takes an invoice with an end off the worklist, and what is not on it is never looked at again.
func (t *turn) copyOutcome(ctx context.Context, id numbering.Series, submission string, s invoice.State,
	o events.Outcome) (events.Position, error) {
	var c invoice.Command = invoice.RecordRejection{Submission: submission, Reasons: o.Messages}
	if o.Result == events.Accepted {
		c = invoice.RecordAcceptance{Submission: submission, BranchOffice: id.BranchOffice, Outcome: o}
	}
	if err := t.notes().Tell(ctx, s, o.Result == events.Accepted); err != nil {
		return events.Position{}, err
	}
	out, err := t.log.Invoices.Execute(ctx, o.Invoice, c, t.request(submission, "outcome", o.Invoice))
	return out.Position, err
}

// notes tells documents what became of the notes that correct them.
func (p *Processor) notes() credits.Teller {
	return credits.Teller{Executor: p.Executor, Rules: p.Rules, Clock: p.Clock}
}
