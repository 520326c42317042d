package readapi

import (
	"context"
	"net/http"

	"folio/projections"
	"folio/projections/engine"
	"folio/resource"
	"folio/strict"
)

// listDailyReports lists what was sent to the authority about the company's days. Where
// the country has no such report the list is empty.
func (a api) listDailyReports(w http.ResponseWriter, r *http.Request) error {
	c, err := a.company(r)
	if err != nil {
		return err
	}
	return answerList(a, w, r, strict.ReadQuery(r),
		listed(projections.DailyReports, func(ctx context.Context,
			p engine.Page) (engine.List[projections.DailyReport], error) {
			return a.Documents.ListDailyReports(ctx, c.ID, p)
		}, sure(func(d projections.DailyReport) resource.DailyReport {
			out := resource.DailyReport{Date: d.Date, Environment: d.Environment, Sequence: d.Sequence, Status: d.Status,
				Issued:   d.Used - d.Annulled,
				Annulled: d.Annulled, Used: d.Used, Receipt: pointer(d.Receipt), Reasons: resource.Messages(d.Reasons),
				Sandbox: d.Sandbox, SentAt: d.SentAt}
			if !d.DecidedAt.IsZero() {
				out.DecidedAt = &d.DecidedAt
			}
			return out
		})))
}
