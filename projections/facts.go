package projections

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"folio/events"
	"folio/projections/engine"
	"folio/summary"
	"folio/tables"
)

// Fact says where in the log an event of a company is: at At, since no other event shapes the
// document. The event itself stays there.
type Fact struct {
	engine.Place

	Company  string    `json:"company"`
	Type     string    `json:"type"`
	Stream   string    `json:"stream"`
	Revision uint64    `json:"revision"`
	Position string    `json:"position"` // At as every answer writes it: C:12/P:12
	Time     time.Time `json:"time"`     // of the request that led to it, UTC
}

// factID orders facts as the log does.
func factID(p events.Position) string { return fmt.Sprintf("%020d-%020d", p.Commit, p.Prepare) }

// ofCompany are the categories whose streams begin with the company's id.
var ofCompany = []string{"company", "numbering", "dailyreport", "outage", "purchase", "caea", "contingency"}

// Facts keeps what happened to each company, in the order of the log: to its invoices,
// numbers, purchases, daily reports, certificates and itself.
var Facts = engine.Define("facts", 4, append(factRules(),
	engine.Owned(func(d *Fact) string { return d.Company }),
	engine.Gathered[Fact](),
	engine.Once[Fact](),
	engine.Attributes(func(d *Fact) map[string]string {
		return map[string]string{"type": d.Type, "time": d.Time.Format(time.RFC3339Nano)}
	}, tables.Attribute{Name: "type", Indexed: true},
		tables.Attribute{Name: "time", Kind: tables.Time, Indexed: true}))...)

func factRules() (rules []engine.Rule[Fact]) {
	for _, e := range events.Catalog() {
		switch {
		case e.Category == summary.Category:
			rules = append(rules, engine.OnInvoiceNamed(e.Name,
				func(s summary.Summary, r events.Recorded) []engine.Change[Fact] {
					return fact(r, s.Company)
				}))
		case e.Name == events.Name[events.CertificateExpiryNoticed]():
			rules = append(rules, engine.Each(func(r events.Recorded, e events.CertificateExpiryNoticed) []engine.Change[Fact] {
				return fact(r, e.Company)
			}))
		case slices.Contains(ofCompany, e.Category):
			rules = append(rules, engine.EachNamed(e.Name, func(r events.Recorded) []engine.Change[Fact] {
				company, _, _ := strings.Cut(events.Aggregate(r.Stream), "-")
				return fact(r, company)
			}))
		}
	}
	return rules
}

func fact(r events.Recorded, company string) []engine.Change[Fact] {
	if company == "" {
		return nil // an attempt to create an invoice that was given up
	}
	return engine.To(factID(r.Position), func(d *Fact) {
		*d = Fact{Company: company, Type: r.Type, Stream: r.Stream, Revision: r.Revision, Position: r.Position.String(),
			Time: r.Meta.At.UTC()}
	})
}

// FactQuery asks for a company's facts after a position.
type FactQuery struct {
	Company  string
	After    events.Position
	Types    []string // none: all
	From, To string   // RFC 3339; "": no bound
	Limit    int
	// Leave says of a fact of Types that it is left out; nil: none is.
	Leave func(context.Context, Fact) (bool, error)
}

// One question looks through so many parts of the index for its types, of so many facts each.
const (
	factParts = 20
	factPart  = 500
)

// ListFacts reads facts in the order of the log, and the position up to which there are no
// others: who goes on from there misses nothing.
func (r *Reader) ListFacts(ctx context.Context, q FactQuery) (facts []Fact, upTo events.Position, err error) {
	var filters []tables.Filter
	for op, value := range map[tables.Op]string{tables.AtLeast: q.From, tables.AtMost: q.To} {
		if value != "" {
			filters = append(filters, tables.Filter{Attribute: "time", Op: op, Value: value})
		}
	}
	err = r.Where(ctx, Facts, func(table string) error {
		facts = nil
		upTo, err = r.factsOf(ctx, table, q, filters, &facts)
		return err
	})
	if err != nil {
		return nil, q.After, fmt.Errorf("facts of %s: %w", q.Company, err)
	}
	return facts, upTo, nil
}

// factsOf reads the checkpoint first: tables without transactions may show a later event of a
// batch before an earlier one.
func (r *Reader) factsOf(ctx context.Context, table string, q FactQuery, filters []tables.Filter,
	facts *[]Fact) (events.Position, error) {
	c, err := r.Store().Checkpoint(ctx, table)
	if errors.Is(err, tables.ErrNotFound) {
		return q.After, nil
	}
	if err != nil {
		return q.After, err
	}
	upTo := q.After
	for range factParts {
		page, err := r.Store().Page(ctx, tables.Query{Table: table, List: q.Company, Filters: filters, AfterID: factID(upTo),
			Limit: factPart, Uncounted: true, BodiesOnly: true})
		if err != nil {
			return upTo, err
		}
		for _, d := range page.Documents {
			f, err := engine.Decode[Fact](Facts, d)
			if err != nil {
				return upTo, err
			}
			if c.At.Before(f.At) {
				return upTo, nil
			}
			upTo = f.At
			if len(q.Types) > 0 && !slices.Contains(q.Types, f.Type) {
				continue
			}
			if q.Leave != nil {
				if left, err := q.Leave(ctx, f); err != nil {
					return upTo, err
				} else if left {
					continue
				}
			}
			if *facts = append(*facts, f); len(*facts) == q.Limit {
				return upTo, nil
			}
		}
		if len(page.Documents) < factPart {
			if upTo.Before(c.At) {
				upTo = c.At
			}
			return upTo, nil
		}
	}
	return upTo, nil
}
