package projections

import (
	"context"
	"fmt"
	"time"

	"folio/events"
	"folio/projections/engine"
)

// DailyReport is one sending of a day's report. One accepted later replaces it.
type DailyReport struct {
	engine.Place

	ID          string                    `json:"id"` // <company>-<environment>-<date>-<sending>
	Company     string                    `json:"company"`
	Environment string                    `json:"environment"`
	Date        string                    `json:"date"` // YYYY-MM-DD, local
	Sequence    int                       `json:"sequence"`
	Status      string                    `json:"status"` // In process, Accepted or Rejected
	Used        int64                     `json:"used"`
	Annulled    int64                     `json:"annulled"`
	Receipt     string                    `json:"receipt,omitzero"`
	Reasons     []events.AuthorityMessage `json:"reasons,omitzero"`
	Sandbox     bool                      `json:"sandbox,omitzero"`
	SentAt      time.Time                 `json:"sent_at"`             // UTC
	DecidedAt   time.Time                 `json:"decided_at,omitzero"` // UTC
}

func sending(r events.Recorded, n int) string {
	return fmt.Sprintf("%s-%d", engine.ByStream(r, events.DailyReportSent{}), n)
}

// DailyReports keeps each sending of each day's report, in the list of its company.
var DailyReports = engine.Define("daily_reports", 1,
	engine.On(func(r events.Recorded, e events.DailyReportSent) string { return sending(r, e.Sending) },
		func(d *DailyReport, r events.Recorded, e events.DailyReportSent) {
			d.ID, d.Company, d.Environment, d.Date, d.Sequence = sending(r, e.Sending), e.Company, e.Environment, e.Date,
				e.Sequence
			d.Status, d.Used, d.Annulled, d.SentAt = StatusInProcess, e.Used, e.Annulled, r.Meta.At.UTC()
		}),
	engine.On(func(r events.Recorded, e events.DailyReportAccepted) string { return sending(r, e.Sending) },
		func(d *DailyReport, r events.Recorded, e events.DailyReportAccepted) {
			d.Status, d.Receipt, d.Sandbox, d.DecidedAt = StatusAccepted, e.Receipt, e.Sandbox, r.Meta.At.UTC()
		}),
	engine.On(func(r events.Recorded, e events.DailyReportRejected) string { return sending(r, e.Sending) },
		func(d *DailyReport, r events.Recorded, e events.DailyReportRejected) {
			d.Status, d.Reasons, d.DecidedAt = StatusRejected, e.Reasons, r.Meta.At.UTC()
		}),
	engine.Listed[DailyReport](func(_ events.Recorded, e events.DailyReportSent) string { return e.Company }),
)

// ListDailyReports reads a page of a company's daily reports, the last sent first.
func (r *Reader) ListDailyReports(ctx context.Context, company string,
	page engine.Page) (engine.List[DailyReport], error) {
	return engine.Find[DailyReport](ctx, r, DailyReports, company, page)
}
