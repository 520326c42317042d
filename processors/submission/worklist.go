package submission

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"folio/commands/numbering"
	"folio/events"
	"folio/processors/reactor"
	"folio/tables"
	"folio/waiting"
)

// reactions keep the worklist: an item for an invoice that has no final answer, grouped by series, in order of
// creation. What makes a waiting series go on wakes it.
func (p *Processor) reactions() []reactor.Reaction {
	return []reactor.Reaction{
		reactor.On(p.created),
		reactor.Also[events.AuthorityAccepted](p.settled),
		reactor.Also[events.AuthorityRejected](p.settled),
		reactor.Also[events.InvoiceRefused](p.settled),
		reactor.Also[events.ProcessingRequested](p.requested),
		reactor.Also[events.SeriesReleased](p.seriesChanged),
		reactor.Also[events.InvoiceReturned](p.seriesChanged),
		reactor.Also[events.NumberingRangeUploaded](p.seriesChanged),
		reactor.Also[events.CertificateUploaded](p.companyChanged),
		reactor.Also[events.FiscalProfileSet](p.companyChanged),
		reactor.Also[events.TroubleSkipped](p.decided),
		reactor.Also[events.TroubleRetried](p.decided),
	}
}

func (p *Processor) created(_ context.Context, r events.Recorded, e events.InvoiceCreated) error {
	group := seriesOf(e, e.Environment)
	item := tables.Item{Key: e.Invoice, Group: group, Order: r.Position, At: r.Position}
	if err := p.draft.put(item); err != nil {
		return fmt.Errorf("put invoice %s on the worklist: %w", e.Invoice, err)
	}
	return nil
}

func (p *Processor) settled(_ context.Context, r events.Recorded) error {
	return p.draft.remove(tables.Removal{Key: events.Aggregate(r.Stream), At: r.Position})
}

// requested has the series of an invoice tried again because a person asks for it: what the authority answered before
// is forgotten, since the cause was probably put right.
func (p *Processor) requested(ctx context.Context, r events.Recorded) error {
	id := events.Aggregate(r.Stream)
	item, drafted := p.draft.find(id)
	if !drafted {
		var err error
		if item, err = p.List.Get(ctx, id); err != nil {
			return ignoreMissing(err)
		}
	}
	p.lanes.WakeWith(item.Group, func(t *turn) { t.insisted.Store(true) })
	return nil
}

func (p *Processor) seriesChanged(_ context.Context, r events.Recorded) error {
	p.lanes.Wake(events.Aggregate(r.Stream))
	return nil
}

func (p *Processor) companyChanged(_ context.Context, r events.Recorded) error {
	company := events.Aggregate(r.Stream)
	p.lanes.WakeWhere(func(series string, _ *turn) bool { return companyOf(series) == company })
	return nil
}

// decided looks at every series, since any may need the stream that an operator set free.
func (p *Processor) decided(context.Context, events.Recorded) error {
	p.lanes.WakeAll()
	return nil
}

// seriesOf is the series of an invoice, or the company's waiting room while no
// certificate has given it an environment.
func seriesOf(e events.InvoiceCreated, environment string) string {
	if environment == "" {
		return waiting.Unassigned(e.Company)
	}
	return numbering.SeriesOf(e, environment).ID()
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
