package readapi

import (
	"cmp"
	"context"
	"maps"
	"net/http"
	"slices"
	"time"

	"folio/events"
	"folio/httpapi"
	"folio/projections"
	"folio/projections/engine"
	"folio/resource"
	"folio/strict"
)

// listContingencies answers with a page of the points of sale that have a contingency, by number.
func (a api) listContingencies(w http.ResponseWriter, r *http.Request) error {
	c, err := a.company(r)
	if err != nil {
		return err
	}
	windows, err := a.windowsOf(r.Context(), c.ID, func(w projections.Window) bool { return w.ClosedAt.IsZero() })
	if err != nil {
		return err
	}
	record := func(number int, set events.Contingency) resource.Contingency {
		out := resource.ContingencyOf(number, set)
		for _, d := range windows {
			if d.PointOfSale == number {
				open := windowIn(r, d)
				out.Open = &open
			}
		}
		return out
	}
	httpapi.Localized(w.Header(), httpapi.InSpanish(r))
	return answerList(a, w, r, strict.ReadQuery(r), numbered(c.Contingencies, record))
}

// listWindows answers with a page of the company's contingencies, the last opened first.
func (a api) listWindows(w http.ResponseWriter, r *http.Request) error {
	c, err := a.company(r)
	if err != nil {
		return err
	}
	httpapi.Localized(w.Header(), httpapi.InSpanish(r))
	return answerList(a, w, r, strict.ReadQuery(r), listed(projections.Windows,
		func(ctx context.Context, p engine.Page) (engine.List[projections.Window], error) {
			return a.Documents.ListWindows(ctx, c.ID, p)
		}, sure(func(d projections.Window) resource.Window { return windowIn(r, d) })))
}

// windowIn says why it opened and closed in the language that the caller asks for.
func windowIn(r *http.Request, d projections.Window) resource.Window {
	out := resource.Window{PointOfSale: d.PointOfSale, ContingencyPoint: d.Point, Environment: d.Environment,
		Cause: httpapi.Said(r, httpapi.Story, d.Cause), Evidence: make([]string, len(d.Evidence)),
		OpenedAt: d.OpenedAt, OpenedBy: d.OpenedBy}
	for n, text := range d.Evidence {
		out.Evidence[n] = httpapi.Said(r, httpapi.Story, text)
	}
	if !d.ClosedAt.IsZero() {
		out.ClosedAt, out.ClosedBy = &d.ClosedAt, pointer(d.ClosedBy)
		out.Reason = pointer(httpapi.Said(r, httpapi.Story, d.Reason))
	}
	return out
}

// listCodes answers with a page of the codes of the company's fortnights, the last first.
func (a api) listCodes(w http.ResponseWriter, r *http.Request) error {
	c, err := a.company(r)
	if err != nil {
		return err
	}
	today := a.today(c)
	return answerList(a, w, r, strict.ReadQuery(r), listed(projections.Codes,
		func(ctx context.Context, p engine.Page) (engine.List[projections.Code], error) {
			return a.Documents.ListCodes(ctx, c.ID, p)
		}, sure(func(d projections.Code) resource.ContingencyCode { return codeOf(d, today) })))
}

// today is the local day of a company's country, YYYY-MM-DD.
func (a api) today(c projections.Company) string {
	now := a.Clock()
	if rules, ok := a.Countries.ByCode(c.Country); ok {
		now = now.In(rules.Location())
	}
	return now.Format(time.DateOnly)
}

func codeOf(d projections.Code, today string) resource.ContingencyCode {
	out := resource.ContingencyCode{Environment: d.Environment, Period: d.Period, Order: d.Order, State: "requested",
		Code: pointer(d.Code), From: pointer(d.From), To: pointer(d.To), ReportUntil: pointer(d.ReportUntil),
		Issued: d.Issued, Reported: d.Reported, Due: d.Issued - d.Reported, Idle: append([]int{}, d.Idle...),
		Doubted: append([]int{}, d.Doubted...), Remarks: resource.Messages(d.Remarks),
		Refusal: resource.Messages(d.Refusal), Warnings: append([]string{}, d.Warnings...), Sandbox: d.Sandbox}
	switch {
	case d.Closed:
		out.State = "closed"
	case d.Code != "" && d.To < today:
		out.State = "owed"
	case d.Code != "":
		out.State = "held"
	case len(d.Refusal) > 0:
		out.State = "refused"
	}
	return out
}

// contingencyUse answers with the share of a month that each point of sale issued by
// contingency, by documents and by hours.
func (a api) contingencyUse(w http.ResponseWriter, r *http.Request) error {
	q := strict.ReadQuery(r)
	month := q.String("month", strict.MaxLen(7))
	if _, err := time.Parse("2006-01", month); month != "" && err != nil {
		q.Fail("month", strict.CodeFormat, "must be a month such as 2026-11")
	}
	if err := q.Done(); err != nil {
		return err
	}
	c, err := a.company(r)
	if err != nil {
		return err
	}
	month = cmp.Or(month, a.today(c)[:len("2006-01")])
	zone := time.UTC
	if rules, ok := a.Countries.ByCode(c.Country); ok {
		zone = rules.Location()
	}
	first, err := time.ParseInLocation("2006-01", month, zone)
	if err != nil {
		return err
	}
	out := struct {
		Points []resource.ContingencyUse `json:"points_of_sale"`
	}{Points: []resource.ContingencyUse{}}
	err = a.pass(r.Context(), func() error {
		sharers, err := a.sharers(r.Context(), c)
		if err != nil {
			return err
		}
		for _, number := range slices.Sorted(maps.Keys(c.Contingencies)) {
			use, err := a.useOf(r.Context(), monthly{c.Environment(), month, first, number, sharers})
			if err != nil {
				return err
			}
			out.Points = append(out.Points, use)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return httpapi.JSON(w, http.StatusOK, out)
}
