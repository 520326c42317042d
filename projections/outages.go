package projections

import (
	"context"
	"time"

	"folio/events"
	"folio/projections/engine"
	"folio/tables"
)

// Outage is one time during which an authority counts as away for a company.
type Outage struct {
	engine.Place

	ID          string               `json:"id"`
	Company     string               `json:"company"`
	Environment string               `json:"environment"`
	Authority   string               `json:"authority"`
	State       string               `json:"state"` // OutageOpen or OutageClosed
	Since       time.Time            `json:"since"` // UTC
	Opened      OutageEdge           `json:"opened"`
	Calls       int                  `json:"calls,omitzero"`
	Evidence    []events.FailingCall `json:"evidence,omitzero"`
	Until       time.Time            `json:"until,omitzero"`
	Seconds     int64                `json:"seconds,omitzero"`
	Closed      *OutageEdge          `json:"closed,omitzero"`
}

// OutageEdge is how an outage was opened or closed.
type OutageEdge struct {
	Cause     string    `json:"cause"` // calls, call or operator
	Reason    string    `json:"reason,omitzero"`
	Operation string    `json:"operation,omitzero"` // of the call that got through
	At        time.Time `json:"at"`                 // UTC, of the fact
	Actor     string    `json:"actor,omitzero"`
}

// The states of an outage.
const (
	OutageOpen   = "open"
	OutageClosed = "closed"
)

// Outages keeps each outage. Their ids are in the order in which they were opened.
var Outages = engine.Define("outages", 1,
	engine.On(func(_ events.Recorded, e events.AuthorityOutageOpened) string { return e.Outage },
		func(d *Outage, r events.Recorded, e events.AuthorityOutageOpened) {
			d.ID, d.Company, d.Environment, d.Authority = e.Outage, e.Company, e.Environment, e.Authority
			d.State, d.Since, d.Calls, d.Evidence = OutageOpen, e.Since.UTC(), e.Calls, e.Evidence
			d.Opened = OutageEdge{Cause: e.Cause, Reason: e.Reason, At: r.Meta.At.UTC(), Actor: r.Meta.Actor}
		}),
	engine.On(func(_ events.Recorded, e events.AuthorityOutageClosed) string { return e.Outage },
		func(d *Outage, r events.Recorded, e events.AuthorityOutageClosed) {
			d.State, d.Until, d.Seconds = OutageClosed, e.Until.UTC(), e.Seconds
			d.Closed = &OutageEdge{Cause: e.Cause, Reason: e.Reason, Operation: e.Operation, At: r.Meta.At.UTC(),
				Actor: r.Meta.Actor}
		}),
	engine.Attributes(func(d *Outage) map[string]string {
		return map[string]string{"state": d.State, "company": d.Company}
	}, tables.Attribute{Name: "state", Indexed: true}, tables.Attribute{Name: "company", Indexed: true}),
)

// Fact is what opened the outage.
func (d Outage) Fact() events.AuthorityOutageOpened {
	return events.AuthorityOutageOpened{Outage: d.ID, Company: d.Company, Environment: d.Environment,
		Authority: d.Authority, Cause: d.Opened.Cause, Reason: d.Opened.Reason, Since: d.Since, Calls: d.Calls,
		Evidence: d.Evidence}
}

// Over is what closed it; nil while it is open.
func (d Outage) Over() *events.AuthorityOutageClosed {
	if d.Closed == nil {
		return nil
	}
	return &events.AuthorityOutageClosed{Outage: d.ID, Company: d.Company, Environment: d.Environment,
		Authority: d.Authority, Cause: d.Closed.Cause, Reason: d.Closed.Reason, Operation: d.Closed.Operation,
		Since: d.Since, Until: d.Until, Seconds: d.Seconds}
}

// ListOutages reads a page of a company's outages, the last that was opened first; state is
// OutageOpen, OutageClosed, or empty for both.
func (r *Reader) ListOutages(ctx context.Context, company, state string,
	page engine.Page) (engine.List[Outage], error) {
	page.Filters = equal("company", company)
	if state != "" {
		page.Filters = append(page.Filters, equal("state", state)...)
	}
	return engine.Find[Outage](ctx, r, Outages, "", page)
}

// OpenOutages reads some of the outages of all companies that are open, and how many there are.
func (r *Reader) OpenOutages(ctx context.Context, limit int) (engine.List[Outage], error) {
	return engine.Find[Outage](ctx, r, Outages, "", engine.Page{Limit: limit, Filters: equal("state", OutageOpen)})
}

// OutageOf is an outage with the company that it is of.
type OutageOf struct {
	Outage
	LegalName string
}

// openEach is more than the open outages that a company can have: one an environment.
const openEach = 10

// OpenOutagesOf reads the outages that are open for companies of an account: limit of them, and how many there are. The
// companies are asked one by one, which costs nothing while no outage of anybody is open.
func (r *Reader) OpenOutagesOf(ctx context.Context, account string, limit int) (some []OutageOf, open int, err error) {
	anybody, err := r.OpenOutages(ctx, 1)
	if err != nil || len(anybody.Documents) == 0 {
		return nil, 0, err
	}
	err = r.eachCompany(ctx, account, func(c Company) error {
		found, err := r.ListOutages(ctx, c.ID, OutageOpen, engine.Page{Limit: openEach})
		for _, o := range found.Documents {
			if open++; len(some) < limit {
				some = append(some, OutageOf{o, c.LegalName})
			}
		}
		return err
	})
	return some, open, err
}
