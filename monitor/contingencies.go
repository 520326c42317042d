package monitor

import (
	"context"
	"slices"
	"strings"
	"time"

	"folio/projections"
	"folio/projections/engine"
	"folio/tables"
)

// contingencies are what is open, owed and lacking where documents are issued by codes that an authority gave ahead
// (Argentina, CAEA), by environment. Environments in which no company has set a contingency have no figures.
type contingencies struct {
	open       map[string]int64   // points of sale
	unreported map[string]int64   // documents
	codeless   map[string]int64   // companies that lack a code
	daysLeft   map[string]float64 // until the last day of reports of a code by which something is owed
}

// mostContingencies bounds what is read of the worklist: a company that has set a contingency has some five items.
const mostContingencies = 50_000

// codeAhead is on how many days before a fortnight begins its code should be held. The authority gives it from five
// days before on; the company is told of a code that is not held two days before.
const codeAhead = 2

// fortnights are the codes of a company in an environment.
type fortnights map[string][]projections.Code

// contingencies reads the worklist of contingencies: "<kind>/<id>", of each contingency that is open (window), code
// that is not closed (code) and company that has set a contingency (keep).
func (s Sources) contingencies(ctx context.Context, now time.Time) (contingencies, error) {
	out := contingencies{open: map[string]int64{}, unreported: map[string]int64{}, codeless: map[string]int64{},
		daysLeft: map[string]float64{}}
	items, err := s.Tables.Worklist(s.Contingency).All(ctx, mostContingencies)
	if err != nil || len(items) == 0 {
		return out, err
	}
	ids := map[string][]tables.Item{} // by kind; the key of each is the id alone
	for _, it := range items {
		var kind string
		kind, it.Key, _ = strings.Cut(it.Key, "/")
		ids[kind] = append(ids[kind], it)
	}
	companies := map[string]projections.Company{}
	of := slices.Concat(ids["keep"], ids["code"])
	if err := s.many(ctx, projections.Companies, of, func(it tables.Item) string { return companyOf(it.Key) },
		func(d tables.Document) error {
			c, err := engine.Decode[projections.Company](projections.Companies, d)
			companies[c.ID] = c
			return err
		}); err != nil {
		return out, err
	}
	held := fortnights{}
	if err := s.many(ctx, projections.Codes, ids["code"], func(it tables.Item) string { return it.Key },
		func(d tables.Document) error {
			c, err := engine.Decode[projections.Code](projections.Codes, d)
			held[c.Company+c.Environment] = append(held[c.Company+c.Environment], c)
			s.owed(out, c, companies[c.Company].Country, now)
			return err
		}); err != nil {
		return out, err
	}
	for _, it := range ids["keep"] {
		if c, known := companies[it.Key]; known && len(c.Certificates) > 0 {
			environment := c.Certificates[len(c.Certificates)-1].Environment
			out.open[environment] += 0
			out.unreported[environment] += 0
			out.codeless[environment] += held.lacking(c.ID+environment, now.In(s.Zone(c.Country)))
		}
	}
	for _, it := range ids["window"] {
		out.open[environmentOf(it.Key)]++
	}
	return out, nil
}

// owed adds what is still to be reported of a code: documents, and once its fortnight is over the points without any.
func (s Sources) owed(to contingencies, c projections.Code, country string, now time.Time) {
	to.unreported[c.Environment] += c.Issued - c.Reported
	if over := c.To < now.In(s.Zone(country)).Format(time.DateOnly); c.Issued == c.Reported && !over {
		return
	}
	if days, dated := s.daysLeft(country, c.ReportUntil, now); dated {
		least(to.daysLeft, c.Environment, days)
	}
}

// lacking is 1 where no code is held for today, or for a day on which it should be held already.
func (f fortnights) lacking(of string, today time.Time) int64 {
	for _, day := range []string{today.Format(time.DateOnly), today.AddDate(0, 0, codeAhead).Format(time.DateOnly)} {
		held := false
		for _, c := range f[of] {
			held = held || c.From <= day && day <= c.To
		}
		if !held {
			return 1
		}
	}
	return 0
}
