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
	"folio/events"
	"folio/tables"
)

// desk is what it takes to report the days of a lane.
type desk struct {
	lane        string
	company     company.State
	environment string
	rules       reporting
	reporter    authority.Reporter
	credential  authority.Credential
}

// lane reports the days that are due, the oldest first. What stops one day stops the
// later ones too, and is tried again with growing pauses.
func (p *Processor) lane(ctx context.Context, lane string) error {
	due, first, err := p.dueDays(ctx, lane)
	var t *events.Trouble
	if errors.As(err, &t) { // of this company; the others are reported
		return p.setAside(ctx, lane, err)
	}
	if err != nil || first == "" {
		return err
	}
	if until := due[first].Due; until.After(p.c.Clock.Now()) { // the oldest one waits after a failure
		return p.postpone(ctx, due, until)
	}
	d, err := p.desk(ctx, lane)
	if err == nil {
		err = p.days(ctx, d, due, first)
	}
	return p.paused(ctx, lane, due, err)
}

// dueDays are the days of a lane that are over, those after a failure included, and the
// first of them.
func (p *Processor) dueDays(ctx context.Context, lane string) (due map[string]tables.Item, first string, err error) {
	id, _, _ := strings.Cut(lane, "/")
	rules, err := p.rules(ctx, id)
	if err != nil || rules == nil {
		return nil, "", err
	}
	items, err := p.list.InGroup(ctx, lane, allItems)
	due = map[string]tables.Item{}
	for _, it := range items {
		day := dayOf(it.Key)
		if p.due(rules, day).After(p.c.Clock.Now()) {
			continue
		}
		if due[day] = it; first == "" || day < first {
			first = day
		}
	}
	return due, first, err
}

// setAside postpones the days of a company whose records cannot be read.
func (p *Processor) setAside(ctx context.Context, lane string, cause error) error {
	items, err := p.list.InGroup(ctx, lane, allItems)
	if err != nil {
		return err
	}
	due := map[string]tables.Item{}
	for _, it := range items {
		due[dayOf(it.Key)] = it
	}
	return p.paused(ctx, lane, due, cause)
}

// days reports from the first due day on. Between days with documents lie some without.
func (p *Processor) days(ctx context.Context, d desk, due map[string]tables.Item, first string) error {
	for day, left := first, len(due); left > 0 && ctx.Err() == nil; day = after(day) {
		it, planned := due[day]
		if !planned && p.c.SkipEmpty {
			continue
		}
		if err := p.day(ctx, d, day, planned); err != nil {
			return fmt.Errorf("report of %s: %w", day, err)
		}
		if !planned {
			continue
		}
		left--
		if err := p.list.Remove(ctx, it.Key, it.At); err != nil {
			return err
		}
	}
	return nil
}

// paused gives the lane the pause that a failure asks for, and the operator the reason.
func (p *Processor) paused(ctx context.Context, lane string, due map[string]tables.Item, err error) error {
	if commands.LogAway(err) || errors.Is(err, tables.ErrUnavailable) {
		return err // the days stay due: the next turn is in seconds, or when log and stores are back
	}
	p.mu.Lock()
	if err == nil {
		delete(p.attempts, lane)
	} else {
		p.attempts[lane]++
	}
	pause := p.c.RetryBase * steps[min(max(p.attempts[lane], 1), len(steps))-1]
	p.mu.Unlock()
	if err == nil || ctx.Err() != nil {
		return nil
	}
	until := p.c.Clock.Now().Add(pause)
	var m *authority.Message
	if errors.As(err, &m) && m.At.After(until) {
		until = m.At
	}
	p.c.Logger.Warn("daily report waits", "lane", lane, "error", err, "next_try", until)
	return p.postpone(ctx, due, until)
}

func (p *Processor) postpone(ctx context.Context, due map[string]tables.Item, until time.Time) error {
	for _, it := range due {
		if err := p.list.Postpone(ctx, it.Key, until); err != nil {
			return err
		}
	}
	return nil
}

// steps are the pauses after the first, second, ... failure, in units of RetryBase (5 s,
// 30 s, 2 min, 10 min, 30 min with the default).
var steps = []time.Duration{1, 6, 24, 120, 360}

// desk gathers rules, driver and certificate, or says what is missing.
func (p *Processor) desk(ctx context.Context, lane string) (desk, error) {
	id, environment, _ := strings.Cut(lane, "/")
	co, found, err := p.log.Companies.Load(ctx, id)
	if err != nil {
		return desk{}, err
	}
	rules, err := p.rules(ctx, id)
	if err != nil || !found || rules == nil {
		return desk{}, errors.Join(err, fmt.Errorf("company %s is not one whose days are reported", id))
	}
	driver, ok := p.c.Driver(rules.Authority(), authority.Environment(environment))
	if !ok {
		return desk{}, fmt.Errorf("this service does not speak to the authority of the environment %s", environment)
	}
	reporter := driver.Can().Reporter
	if reporter == nil {
		return desk{}, fmt.Errorf("the driver %s takes no daily reports", driver.Name())
	}
	credential, err := p.c.Credentials.Open(ctx, co, environment, p.c.Clock.Now())
	if err != nil {
		return desk{}, fmt.Errorf("open the certificate of company %s: %w", id, err)
	}
	return desk{lane, co, environment, rules, reporter, credential}, nil
}
