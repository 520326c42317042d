package verify

import (
	"context"
	"fmt"
	"reflect"
	"slices"

	"folio/commands/numbering"
	"folio/events"
)

// told holds what an invoice is told of its number and of its end against its series, which said so before: the series
// opens and settles a submission, or issues by contingency, and what stands in the invoice is a copy.
func (r *run) told(ctx context.Context, e events.Recorded, st *stream) error {
	life, ok := st.aggregate.(*invoiceLife)
	if !ok || life.Created == nil || st.holed {
		return nil
	}
	submission, in := life.Submission, life.Created.Document.BranchOffice
	switch e := e.Event.(type) {
	case events.SubmissionStarted:
	case events.NumberAssigned:
		if submission == "" {
			return nil // issued by contingency: its acceptance comes next
		}
	case events.AuthorityAccepted:
		if submission = e.Submission; submission == "" {
			in = life.PointOfSale
		}
	case events.AuthorityRejected:
		submission = e.Submission
	default:
		return nil
	}
	id := numbering.SeriesOf(*life.Created, life.Environment)
	id.BranchOffice = in
	series, err := r.streams.present(ctx, r, numbering.Decider.Stream(id.ID()), e.Position)
	if err != nil || series.holed {
		return err
	}
	said, err := r.said(ctx, e, series, submission, life.Invoice)
	if err != nil {
		return err
	}
	if wrong := said.wrong(id, life, e.Event); wrong != "" {
		return differs(e, "%s", wrong)
	}
	return nil
}

// saying is what a series says of an invoice in one submission, or by contingency.
type saying struct {
	known   bool // it says anything
	number  int64
	letter  string
	outcome events.Outcome // the zero one as long as nothing is settled
}

// said is what a series said up to an event of an invoice. Mostly it is the last thing: a series settles nothing more
// before the copies of the last settlement are in the invoices.
func (r *run) said(ctx context.Context, e events.Recorded, series *stream, submission, inv string) (saying, error) {
	if said := saysNow(series.aggregate.(*seriesLife).State, submission, inv); said.known {
		return said, nil
	}
	var last saying
	err := r.relive(ctx, series.name, e.Position, func(life *seriesLife, _ events.Position) bool {
		if said := saysNow(life.State, submission, inv); said.known {
			last = said
		}
		return true
	})
	return last, err
}

// saysNow is what a state of a series still knows.
func saysNow(s numbering.State, submission, inv string) (said saying) {
	if submission == "" {
		for _, d := range s.Contingent.Due {
			if d.Invoice == inv {
				return saying{known: true, number: d.Number, outcome: events.Outcome{Number: d.Number,
					Result: events.Accepted, Authorization: &d.Authorization, Sandbox: d.Sandbox}}
			}
		}
		return said
	}
	o, open := s.Find(submission)
	if !open && s.Opened != nil && s.Opened.Submission == submission {
		o.SubmissionOpened = *s.Opened
	}
	i := slices.Index(o.Invoices, inv)
	if i < 0 {
		return said
	}
	said = saying{known: true, number: o.First + int64(i), letter: s.Letter(o.SubmissionOpened)}
	if !open && i < len(s.Settled.Outcomes) {
		said.outcome = s.Settled.Outcomes[i]
		said.number = said.outcome.Number
	}
	return said
}

// wrong says in what an event of an invoice is no copy of what its series says.
func (s saying) wrong(id numbering.Series, life *invoiceLife, e events.Event) string {
	if !s.known {
		return fmt.Sprintf("the series %s does not say so: it sent no such submission with this invoice", id.ID())
	}
	number := life.Number
	switch e := e.(type) {
	case events.SubmissionStarted:
		number = e.Number
	case events.NumberAssigned:
		number = e.Number
		if e.BranchOffice != id.BranchOffice || e.Series != s.letter {
			return fmt.Sprintf("its number is of point of sale %d and series %q, and the series %s has %q", e.BranchOffice,
				e.Series, id.ID(), s.letter)
		}
	case events.AuthorityAccepted:
		copied := events.Outcome{Invoice: s.outcome.Invoice, Number: s.outcome.Number, Result: events.Accepted,
			Authorization: &e.Authorization, Messages: e.Observations, Found: s.outcome.Found, Sandbox: e.Sandbox}
		if !reflect.DeepEqual(copied, s.outcome) {
			return fmt.Sprintf("the authority's acceptance is not what the series %s says of it", id.ID())
		}
	case events.AuthorityRejected:
		if s.outcome.Result != events.Rejected || !reflect.DeepEqual(e.Reasons, s.outcome.Messages) {
			return fmt.Sprintf("the authority's refusal is not what the series %s says of it", id.ID())
		}
		return ""
	}
	if number != s.number {
		return fmt.Sprintf("its number is %d, and the series %s says %d", number, id.ID(), s.number)
	}
	return ""
}
