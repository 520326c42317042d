package readapi

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"folio/events"
	"folio/projections"
	"folio/projections/engine"
	"folio/resource"
	"folio/tables"
)

// warnShare is the share of a month, in hundredths of a per cent, from which a contingency is
// near what the law calls exceptional (five per cent).
const warnShare = 300

// sharer is a company with its settings, and its contingencies in one environment. Those of one account with the same
// tax identifier share points of sale: to the law a point is one branch of the taxpayer, whichever of them issues
// there.
type sharer struct {
	company  string
	settings map[int]events.Contingency
	windows  []projections.Window
}

// sharers are the company and those that share its points of sale, in its present environment.
func (a api) sharers(ctx context.Context, c projections.Company) (out []sharer, err error) {
	ids, err := a.Documents.FindCompanies(ctx, c.Account, c.Country, c.TaxIdentifier)
	if err != nil {
		return nil, err
	}
	if !slices.Contains(ids, c.ID) {
		ids = append(ids, c.ID)
	}
	for _, id := range ids {
		shares, err := a.Documents.GetCompany(ctx, id)
		if err != nil {
			return nil, err
		}
		windows, err := a.windowsOf(ctx, id, func(w projections.Window) bool { return w.Environment == c.Environment() })
		if err != nil {
			return nil, err
		}
		out = append(out, sharer{id, shares.Contingencies, windows})
	}
	return out, nil
}

// windowsOf are all contingencies of a company that are wanted, the last opened first.
func (a api) windowsOf(ctx context.Context, company string, wanted func(projections.Window) bool) (
	all []projections.Window, err error) {
	for page := (engine.Page{Limit: tables.MaxLimit}); ; {
		found, err := a.Documents.ListWindows(ctx, company, page)
		if err != nil {
			return nil, err
		}
		for _, w := range found.Documents {
			if wanted(w) {
				all = append(all, w)
			}
		}
		if len(found.Documents) < page.Limit {
			return all, nil
		}
		page.Before = found.Last
	}
}

// spares are the contingency points of a point of sale, that of its setting and those at which documents were issued,
// and whether others' documents are, too.
func (s sharer) spares(number int) map[int]bool {
	named := map[int]map[int]bool{} // by contingency point, the points of sale
	name := func(ordinary, spare int) {
		if named[spare] == nil {
			named[spare] = map[int]bool{}
		}
		named[spare][ordinary] = true
	}
	for ordinary, set := range s.settings {
		name(ordinary, set.PointOfSale)
	}
	for _, w := range s.windows {
		name(w.PointOfSale, w.Point)
	}
	out := map[int]bool{}
	for spare, ordinary := range named {
		if ordinary[number] {
			out[spare] = len(ordinary) > 1
		}
	}
	return out
}

// monthly is a month of a point of sale in one environment.
type monthly struct {
	environment string
	month       string
	first       time.Time
	number      int
	sharers     []sharer
}

func (a api) useOf(ctx context.Context, m monthly) (resource.ContingencyUse, error) {
	ordinary, spare := int64(0), int64(0)
	for _, s := range m.sharers {
		sales := projections.Sales{Company: s.company, Environment: m.environment, Month: m.month, Point: m.number}
		n, err := a.Documents.CountIssued(ctx, sales)
		if err != nil {
			return resource.ContingencyUse{}, err
		}
		ordinary += n
		for point, shared := range s.spares(m.number) {
			sales.Point = point
			if shared {
				n, err = a.Documents.CountIssuedFor(ctx, sales, m.number)
			} else {
				n, err = a.Documents.CountIssued(ctx, sales)
			}
			if err != nil {
				return resource.ContingencyUse{}, err
			}
			spare += n
		}
	}
	end := m.first.AddDate(0, 1, 0)
	if now := a.Clock(); now.Before(end) {
		end = now
	}
	open := openFor(m, end)
	out := resource.ContingencyUse{PointOfSale: m.number, Month: m.month, Documents: ordinary + spare, Contingency: spare}
	documents := percent(spare, ordinary+spare)
	hours := percent(int64(open/time.Second), int64(max(end.Sub(m.first), 0)/time.Second))
	out.Share, out.HourShare = hundredths(documents), hundredths(hours)
	out.Hours = hundredths(int64(open/time.Second) * 100 / 3600)
	out.Warning = documents >= warnShare || hours >= warnShare
	return out, nil
}

// openFor is how long contingencies of the point were open within the month. What was open for two companies at once
// counts once.
func openFor(m monthly, end time.Time) (open time.Duration) {
	type span struct{ from, to time.Time }
	var spans []span
	for _, s := range m.sharers {
		for _, d := range s.windows {
			from, to := d.OpenedAt, end
			if !d.ClosedAt.IsZero() && d.ClosedAt.Before(end) {
				to = d.ClosedAt
			}
			if from.Before(m.first) {
				from = m.first
			}
			if d.PointOfSale == m.number && from.Before(to) {
				spans = append(spans, span{from, to})
			}
		}
	}
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.from.UnixNano(), b.from.UnixNano()) })
	counted := m.first
	for _, s := range spans {
		if s.from.Before(counted) {
			s.from = counted
		}
		if s.from.Before(s.to) {
			open, counted = open+s.to.Sub(s.from), s.to
		}
	}
	return open
}

// percent is a share in hundredths of a per cent; none of nothing.
func percent(part, whole int64) int64 {
	if whole <= 0 {
		return 0
	}
	return part * 10_000 / whole
}

func hundredths(n int64) string { return fmt.Sprintf("%d.%02d", n/100, n%100) }
