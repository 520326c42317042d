package dailyreport

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"folio/authority"
	"folio/commands"
	"folio/commands/company"
	"folio/processors/lanes"
	"folio/tables"
)

// work is what it takes to report the days of a lane.
type work struct {
	lane        string
	company     company.State
	environment string
	rules       reporting
	reporter    authority.Reporter
	credential  authority.Credential
}

// awayPause is how long a lane waits while the log or a store is away. WakeAll ends it.
const awayPause = 10 * time.Second

// turn reports the days of a lane that are due, the oldest first. What stops one day stops the later ones too, and is
// tried again with growing pauses; so does a record of the company that cannot be read.
func (p *Processor) turn(ctx context.Context, lane string) lanes.Next {
	next, err := p.report(ctx, lane)
	var m *authority.Message
	switch {
	case commands.LogAway(err), errors.Is(err, tables.ErrUnavailable):
		p.Logger.Warn("daily reports are not looked at, trying again", "lane", lane, "error", err)
		return lanes.Until(p.Clock.Now().Add(awayPause))
	case errors.As(err, &m):
		return lanes.Failed(err).NotBefore(m.At)
	case err != nil:
		return lanes.Failed(err)
	}
	return next
}

// report reports what is due, and says when the lane is looked at again.
func (p *Processor) report(ctx context.Context, lane string) (lanes.Next, error) {
	due, first, next, err := p.dueDays(ctx, lane)
	if err != nil || first == "" {
		return next, err
	}
	w, err := p.prepare(ctx, lane)
	if err == nil {
		err = p.days(ctx, w, due, first)
	}
	return lanes.Again(), err
}

// dueDays are the days of a lane that are over, and the first of them; next is when another one will be.
func (p *Processor) dueDays(ctx context.Context, lane string) (due map[string]tables.Item, first string,
	next lanes.Next, err error) {
	next = lanes.Done()
	rules, err := p.rules(ctx, companyOf(lane))
	if err != nil || rules == nil {
		return nil, "", next, err
	}
	items, err := p.List.InGroup(ctx, lane, allItems)
	due = map[string]tables.Item{}
	var earliest time.Time
	for _, it := range items {
		day := dayOf(it.Key)
		at := p.due(rules, day)
		switch {
		case !at.After(p.Clock.Now()):
			if due[day] = it; first == "" || day < first {
				first = day
			}
		case earliest.IsZero() || at.Before(earliest):
			earliest = at
			next = lanes.Until(at).OrMore()
		}
	}
	return due, first, next, err
}

// days reports from the first due day on. Between days with documents lie some without.
func (p *Processor) days(ctx context.Context, w work, due map[string]tables.Item, first string) error {
	for day, left := first, len(due); left > 0 && ctx.Err() == nil; day = after(day) {
		it, planned := due[day]
		if !planned && p.c.SkipEmpty {
			continue
		}
		if err := p.day(ctx, w, day, planned); err != nil {
			return fmt.Errorf("report of %s: %w", day, err)
		}
		if !planned {
			continue
		}
		left--
		if err := p.List.Remove(ctx, it.Key, it.At); err != nil {
			return err
		}
	}
	return nil
}

// prepare gathers rules, driver and certificate, or says what is missing.
func (p *Processor) prepare(ctx context.Context, lane string) (work, error) {
	id, environment, _ := strings.Cut(lane, "/")
	co, found, err := p.log.Companies.Load(ctx, id)
	if err != nil {
		return work{}, err
	}
	rules, err := p.rules(ctx, id)
	if err != nil || !found || rules == nil {
		return work{}, errors.Join(err, fmt.Errorf("company %s is not one whose days are reported", id))
	}
	driver, ok := p.c.Driver(rules.Authority(), authority.Environment(environment))
	if !ok {
		return work{}, fmt.Errorf("this service does not speak to the authority of the environment %s", environment)
	}
	reporter := driver.Can().Reporter
	if reporter == nil {
		return work{}, fmt.Errorf("the driver %s takes no daily reports", driver.Name())
	}
	credential, err := p.c.Credentials.Open(ctx, co, environment, p.Clock.Now())
	if err != nil {
		return work{}, fmt.Errorf("open the certificate of company %s: %w", id, err)
	}
	return work{lane, co, environment, rules, reporter, credential}, nil
}
