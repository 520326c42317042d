package projections

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"folio/events"
	"folio/projections/engine"
	"folio/tables"
)

// Code is a code that was given ahead for one fortnight, with what was issued by it.
type Code struct {
	engine.Place

	ID          string                    `json:"id"` // <company>-<environment>-<yyyymm>-<order>
	Company     string                    `json:"company"`
	Environment string                    `json:"environment"`
	Period      string                    `json:"period"` // YYYYMM
	Order       int                       `json:"order"`
	Code        string                    `json:"code,omitzero"`
	From        string                    `json:"from,omitzero"`         // YYYY-MM-DD
	To          string                    `json:"to,omitzero"`           // YYYY-MM-DD
	ReportUntil string                    `json:"report_until,omitzero"` // YYYY-MM-DD
	Remarks     []events.AuthorityMessage `json:"remarks,omitzero"`
	Refusal     []events.AuthorityMessage `json:"refusal,omitzero"` // the last one, while there is no code
	Sandbox     bool                      `json:"sandbox,omitzero"`
	Issued      int64                     `json:"issued"`
	Reported    int64                     `json:"reported"`
	Idle        []int                     `json:"idle,omitzero"` // points that were reported without documents
	// points of which the authority says that they had some
	Doubted  []int    `json:"doubted,omitzero"`
	Warnings []string `json:"warnings,omitzero"`
	Closed   bool     `json:"closed,omitzero"`
}

// Codes keeps the codes of each company's fortnights.
var Codes = engine.Define("contingency_codes", 1,
	engine.On(engine.ByStream, func(d *Code, r events.Recorded, e events.CAEARequested) {
		d.ID, d.Company, d.Environment = engine.ByStream(r, e), e.Company, e.Environment
		d.Period, d.Order = e.Period, e.Order
	}),
	engine.On(engine.ByStream, func(d *Code, _ events.Recorded, e events.CAEAGranted) {
		d.Code, d.From, d.To, d.ReportUntil = e.Code, e.From, e.To, e.ReportUntil
		d.Remarks, d.Refusal, d.Sandbox = e.Remarks, nil, e.Sandbox
	}),
	engine.On(engine.ByStream, func(d *Code, _ events.Recorded, e events.CAEARefused) { d.Refusal = e.Reasons }),
	engine.On(engine.ByStream, func(d *Code, _ events.Recorded, e events.NoMovementReported) {
		d.Idle, d.Doubted = append(d.Idle, e.Point), slices.DeleteFunc(d.Doubted, func(p int) bool { return p == e.Point })
	}),
	engine.On(engine.ByStream, func(d *Code, _ events.Recorded, e events.NoMovementRefused) {
		d.Doubted = append(d.Doubted, e.Point)
	}),
	engine.On(engine.ByStream, func(d *Code, _ events.Recorded, e events.CAEAWarned) {
		d.Warnings = append(d.Warnings, e.Kind)
	}),
	engine.On(engine.ByStream, func(d *Code, _ events.Recorded, _ events.CAEAClosed) { d.Closed = true }),
	engine.On(func(r events.Recorded, e events.ContingencyIssued) string { return codeID(r, e.Period) },
		func(d *Code, _ events.Recorded, _ events.ContingencyIssued) { d.Issued++ }),
	engine.Each(func(r events.Recorded, e events.ContingencyReportSettled) (out []engine.Change[Code]) {
		counts := map[string]int64{}
		for _, o := range e.Outcomes {
			if o.State == events.ReportDone || o.State == events.ReportObserved {
				counts[codeID(r, o.Period)]++
			}
		}
		for id, n := range counts {
			out = append(out, engine.To(id, func(d *Code) { d.Reported += n })...)
		}
		return out
	}),
	engine.Listed[Code](func(_ events.Recorded, e events.CAEARequested) string { return e.Company }),
)

// codeID is the code's document of a numbering series and a period.
func codeID(r events.Recorded, period string) string {
	company, series, _ := strings.Cut(events.Aggregate(r.Stream), "-")
	environment, _, _ := strings.Cut(series, "-")
	return fmt.Sprintf("%s-%s-%s", company, environment, period)
}

// Window is one time in which documents of a point of sale were issued by contingency.
type Window struct {
	engine.Place

	ID          string    `json:"id"`
	Company     string    `json:"company"`
	Environment string    `json:"environment"`
	PointOfSale int       `json:"point_of_sale"` // in ordinary times
	Point       int       `json:"point"`
	Cause       string    `json:"cause"`
	Evidence    []string  `json:"evidence,omitzero"`
	OpenedBy    string    `json:"opened_by"`
	OpenedAt    time.Time `json:"opened_at"`          // UTC
	ClosedAt    time.Time `json:"closed_at,omitzero"` // UTC; zero while it is open
	ClosedBy    string    `json:"closed_by,omitzero"`
	Reason      string    `json:"reason,omitzero"` // of its end
}

// Windows keeps each contingency of each point of sale. The document of the last one has the
// stream's name, so that its end finds it.
var Windows = engine.Define("contingency_windows", 1,
	engine.Each(func(r events.Recorded, e events.ContingencyOpened) []engine.Change[Window] {
		return engine.To(windowID(r.Stream, r.Revision), func(d *Window) {
			*d = Window{Place: d.Place, ID: windowID(r.Stream, r.Revision), Company: e.Company, Environment: e.Environment,
				PointOfSale: e.PointOfSale, Point: e.Point, Cause: e.Cause, Evidence: e.Evidence, OpenedBy: e.By,
				OpenedAt: r.Meta.At.UTC()}
		})
	}),
	// What closes a contingency comes right behind what opened it: no other event is in the stream.
	engine.Each(func(r events.Recorded, e events.ContingencyClosed) []engine.Change[Window] {
		return engine.To(windowID(r.Stream, r.Revision-1), func(d *Window) {
			d.ClosedAt, d.ClosedBy, d.Reason = r.Meta.At.UTC(), e.By, e.Reason
		})
	}),
	engine.Listed[Window](func(_ events.Recorded, e events.ContingencyOpened) string { return e.Company }),
)

func windowID(stream string, revision uint64) string {
	return fmt.Sprintf("%s-%d", events.Aggregate(stream), revision)
}

// ListCodes reads a page of a company's codes, the last asked for first.
func (r *Reader) ListCodes(ctx context.Context, company string, page engine.Page) (engine.List[Code], error) {
	return engine.Find[Code](ctx, r, Codes, company, page)
}

// ListWindows reads a page of a company's contingencies, the last opened first.
func (r *Reader) ListWindows(ctx context.Context, company string, page engine.Page) (engine.List[Window], error) {
	return engine.Find[Window](ctx, r, Windows, company, page)
}

// Sales are the accepted documents of a company's point of sale in one environment that are dated in a month, YYYY-MM.
type Sales struct {
	Company, Environment, Month string
	Point                       int
}

// CountIssued counts sales.
func (r *Reader) CountIssued(ctx context.Context, s Sales) (int64, error) {
	page := engine.Page{Limit: 1, Filters: s.filters()}
	found, err := engine.Find[Invoice](ctx, r, Invoices, s.Company, page)
	return found.Total, err
}

// CountIssuedFor is CountIssued of a contingency point that several points of sale share: it counts the documents that
// came from one of them, the ordinary one. Few documents are issued so, and it looks at each.
func (r *Reader) CountIssuedFor(ctx context.Context, s Sales, ordinary int) (n int64, err error) {
	page := engine.Page{Limit: tables.MaxLimit, Filters: s.filters()}
	for {
		found, err := engine.Find[Invoice](ctx, r, Invoices, s.Company, page)
		if err != nil {
			return 0, err
		}
		for _, d := range found.Documents {
			if d.Document.BranchOffice == ordinary {
				n++
			}
		}
		if len(found.Documents) < page.Limit {
			return n, nil
		}
		page.Before = found.Last
	}
}

func (s Sales) filters() []tables.Filter {
	return []tables.Filter{
		{Attribute: "environment", Value: s.Environment},
		{Attribute: "status", Op: tables.EqualFold, Value: StatusAccepted},
		{Attribute: "date", Op: tables.Prefix, Value: s.Month + "-"},
		{Attribute: "number", Op: tables.Prefix, Value: fmt.Sprintf("%04d-", s.Point)}}
}
