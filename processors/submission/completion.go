package submission

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"folio/authority"
	"folio/commands/invoice"
	"folio/country"
	"folio/events"
	"folio/waiting"
)

// complete fills what the documents of a queue lack about their issuer from the company's
// profile, each by a fact of its own, before any of them has a number. It returns those
// that lack nothing, up to the first that does; the verdict is why that one waits when it
// is the head of the queue.
func (t *turn) complete(ctx context.Context, d session, queue []invoice.Full) ([]invoice.Full, *verdict) {
	for i, s := range queue {
		if len(country.Lacking(d.rules, *s.Created)) == 0 {
			continue
		}
		id, present := s.Created.Invoice, d.issuerOf(*s.Created)
		out, err := t.log.Documents.Execute(ctx, id,
			invoice.CompleteIssuer{Rules: d.rules, Company: present}, t.request(id, "complete"))
		switch {
		case err == nil:
			queue[i] = out.State
			continue
		case i > 0:
			return queue[:i], nil // its own turn says why
		case errors.Is(err, invoice.ErrIncomplete):
			whole := s.Created.Completed(country.Complete(*s.Created, present, d.rules))
			text := fmt.Sprintf("The fiscal profile lacks %s: set it with PUT /api/companies/%s/fiscal-profile.",
				strings.Join(country.Lacking(d.rules, whole), ", "), d.company.Company)
			if strayed := country.Strayed(*s.Created, present, d.rules); len(strayed) > 0 {
				text += fmt.Sprintf(" The document was made with another place, %s, and only that place completes it.",
					strings.Join(strayed, ", "))
			}
			v := because(waiting.NoProfile, text, true)
			return nil, &v
		default:
			v := failure(fmt.Errorf("complete invoice %s: %w", id, err))
			return nil, &v
		}
	}
	return queue, nil
}

// issuerOf is the company as a document that lacks something is completed from: with the tax
// condition in force at the document's date, or with the present one where the document
// would wait forever because that was told wrongly.
func (d session) issuerOf(e events.InvoiceCreated) country.Issuer {
	branches := d.rules.Branches()
	then := d.company.On(e.Document.Date, d.rules.Location()).IssuerAt(e.Document.Branch, branches)
	if whole := e.Completed(country.Complete(e, then, d.rules)); len(
		country.Lacking(d.rules, whole)) == 0 {
		return then
	}
	return d.company.IssuerAt(e.Document.Branch, branches)
}

// unprepared is the verdict on documents that the driver could not prepare. One that can
// never be sent as it is is rejected, with the reason and without a number, and the rest
// of the queue goes on without it.
func (t *turn) unprepared(ctx context.Context, err error) verdict {
	var unfit *authority.Unfit
	switch {
	case errors.As(err, &unfit):
		t.Logger.Warn("a document is rejected: the authority's schema refuses it", "series", t.series, "invoice",
			unfit.Invoice, "reason", unfit)
		out, err := t.log.Invoices.Execute(ctx, unfit.Invoice,
			invoice.Refuse{Reasons: unfit.Reasons()}, t.request(unfit.Invoice, "refuse"))
		if err != nil {
			return failure(fmt.Errorf("refuse invoice %s: %w", unfit.Invoice, err))
		}
		if err := t.notes().Tell(ctx, out.State, false); err != nil {
			return failure(err) // the notes' own finisher tells it
		}
		return verdict{}
	case errors.Is(err, authority.ErrCredential):
		v := because(waiting.CertificateFault, "The company's certificate cannot be used: "+err.Error()+".", true)
		v.cause = err
		return v
	}
	return failure(err)
}
