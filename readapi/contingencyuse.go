package readapi

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"folio/projections"
	"folio/projections/engine"
	"folio/resource"
)

// warnShare is the share of a month, in hundredths of a per cent, from which a contingency is
// near what the law calls exceptional (five per cent).
const warnShare = 300

// sharer is a company with its contingencies. Those of one account with the same tax identifier share points of sale:
// to the law a point is one branch of the taxpayer, whichever of them issues there.
type sharer struct {
	company string
	windows []projections.Window
}

func (a api) sharers(ctx context.Context, c projections.Company) (out []sharer, err error) {
	ids, err := a.Documents.FindCompanies(ctx, c.Account, c.Country, c.TaxIdentifier)
	if err != nil {
		return nil, err
	}
	if !slices.Contains(ids, c.ID) {
		ids = append(ids, c.ID)
	}
	for _, id := range ids {
		windows, err := a.Documents.ListWindows(ctx, id, engine.Page{Limit: allWindows})
		if err != nil {
			return nil, err
		}
		out = append(out, sharer{id, windows.Documents})
	}
	return out, nil
}

// spares are the contingency points at which documents of a point of sale were issued, and whether others' were, too.
func (s sharer) spares(number int) map[int]bool {
	out := map[int]bool{}
	for _, w := range s.windows {
		if w.PointOfSale == number {
			out[w.Point] = slices.ContainsFunc(s.windows, func(o projections.Window) bool {
				return o.Point == w.Point && o.PointOfSale != number
			})
		}
	}
	return out
}

// monthly is a month of a point of sale.
type monthly struct {
	month   string
	first   time.Time
	number  int
	sharers []sharer
}

func (a api) useOf(ctx context.Context, m monthly) (resource.ContingencyUse, error) {
	ordinary, spare := int64(0), int64(0)
	for _, s := range m.sharers {
		n, err := a.Documents.CountIssued(ctx, s.company, m.month, m.number)
		if err != nil {
			return resource.ContingencyUse{}, err
		}
		ordinary += n
		for point, shared := range s.spares(m.number) {
			count := a.Documents.CountIssued
			if shared {
				count = a.countOf(m.number)
			}
			if n, err = count(ctx, s.company, m.month, point); err != nil {
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

// countOf counts what a contingency point issued for one of the points of sale that share it.
func (a api) countOf(number int) func(context.Context, string, string, int) (int64, error) {
	return func(ctx context.Context, company, month string, point int) (int64, error) {
		return a.Documents.CountIssuedFor(ctx, company, month, projections.Moved{From: number, To: point})
	}
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
