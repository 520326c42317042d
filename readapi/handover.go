package readapi

import (
	"context"
	"net/http"

	"folio/country"
	"folio/fault"
	"folio/httpapi"
	"folio/papers"
	"folio/projections"
	"folio/resource"
)

// Handover is how documents are handed over before the authority's verdict.
type Handover struct {
	Offline bool // a signed document is enough while the authority is away
	Trial   bool // the authority is one of trial, in Production too
	// Record keeps that the print of an invoice is given out, before it is.
	Record func(ctx context.Context, company, invoice, basis string) error
}

// stand is by which rules a document may be handed over now, and why; "" when it may not.
type stand struct {
	rules country.HandsOver
	basis country.Basis
}

// handsOver says whether documents of a country may be handed over before the verdict.
func (a api) handsOver(served string) (ok bool, err error) {
	if a.Handover == nil {
		return false, nil
	}
	rules, err := a.papers.Rules(projections.Invoice{Country: served})
	if err == nil {
		_, ok = rules.(country.HandsOver)
	}
	return ok, err
}

// standing says whether a document may be handed over now; false where the country's law does
// not know that, or the operator does not want it. Away says whether the authority is.
func (a api) standing(i projections.Invoice, away awayFor) (s stand, ok bool, err error) {
	if a.Handover == nil {
		return s, false, nil
	}
	rules, err := a.papers.Rules(i)
	if err != nil {
		return s, false, err
	}
	if s.rules, ok = rules.(country.HandsOver); !ok || i.Number == 0 || i.Status == projections.StatusRejected {
		return s, ok, nil
	}
	known := country.Standing{Received: i.Receipt != nil || i.Status == projections.StatusAccepted,
		Offline: a.Handover.Offline}
	if !known.Received {
		if known.Away, err = away(i); err != nil {
			return s, false, err
		}
	}
	s.basis = s.rules.HandOver(i.Document, known)
	return s, true, nil
}

// delivery is the member of the record; nil where there is none.
func (a api) delivery(r *http.Request, i projections.Invoice, away awayFor) (*resource.HandingOver, error) {
	s, ok, err := a.standing(i, away)
	if err != nil || !ok {
		return nil, err
	}
	out := &resource.HandingOver{Allowed: s.basis != "", Basis: pointer(string(s.basis))}
	if got := i.Receipt; got != nil {
		out.SentAt, out.Receipt = &got.At, pointer(got.Code)
	}
	if h := i.HandedOver; h != nil {
		out.HandedOver = &h.At
		if i.Status == projections.StatusRejected {
			out.NextStep = pointer(httpapi.Said(r, httpapi.Story, s.rules.RefusedAfter()))
		}
	}
	return out, nil
}

// awayFor says whether the authority counts as away for the company of an invoice.
type awayFor func(projections.Invoice) (bool, error)

// awayNow is for one request of one company: it looks once.
func (a api) awayNow(ctx context.Context) awayFor {
	var open []projections.Outage
	looked := false
	return func(i projections.Invoice) (_ bool, err error) {
		if !looked {
			if open, err = a.openOutages(ctx, i.Company); err != nil {
				return false, err
			}
			looked = true
		}
		return during(open, "", i.Environment) != nil, nil
	}
}

// neverAway is the awayFor of the past: what was handed over then is a fact, what could have been is not.
func neverAway(projections.Invoice) (bool, error) { return false, nil }

// beforeVerdict is the print of a document without a verdict. That it is given out is a fact
// before it is.
func (a api) beforeVerdict(ctx context.Context, i projections.Invoice, draw papers.Draw) ([]byte, error) {
	s, ok, err := a.standing(i, a.awayNow(ctx))
	switch {
	case err != nil:
		return nil, err
	case !ok:
		return nil, fault.New(fault.Conflict, "HANDOVER_UNKNOWN", "Documents of "+country.SpanishName(i.Country)+
			" have no effect before the authority has accepted them. Ask again when its status is Accepted.")
	case s.basis == "":
		return nil, fault.New(fault.Conflict, "HANDOVER_NOT_ALLOWED", "This invoice is "+i.Status+
			" and may not be handed over yet: the authority does not have it. Ask again when delivery.allowed is true.")
	}
	if err := a.reaches(ctx, projections.Submissions.Name(), i.At); err != nil {
		return nil, err
	}
	submission, err := a.Documents.GetSubmission(ctx, i.Submission)
	if err != nil {
		return nil, err
	}
	var document []byte
	err = a.Work.Pass(ctx, httpapi.Caller(ctx).Party(), papers.PDFMemory+papers.EnvelopeMemory, func() (err error) {
		document, err = a.papers.BeforeVerdict(ctx, i, papers.Unjudged{Sent: submission.SHA256, Basis: s.basis,
			Trial: a.Handover.Trial || i.Environment != "Production", Draw: draw})
		return err
	})
	if err == nil && i.HandedOver == nil {
		err = a.Handover.Record(ctx, i.Company, i.ID, string(s.basis))
	}
	return document, err
}
