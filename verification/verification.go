// Package verification asks authorities about documents that others issued to a company
// (Argentina: WSCDC). It changes nothing at the authority: asking again is always safe.
package verification

import (
	"context"
	"errors"
	"fmt"
	"time"

	"folio/authority"
	"folio/certificate"
	"folio/commands/company"
	"folio/country"
	"folio/events"
)

// Verifier asks the authority of a company's country.
type Verifier struct {
	// Driver finds who answers, false when an authority confirms no documents or the
	// environment is not served; without an environment it is whether anybody does.
	Driver      func(authority string, e authority.Environment) (authority.Verifier, bool)
	Credentials certificate.Opener
	Files       authority.Files // keeps what went over the line
	// Limit is how long an answer is waited for: a caller waits as well.
	Limit time.Duration
}

// Verify asks about a purchase of a company, and says how far it is verified now. False:
// there is nobody to ask. An authority that gives no verdict is no error: the purchase
// stays as far as it was, and the words say why. An error is one of the vault.
func (v *Verifier) Verify(ctx context.Context, c company.State, name string, p country.Purchase,
	at time.Time) (events.PurchaseVerified, bool, error) {
	environment := c.Environment()
	driver, ok := v.Driver(name, authority.Environment(environment))
	if !ok {
		return events.PurchaseVerified{}, false, nil
	}
	out := events.PurchaseVerified{Company: c.Company, Verification: p.Verification}
	if _, ok := c.Certificate(environment, at); !ok {
		out.Verified = failed(p, "the company has no valid certificate to ask with")
		return out, true, nil
	}
	credential, err := v.Credentials.Open(ctx, c, environment, at)
	if err != nil {
		return out, true, fmt.Errorf("open the certificate of company %s: %w", c.Company, err)
	}
	var calls authority.Calls
	asking, cancel := context.WithTimeout(ctx, v.Limit)
	defer cancel()
	said, err := driver.Verify(asking, credential, p, calls.Record)
	if err != nil && errors.Is(asking.Err(), context.DeadlineExceeded) {
		err = asking.Err()
	}
	switch {
	case err != nil:
		out.Verified = failed(p, authority.Describe(err))
	case said.Confirmed:
		out.Verification, out.Verified, out.Messages = country.Confirmed,
			"The authority"+announced(said)+" was asked and confirms it.", said.Messages
	default:
		out.Verification, out.Messages = country.Refused, said.Messages
		out.Verified = "The authority" + announced(said) + " was asked and does not confirm it: " +
			events.Words(said.Messages)
	}
	if out.Calls, err = authority.Keep(ctx, v.Files, calls.All()); err != nil {
		return out, true, fmt.Errorf("keep what the authority said of a purchase: %w", err)
	}
	return out, true, nil
}

// failed are the words about a purchase that stays as far as it was.
func failed(p country.Purchase, why string) string {
	return fmt.Sprintf("%s Asking the authority failed: %s. Send the document again to ask once more.", p.Verified, why)
}

// announced is the service's own name, so that nobody takes a sandbox for the authority.
func announced(v authority.Verification) string {
	if v.Announced == "" {
		return ""
	}
	return " (" + v.Announced + ")"
}
