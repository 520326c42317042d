package monitor

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"

	"folio/projections"
	"folio/projections/engine"
	"folio/tables"
	"folio/waiting"
)

// What is read of the tables at most. Beyond it counts are floors, and what is oldest stays exact, since the oldest
// is read first.
const (
	mostInvoices = 20_000
	mostSeries   = 1_000 // with a note of why they wait
	mostSupplies = 20_000
	scanPart     = 500
)

// Sources are where the state is read.
type Sources struct {
	Tables tables.Store
	Reader *projections.Reader
	Notes  *waiting.Notes
	// Submission, DailyReports, Mail and Contingency name the processors' worklists.
	Submission, DailyReports, Mail, Contingency string
	// Delivery says since when a delivery is due that has not gone out; false: none is.
	Delivery func(ctx context.Context) (time.Time, bool, error)
	// Zone is where the days of a country are counted.
	Zone func(country string) *time.Location
}

// group names invoices that wait in the same way.
type group struct{ country, environment, state, waitsFor string }

// backlog is what of the invoices has no final answer.
type backlog struct {
	all    int64
	count  map[group]int64
	oldest map[group]time.Time
}

// What an invoice waits for.
const (
	waitsForCompany = "company" // its certificate, its profile, its numbers
	waitsForService = "service" // Folio or the authority
)

// ofCompany are the reasons that the company itself must end.
var ofCompany = map[waiting.Code]bool{waiting.NoCertificate: true, waiting.CertificateFault: true,
	waiting.NoProfile: true, waiting.OtherEnvironment: true, waiting.NoRange: true, waiting.RangeExhausted: true}

// invoices reads the submission processor's worklist, which has every invoice without a final answer, the oldest
// first. Which of them are with the authority, the open submissions of their series say.
func (s Sources) invoices(ctx context.Context, reasons map[string]waiting.Code) (b backlog, err error) {
	list := s.Tables.Worklist(s.Submission)
	b = backlog{count: map[group]int64{}, oldest: map[group]time.Time{}}
	if b.all, err = list.Count(ctx); err != nil || b.all == 0 {
		return b, err
	}
	items, err := list.All(ctx, mostInvoices)
	if err != nil {
		return b, err
	}
	open, err := s.open(ctx, items)
	if err != nil {
		return b, err
	}
	countries, err := s.countries(ctx, items)
	if err != nil {
		return b, err
	}
	for _, it := range items {
		g := group{country: countries[companyOf(it.Group)], environment: environmentName(environmentOf(it.Group)),
			state: projections.StatusPending, waitsFor: waitsForService}
		if open[it.Key] {
			g.state = projections.StatusInProcess
		}
		if ofCompany[reasons[it.Group]] {
			g.waitsFor = waitsForCompany
		}
		b.count[g]++
		if at, ok := createdAt(it.Key); ok && (b.oldest[g].IsZero() || at.Before(b.oldest[g])) {
			b.oldest[g] = at
		}
	}
	return b, nil
}

// createdAt is the time in an invoice's id.
func createdAt(id string) (time.Time, bool) {
	u, err := ulid.ParseStrict(id)
	if err != nil {
		return time.Time{}, false
	}
	return ulid.Time(u.Time()), true
}

// companyOf and environmentOf read the name of a series or of a company's waiting room: see submission.seriesOf.
func companyOf(series string) string { return series[:strings.IndexAny(series+"-", "-/")] }

func environmentOf(series string) string {
	_, rest, _ := strings.Cut(series, "-")
	environment, _, _ := strings.Cut(rest, "-")
	return environment
}

// open are the invoices that are in a submission without a verdict.
func (s Sources) open(ctx context.Context, items []tables.Item) (map[string]bool, error) {
	open := map[string]bool{}
	err := s.many(ctx, projections.Numbering, items, func(it tables.Item) string { return it.Group },
		func(d tables.Document) error {
			series, err := engine.Decode[projections.Series](projections.Numbering, d)
			for _, o := range series.Open {
				for _, invoice := range o.Invoices {
					open[invoice] = true
				}
			}
			return err
		})
	return open, err
}

// countries are those of the companies that the items are of.
func (s Sources) countries(ctx context.Context, items []tables.Item) (map[string]string, error) {
	out := map[string]string{}
	err := s.many(ctx, projections.Companies, items, func(it tables.Item) string { return companyOf(it.Group) },
		func(d tables.Document) error {
			c, err := engine.Decode[projections.Company](projections.Companies, d)
			out[c.ID] = c.Country
			return err
		})
	return out, err
}

// many reads the documents that items name, each once. A read model that is being built has none.
func (s Sources) many(ctx context.Context, p engine.Projection, items []tables.Item, id func(tables.Item) string,
	yield func(tables.Document) error) error {
	var ids []string
	known := map[string]bool{}
	for _, it := range items {
		if i := id(it); !known[i] {
			known[i], ids = true, append(ids, i)
		}
	}
	err := s.Reader.Where(ctx, p, func(table string) error {
		for len(ids) > 0 {
			part := ids[:min(len(ids), scanPart)]
			ids = ids[len(part):]
			found, err := s.Tables.GetMany(ctx, table, part)
			if err != nil {
				return err
			}
			for _, d := range found {
				if err := yield(d); err != nil {
					return err
				}
			}
		}
		return nil
	})
	return orNotBuilt(err)
}

// each reads the documents of a read model, up to mostSupplies.
func (s Sources) each(ctx context.Context, p engine.Projection, yield func(tables.Document) error) error {
	err := s.Reader.Where(ctx, p, func(table string) error {
		for after, n := "", 0; n < mostSupplies; n += scanPart {
			rows, err := s.Tables.Scan(ctx, table, after, scanPart)
			if err != nil {
				return err
			}
			for _, row := range rows {
				if err := yield(row.Document); err != nil {
					return err
				}
				after = row.Document.ID
			}
			if len(rows) < scanPart {
				return nil
			}
		}
		return nil
	})
	return orNotBuilt(err)
}

func orNotBuilt(err error) error {
	if errors.Is(err, engine.ErrNotBuilt) {
		return nil
	}
	return err
}

// waits are the series that wait, by reason, and those that an operator must release.
func (s Sources) waits(ctx context.Context) (reasons map[string]waiting.Code, all, held int64, err error) {
	notes, all, err := s.Notes.List(ctx, mostSeries)
	if err != nil {
		return nil, 0, 0, err
	}
	reasons = make(map[string]waiting.Code, len(notes))
	for _, n := range notes {
		reasons[n.Series] = n.Code
	}
	list, err := s.Reader.ListHeldSeries(ctx, 1)
	return reasons, all, list.Total, orNotBuilt(err)
}

// overdue is for how long the first item of a worklist has been due.
func (s Sources) overdue(ctx context.Context, worklist string, now time.Time) (time.Duration, error) {
	next, some, err := s.Tables.Worklist(worklist).NextDue(ctx)
	if err != nil || !some {
		return 0, err
	}
	return max(0, now.Sub(next)), nil
}
