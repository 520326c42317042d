package dailyreport

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"folio/commands/numbering"
	"folio/country"
	"folio/events"
	"folio/tables"
)

// sending are documents that took numbers together, and what came of each. It is kept for
// good, under every day that one of them belongs to: another report of that day may be
// due years later.
type sending struct {
	Series    string                  `json:"series"`
	Opened    events.SubmissionOpened `json:"opened"`
	Day       string                  `json:"day"` // on which the numbers were taken
	Documents []came                  `json:"documents,omitempty"`
}

// came is what came of one document; before there is a verdict it is empty.
type came struct {
	Result  events.Result             `json:"result"`
	Day     string                    `json:"day"` // whose report it belongs to
	Reasons []events.AuthorityMessage `json:"reasons,omitempty"`
}

// A lane are the days of a company in one environment, which go in order: "C1/Testing".
// Its items are its days; documents wait for no time, in a group of each day.
func laneOf(company, environment string) string { return company + "/" + environment }

func dayKey(lane, day string) string      { return "day/" + lane + "/" + day }
func dayOf(key string) string             { return key[strings.LastIndexByte(key, '/')+1:] }
func documentsOf(lane, day string) string { return lane + "/" + day }

// companyOf is the company of a lane.
func companyOf(lane string) string {
	id, _, _ := strings.Cut(lane, "/")
	return id
}

// sent plans the day after a report: one without documents is reported, too.
func (p *Processor) sent(ctx context.Context, r events.Recorded, e events.DailyReportSent) error {
	if p.c.SkipEmpty {
		return nil
	}
	return p.again(ctx, r, e.Company, e.Environment, after(e.Date))
}

func (p *Processor) requested(ctx context.Context, r events.Recorded, e events.DailyReportRequested) error {
	return p.again(ctx, r, e.Company, e.Environment, e.Date)
}

// opened keeps the documents of the day on which their numbers were taken.
func (p *Processor) opened(ctx context.Context, r events.Recorded, e events.SubmissionOpened) error {
	series := events.Aggregate(r.Stream)
	of, err := p.place(ctx, r, series)
	if err != nil || of.rules == nil {
		return err
	}
	s := sending{Series: series, Opened: e, Day: localDay(r.Meta.At, of.rules)}
	return p.put(ctx, r, r.Position, of, s)
}

// settled notes what came of the documents, under the day on which their numbers were
// taken and, around midnight, under the one on which some were signed.
func (p *Processor) settled(ctx context.Context, r events.Recorded, e events.SubmissionSettled) error {
	series := events.Aggregate(r.Stream)
	of, err := p.place(ctx, r, series)
	if err != nil || of.rules == nil {
		return err
	}
	item, err := p.List.Get(ctx, "sent/"+e.Submission)
	if errors.Is(err, tables.ErrNotFound) {
		return r.About(events.Unappliable, fmt.Errorf("submission %s was settled and never opened", e.Submission))
	}
	if err != nil {
		return fmt.Errorf("what submission %s sent: %w", e.Submission, err)
	}
	var s sending
	if err := json.Unmarshal(item.Body, &s); err != nil {
		return err
	}
	s.Documents = make([]came, len(e.Outcomes))
	for i, o := range e.Outcomes {
		s.Documents[i] = came{Result: o.Result, Day: s.Day}
		if o.Result == events.Rejected {
			s.Documents[i].Reasons = o.Messages
		}
		if o.Authorization == nil {
			continue
		}
		if at, err := time.Parse(time.RFC3339, o.Authorization.Extra[country.ExtraSignedAt]); err == nil {
			s.Documents[i].Day = localDay(at, of.rules)
		}
	}
	return p.put(ctx, r, item.Order, of, s)
}

// place is where documents of a series are reported.
type place struct {
	lane  string
	rules reporting // of the country; nil where days are not reported
}

func (p *Processor) place(ctx context.Context, r events.Recorded, series string) (place, error) {
	id, err := numbering.ParseSeries(series)
	if err != nil {
		return place{}, r.About(events.Unappliable, err)
	}
	rules, err := p.rules(ctx, id.Company)
	return place{laneOf(id.Company, id.Environment), rules}, err
}

// reporting are the rules of a country whose days are reported.
type reporting interface {
	country.Rules
	country.DailyReporter
}

// rules are those of a company's country; nil where days are not reported. The country
// of a company never changes.
func (p *Processor) rules(ctx context.Context, id string) (reporting, error) {
	p.mu.Lock()
	rules, known := p.companies[id]
	p.mu.Unlock()
	if known {
		return rules, nil
	}
	co, found, err := p.log.Companies.Load(ctx, id)
	if err != nil || !found {
		return nil, err
	}
	of, _ := p.Rules(co.Country)
	rules, _ = of.(reporting)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.companies[id] = rules
	return rules, nil
}

// put keeps documents under each of their days, and then plans those days: a day that is
// planned before it holds the documents could be reported without them.
func (p *Processor) put(ctx context.Context, r events.Recorded, order events.Position, of place, s sending) error {
	body, err := json.Marshal(s)
	if err != nil {
		return err
	}
	days := s.days()
	items := make([]tables.Item, len(days))
	for i, day := range days {
		items[i] = tables.Item{Key: "sent/" + s.Opened.Submission, Group: documentsOf(of.lane, day), Order: order,
			Due: tables.Never, At: r.Position, Body: body}
		if i > 0 {
			items[i].Key += "/" + day
		}
	}
	if err := p.List.Put(ctx, items...); err != nil {
		return err
	}
	for _, day := range days {
		if err := p.plan(ctx, r, of.lane, of.rules, day); err != nil {
			return err
		}
	}
	return nil
}

// days are the ones that documents belong to, the day of their numbers first.
func (s sending) days() []string {
	days := []string{s.Day}
	for _, d := range s.Documents {
		if !slices.Contains(days, d.Day) {
			days = append(days, d.Day)
		}
	}
	return days
}

// again plans a day without news of its documents.
func (p *Processor) again(ctx context.Context, r events.Recorded, id, environment, day string) error {
	rules, err := p.rules(ctx, id)
	if err != nil || rules == nil {
		return err
	}
	return p.plan(ctx, r, laneOf(id, environment), rules, day)
}

// plan has a day looked at once it is due. A day that waits for its time already needs no
// second plan.
func (p *Processor) plan(ctx context.Context, r events.Recorded, lane string, rules reporting, day string) error {
	key, due := dayKey(lane, day), p.due(rules, day)
	p.mu.Lock()
	planned := p.planned[lane] == day && p.Clock.Now().Before(due)
	p.mu.Unlock()
	if planned {
		return nil
	}
	if err := p.List.Put(ctx, tables.Item{Key: key, Group: lane, Order: r.Position, Due: due,
		At: r.Position}); err != nil {
		return err
	}
	p.mu.Lock()
	p.planned[lane] = day
	p.mu.Unlock()
	p.lanes.More(lane)
	return nil
}

// due is when a day is reported.
func (p *Processor) due(rules reporting, day string) time.Time {
	if p.c.After <= 0 {
		return rules.ReportDue(day)
	}
	begins, err := time.ParseInLocation(time.DateOnly, after(day), rules.Location())
	if err != nil {
		return tables.Never
	}
	return begins.Add(p.c.After)
}

func localDay(at time.Time, rules country.Rules) string {
	return at.In(rules.Location()).Format(time.DateOnly)
}

// after is the next day; "" after what is no day.
func after(day string) string {
	t, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return ""
	}
	return t.AddDate(0, 0, 1).Format(time.DateOnly)
}
