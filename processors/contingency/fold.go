package contingency

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"folio/commands/caea"
	"folio/commands/contingency"
	"folio/commands/numbering"
	"folio/events"
	"folio/processors/lanes"
	"folio/processors/reactor"
	"folio/tables"
)

// The kinds of lanes. A lane's key is "<kind>/<id>", and so is that of the item that keeps it.
const (
	ofWindow = "window" // an open contingency: contingency.Window
	ofIssue  = "issue"  // an ordinary series with documents that moved: numbering.Series
	ofReport = "report" // a contingency point's series with documents that are due: numbering.Series
	ofKeeper = "keep"   // a company that has set a contingency
	ofCode   = "code"   // a code that is not closed: caea.Fortnight
)

// companyOf is the company of a lane: every id begins with it.
func companyOf(lane string) string {
	_, id, _ := strings.Cut(lane, "/")
	company, _, _ := strings.Cut(id, "-")
	return company
}

func (p *Processor) reactions() []reactor.Reaction {
	return []reactor.Reaction{
		reactor.Also[events.ContingencyConfigured](p.configured),
		reactor.Also[events.CertificateUploaded](p.certified),
		reactor.On(p.opened), reactor.Also[events.ContingencyClosed](p.closed),
		reactor.Also[events.AuthorityOutageOpened](p.outageOpened),
		reactor.Also[events.AuthorityOutageClosed](p.outageClosed),
		reactor.On(p.created),
		reactor.Also[events.InvoiceWithdrawn](p.withdrawn),
		reactor.Also[events.ContingencyIssued](p.issued),
		reactor.Also[events.ContingencyReportSettled](p.reported),
		reactor.Also[events.SeriesReleased](p.released),
		reactor.Also[events.CAEAGranted](p.granted), reactor.Also[events.CAEAClosed](p.codeClosed),
	}
}

// put keeps a lane until its work is done, and wakes it.
func (p *Processor) put(ctx context.Context, r events.Recorded, kind, id string) error {
	key := kind + "/" + id
	item := tables.Item{Key: key, Order: r.Position, At: r.Position, Due: tables.Never}
	if err := p.List.Put(ctx, item); err != nil {
		return fmt.Errorf("put %s on the worklist: %w", key, err)
	}
	p.wake(key)
	return nil
}

// wake makes a lane look at its work.
func (p *Processor) wake(key string) {
	if kind, _, _ := strings.Cut(key, "/"); kind == ofWindow || kind == ofIssue || kind == ofOutage {
		p.local.Wake(key)
		return
	}
	p.remote.Wake(key)
}

// finished takes a lane's item away, unless something came since it was read.
func (p *Processor) finished(ctx context.Context, it *tables.Item) error {
	if it == nil {
		return nil
	}
	return p.List.Remove(ctx, it.Key, it.At)
}

// item is that of a lane; nil when it has none.
func (p *Processor) item(ctx context.Context, kind, id string) (*tables.Item, error) {
	it, err := p.List.Get(ctx, kind+"/"+id)
	if errors.Is(err, tables.ErrNotFound) {
		return nil, nil
	}
	return &it, err
}

func (p *Processor) configured(ctx context.Context, r events.Recorded) error {
	company := events.Aggregate(r.Stream)
	p.local.WakeWhere(func(lane string, _ lanes.Func) bool { return companyOf(lane) == company })
	return p.put(ctx, r, ofKeeper, company)
}

// certified has a company looked at whose code may have waited for a certificate.
func (p *Processor) certified(_ context.Context, r events.Recorded) error {
	company := events.Aggregate(r.Stream)
	p.remote.WakeWhere(func(lane string, _ lanes.Func) bool { return companyOf(lane) == company })
	return nil
}

func (p *Processor) opened(ctx context.Context, r events.Recorded, e events.ContingencyOpened) error {
	w := contingency.Window{Company: e.Company, Environment: e.Environment, PointOfSale: e.PointOfSale}
	p.mu.Lock()
	p.open[w] = true
	p.mu.Unlock()
	return p.put(ctx, r, ofWindow, w.ID())
}

func (p *Processor) closed(_ context.Context, r events.Recorded) error {
	p.wake(ofWindow + "/" + events.Aggregate(r.Stream))
	return nil
}

// created wakes the series of a new invoice where a contingency is open.
func (p *Processor) created(_ context.Context, _ events.Recorded, e events.InvoiceCreated) error {
	series := numbering.SeriesOf(e, e.Environment)
	p.mu.Lock()
	open := p.open[contingency.Window{Company: e.Company, Environment: e.Environment, PointOfSale: series.BranchOffice}]
	if open {
		p.fresh[series.ID()] = append(p.fresh[series.ID()], e.Invoice)
	}
	p.mu.Unlock()
	if open {
		p.wake(ofIssue + "/" + series.ID())
	}
	return nil
}

func (p *Processor) withdrawn(ctx context.Context, r events.Recorded) error {
	return p.put(ctx, r, ofIssue, events.Aggregate(r.Stream))
}

func (p *Processor) issued(ctx context.Context, r events.Recorded) error {
	return p.put(ctx, r, ofReport, events.Aggregate(r.Stream))
}

// reported has the codes of the company looked at: one of them may be closed now.
func (p *Processor) reported(_ context.Context, r events.Recorded) error {
	company, _, _ := strings.Cut(events.Aggregate(r.Stream), "-")
	p.remote.WakeWhere(func(lane string, _ lanes.Func) bool {
		return companyOf(lane) == company && strings.HasPrefix(lane, ofCode+"/")
	})
	return nil
}

// released has a series go on that an operator looked at.
func (p *Processor) released(_ context.Context, r events.Recorded) error {
	company, _, _ := strings.Cut(events.Aggregate(r.Stream), "-")
	ours := func(lane string, _ lanes.Func) bool { return companyOf(lane) == company }
	p.remote.WakeWhere(ours)
	p.local.WakeWhere(ours)
	return nil
}

func (p *Processor) granted(ctx context.Context, r events.Recorded) error {
	id := events.Aggregate(r.Stream)
	company, _, _ := strings.Cut(id, "-")
	p.local.WakeWhere(func(lane string, _ lanes.Func) bool { return companyOf(lane) == company })
	return p.put(ctx, r, ofCode, id)
}

func (p *Processor) codeClosed(ctx context.Context, r events.Recorded) error {
	return p.List.Remove(ctx, ofCode+"/"+events.Aggregate(r.Stream), r.Position)
}

// fortnightOf is the code's of a day of the calendar.
func fortnightOf(company, environment string, day time.Time) caea.Fortnight {
	f := caea.Fortnight{Company: company, Environment: environment, Period: day.Format("200601"), Order: 1}
	if day.Day() > 15 {
		f.Order = 2
	}
	return f
}

func awayStore(err error) bool { return errors.Is(err, tables.ErrUnavailable) }
