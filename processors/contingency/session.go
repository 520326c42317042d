package contingency

import (
	"context"
	"fmt"
	"time"

	"folio/authority"
	"folio/commands"
	"folio/commands/company"
	"folio/country"
)

// session is what it takes to speak to the authority for a company.
type session struct {
	company     company.State
	environment string
	rules       country.Rules
	driver      authority.Driver
	can         authority.Contingency
	credential  authority.Credential
	calls       *authority.Calls
}

// home is a company with the rules of its country.
func (p *Processor) home(ctx context.Context, id string) (company.State, country.Rules, country.Contingent, error) {
	co, found, err := p.log.Companies.Load(ctx, id)
	if err != nil {
		return co, nil, nil, err
	}
	rules, ok := p.Rules(co.Country)
	contingent, may := rules.(country.Contingent)
	if !found || !ok || !may {
		return co, nil, nil, fmt.Errorf("company %s: its country knows no contingency", id)
	}
	return co, rules, contingent, nil
}

// session opens one, or says what is missing.
func (p *Processor) session(ctx context.Context, id, environment string) (session, error) {
	co, rules, _, err := p.home(ctx, id)
	if err != nil {
		return session{}, err
	}
	driver, ok := p.c.Driver(rules.Authority(), authority.Environment(environment))
	if !ok {
		return session{}, fmt.Errorf("this service does not speak to the authority of the environment %s", environment)
	}
	can := driver.Can().Contingency
	if can == nil {
		return session{}, fmt.Errorf("the driver %s knows no contingency", driver.Name())
	}
	credential, err := p.c.Credentials.Open(ctx, co, environment, p.Clock.Now())
	if err != nil {
		return session{}, fmt.Errorf("open the certificate of company %s: %w", id, err)
	}
	return session{co, environment, rules, driver, can, credential, &authority.Calls{}}, nil
}

// request is the identity of a step; taken again after a crash it is the same one.
func (p *Processor) request(id string, step ...string) commands.Request {
	return p.Request(id, step...)
}

// today is the local calendar's day.
func (p *Processor) today(rules country.Rules) time.Time {
	return p.Clock.Now().In(rules.Location())
}

// startOf is the first moment of a local day, YYYY-MM-DD.
func startOf(rules country.Rules, day string) time.Time {
	t, err := time.ParseInLocation(time.DateOnly, day, rules.Location())
	if err != nil {
		return time.Time{}
	}
	return t
}

// tomorrow is the first moment of the next local day.
func (p *Processor) tomorrow(rules country.Rules) time.Time {
	return startOf(rules, p.today(rules).AddDate(0, 0, 1).Format(time.DateOnly))
}
