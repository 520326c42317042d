package readapi

import (
	"context"
	"net/http"

	"folio/httpapi"
	"folio/projections"
	"folio/projections/engine"
	"folio/resource"
	"folio/strict"
)

// listOutages lists when the company's authority counted as away, the last one first.
func (a api) listOutages(w http.ResponseWriter, r *http.Request) error {
	q, company := strict.ReadQuery(r), httpapi.Caller(r.Context()).Company
	state := q.String("state", strict.OneOf(projections.OutageOpen, projections.OutageClosed))
	return answerList(a, w, r, q, listed(projections.Outages,
		func(ctx context.Context, p engine.Page) (engine.List[projections.Outage], error) {
			return a.Documents.ListOutages(ctx, company, state, p)
		}, sure(outageRecord)))
}

func outageRecord(d projections.Outage) resource.Outage {
	out := resource.OutageOpened(d.Fact())
	if over := d.Over(); over != nil {
		out = out.OutageClosedBy(*over)
	}
	return out
}

// openOutages are those of a company that are open, for one request: looked up once.
func (a api) openOutages(ctx context.Context, company string) (out []projections.Outage, err error) {
	if company == "" {
		return nil, nil
	}
	found, err := a.Documents.ListOutages(ctx, company, projections.OutageOpen, engine.Page{Limit: maxOpen})
	return found.Documents, err
}

// maxOpen is more than the open outages that a company can have: one an environment.
const maxOpen = 10

// during is the one of them that is of an authority and environment; nil for none.
func during(open []projections.Outage, authority, environment string) *resource.OpenOutage {
	for _, o := range open {
		if o.Environment == environment && (authority == "" || o.Authority == authority) {
			return &resource.OpenOutage{ID: o.ID, Since: o.Since, Cause: o.Opened.Cause}
		}
	}
	return nil
}
