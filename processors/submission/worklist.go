package submission

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"folio/commands/numbering"
	"folio/events"
	"folio/tables"
	"folio/waiting"
)

// Types are the events that the worklist is folded from.
var Types = []string{
	events.Name[events.InvoiceCreated](),
	events.Name[events.AuthorityAccepted](),
	events.Name[events.AuthorityRejected](),
	events.Name[events.InvoiceRefused](),
	events.Name[events.ProcessingRequested](),
	events.Name[events.SeriesReleased](),
	events.Name[events.NumberingRangeUploaded](),
	events.Name[events.CertificateUploaded](),
	events.Name[events.FiscalProfileSet](),
}

// fold keeps the worklist: an item an invoice that has no final answer, grouped by
// series, in order of creation. What makes a waiting series go on wakes it.
func (p *Processor) fold(ctx context.Context, r events.Recorded) error {
	switch e := r.Event.(type) {
	case events.InvoiceCreated:
		group := seriesOf(e, e.Environment)
		item := tables.Item{Key: e.Invoice, Group: group, Order: r.Position, At: r.Position}
		if err := p.list.Put(ctx, item); err != nil {
			return fmt.Errorf("put invoice %s on the worklist: %w", e.Invoice, err)
		}
		p.start(group)
	case events.AuthorityAccepted, events.AuthorityRejected, events.InvoiceRefused:
		return p.list.Remove(ctx, aggregate(r.Stream), r.Position)
	case events.ProcessingRequested:
		item, err := p.list.Get(ctx, aggregate(r.Stream))
		if errors.Is(err, tables.ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		p.insist(item.Group)
	case events.SeriesReleased, events.NumberingRangeUploaded:
		p.wake(aggregate(r.Stream))
	case events.CertificateUploaded, events.FiscalProfileSet:
		p.wakeCompany(aggregate(r.Stream))
	case events.TroubleSkipped, events.TroubleRetried:
		p.WakeAll()
	}
	return nil
}

// seriesOf is the series of an invoice, or the company's waiting room while no
// certificate has given it an environment.
func seriesOf(e events.InvoiceCreated, environment string) string {
	if environment == "" {
		return waiting.Unassigned(e.Company)
	}
	return numbering.Series{Company: e.Company, Environment: environment,
		OfficialCode: e.Document.OfficialCode, BranchOffice: e.Document.BranchOffice}.ID()
}

// aggregate is the id behind the category: "01J..." of "invoice-01J...".
func aggregate(stream string) string {
	_, id, _ := strings.Cut(stream, "-")
	return id
}

// companyOf is the company of a series or of a waiting room.
func companyOf(group string) string {
	return group[:strings.IndexAny(group+"-", "-/")]
}

func ignoreMissing(err error) error {
	if errors.Is(err, tables.ErrNotFound) {
		return nil
	}
	return err
}
