package main

import (
	"context"
	"errors"
	"time"

	"folio/authority"
	"folio/commands"
	"folio/commands/company"
	"folio/countries"
	"folio/fault"
	"folio/money"
	"folio/readapi"
)

// rates asks authorities for exchange rates while a caller waits.
type rates struct{ s *service }

// Rate asks with the company's newest certificate.
func (r rates) Rate(ctx context.Context, id, currency, day string) (money.Decimal, string, error) {
	c, found, err := commands.Bind(r.s.executor, company.Decider).Load(ctx, id)
	if err != nil {
		return money.Zero, "", err
	}
	rules, known := countries.ByCode(c.Country)
	if !found || !known {
		return money.Zero, "", readapi.NoRate
	}
	driver, served := r.s.drivers.find(rules.Authority(), authority.Environment(c.Environment()))
	now := time.Now()
	if _, ok := c.Certificate(c.Environment(), now); !ok || !served {
		return money.Zero, "", fault.New(fault.Conflict, "CERTIFICATE_NEEDED",
			"The authority is asked with the company's certificate: upload one that is valid today with POST /api/companies/"+id+
				"/certificates.")
	}
	quoter := driver.Can().Quoter
	if quoter == nil {
		return money.Zero, "", readapi.NoRate
	}
	credential, err := r.s.credentials.Open(ctx, c, c.Environment(), now)
	if err != nil {
		return money.Zero, "", err
	}
	ctx, cancel := context.WithTimeout(ctx, min(verifyLimit, r.s.flags.AuthorityTimeout))
	defer cancel()
	got, err := quoter.Quote(ctx, credential, authority.Question{Currency: currency, Date: day}, nil)
	switch {
	case errors.Is(err, authority.ErrNoQuotation):
		return money.Zero, "", readapi.NoRate
	case err != nil:
		away := fault.New(fault.Unavailable, "AUTHORITY_UNAVAILABLE",
			"The authority cannot be asked now: "+authority.Describe(err)+". Ask again.")
		away.RetryAfter = 5
		return money.Zero, "", away
	}
	return got.Rate, got.Date, nil
}
