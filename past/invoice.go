package past

import (
	"context"
	"slices"

	"folio/commands/invoice"
	"folio/commands/numbering"
	"folio/events"
)

// Invoice yields the facts about an invoice after a position, up to a moment: those of its
// own stream, and those of its series that speak of it or tell why it waited. There are none
// of an invoice that did not exist then.
func Invoice(ctx context.Context, log Log, id string, after events.Position, m events.Moment) Facts {
	return func(yield func(events.Recorded, error) bool) {
		l, err := lifeOf(ctx, log, id, m)
		if err != nil {
			yield(events.Recorded{}, err)
			return
		}
		all := []Facts{of(l.own, after)}
		for _, series := range l.series() {
			all = append(all, l.ofSeries(ctx, log, series, stretch{after, l.to}))
		}
		if series := l.contingencySeries(); series != "" {
			all = append(all, l.ofSeries(ctx, log, series, stretch{after, l.told}))
		}
		for r, err := range Until(Merge(all...), m) {
			if !yield(r, err) {
				return
			}
		}
	}
}

// life is an invoice with the part of the log in which it waited.
type life struct {
	id           string
	created      events.InvoiceCreated
	own          []events.Recorded // of its own stream
	from, to     events.Position   // to is zero while it waits
	submissions  map[string]bool
	environments []string // that it was sent in, in order

	point int             // at which it has its number
	caea  bool            // it was issued by a code that was given ahead
	told  events.Position // of its report; zero while that is due
}

// lifeOf reads the invoice's own stream. It may begin before the invoice does, where an
// attempt to create it was given up.
func lifeOf(ctx context.Context, log Log, id string, m events.Moment) (life, error) {
	l := life{id: id, submissions: map[string]bool{}}
	own, err := Collect(Until(log.Read(ctx, invoice.Decider.Stream(id), 0), m))
	if err != nil || len(own) == 0 {
		return l, err
	}
	l.own, l.from = own, own[0].Position
	for _, r := range own {
		switch e := r.Event.(type) {
		case events.InvoiceCreated:
			l.created, l.from = e, r.Position
			l.sentIn(e.Environment)
		case events.SubmissionStarted:
			l.submissions[e.Submission] = true
			l.sentIn(e.Environment)
		case events.NumberAssigned:
			l.point = e.BranchOffice
		case events.AuthorityAccepted:
			l.to, l.caea = r.Position, e.Authorization.Type == events.CAEA
		case events.AuthorityRejected, events.InvoiceRefused:
			l.to = r.Position
		case events.AuthorityReportChanged:
			if e.State == events.ReportDone || e.State == events.ReportObserved {
				l.told = r.Position
			}
		}
	}
	return l, nil
}

func (l *life) sentIn(environment string) {
	for _, known := range l.environments {
		if known == environment {
			return
		}
	}
	if environment != "" {
		l.environments = append(l.environments, environment)
	}
}

// series are the ids of the series that it was sent in.
func (l life) series() (ids []string) {
	for _, environment := range l.environments {
		ids = append(ids, numbering.SeriesOf(l.created, environment).ID())
	}
	return ids
}

// contingencySeries is that in which it was issued by a code that was given ahead, and reported; "" for no such one.
func (l life) contingencySeries() string {
	if !l.caea {
		return ""
	}
	series := numbering.SeriesOf(l.created, l.created.Environment)
	series.BranchOffice = l.point
	return series.ID()
}

// stretch is a part of a series: after a position, up to another; zero is without end.
type stretch struct{ after, to events.Position }

// ofSeries yields what the series says of the invoice. Everything of the kind is recorded
// while the invoice waits, for a number or for its report: the settlement before its copy in
// the invoice. So only that part of the series is read.
func (l life) ofSeries(ctx context.Context, log Log, series string, part stretch) Facts {
	after := part.after
	if after.Before(l.from) {
		after = l.from
	}
	return func(yield func(events.Recorded, error) bool) {
		for r, err := range Since(ctx, log, numbering.Decider.Stream(series), after) {
			if err == nil && !part.to.IsZero() && part.to.Before(r.Position) {
				return
			}
			if (err != nil || l.concerns(r.Event)) && !yield(r, err) {
				return
			}
		}
	}
}

// concerns says whether an event of the series is about the invoice's number or one of its
// submissions, or tells why it waited.
func (l life) concerns(e events.Event) bool {
	switch e := e.(type) {
	case events.NumberVoided:
		return e.Invoice == l.id
	case events.SubmissionOpened:
		return l.submissions[e.Submission]
	case events.SubmissionSplit:
		return l.submissions[e.Submission]
	case events.EnvelopeRenewed:
		return l.submissions[e.Submission]
	case events.SubmissionSettled:
		return l.submissions[e.Submission]
	case events.InvoiceWithdrawn:
		return e.Invoice == l.id
	case events.InvoiceReturned:
		return e.Invoice == l.id
	case events.ContingencyIssued:
		return e.Invoice == l.id
	case events.ContingencyReportOpened:
		return slices.Contains(e.Invoices, l.id)
	case events.ContingencyReportSettled:
		return slices.ContainsFunc(e.Outcomes, func(o events.ReportOutcome) bool { return o.Invoice == l.id })
	case events.ForeignNumbersNoticed, events.SeriesHeld, events.SeriesReleased:
		return true
	}
	return false
}
