package verification

import (
	"context"
	"fmt"
	"time"

	"folio/authority"
	"folio/certificate"
	"folio/commands/company"
	"folio/fault"
)

// Points asks the authority of a company's country about its points of sale.
type Points struct {
	// Driver finds who answers, false when the authority knows no contingency or the
	// environment is not served.
	Driver      func(authority string, e authority.Environment) (authority.Contingency, bool)
	Credentials certificate.Opener
	// Limit is how long an answer is waited for: a caller waits as well.
	Limit time.Duration
}

// What refuses a contingency point: the field of the request, and the code.
const (
	pointField    = "contingency_point_of_sale"
	notContingent = "NOT_A_CONTINGENCY_POINT"
)

// Contingency refuses a point of sale of the company that takes no contingency documents. An authority that names no
// points at all, as ARCA's testing does, refuses none. One that gives no answer is a fault Unavailable: a contingency
// is set up before it is needed.
func (p *Points) Contingency(ctx context.Context, c company.State, name string, point int,
	at time.Time) (emission string, err error) {
	environment := c.Environment()
	driver, ok := p.Driver(name, authority.Environment(environment))
	if !ok {
		return "", fault.Field(pointField, notContingent,
			"This service does not speak to the authority of the company's environment.")
	}
	if _, ok := c.Certificate(environment, at); !ok {
		return "", fault.Field(pointField, notContingent,
			"The company has no valid certificate to ask the authority with: upload one first.")
	}
	credential, err := p.Credentials.Open(ctx, c, environment, at)
	if err != nil {
		return "", fmt.Errorf("open the certificate of company %s: %w", c.Company, err)
	}
	asking, cancel := context.WithTimeout(ctx, p.Limit)
	defer cancel()
	all, told, err := driver.PointsOfSale(asking, credential, nil)
	if err != nil {
		return "", fmt.Errorf("%w: %w", &fault.Error{Code: fault.Unavailable, Constant: "AUTHORITY_UNAVAILABLE",
			RetryAfter: 60, Text: "The authority was asked for the company's points of sale: " + authority.Describe(err) +
				". Nothing was recorded; send it again when it answers."}, err)
	}
	if !told {
		return "", nil
	}
	for _, known := range all {
		switch {
		case known.Number != point:
			continue
		case !known.Contingency:
			return "", fault.Field(pointField, notContingent, fmt.Sprintf(
				"The authority's registry has this point of sale as %q, not for contingencies (CAEA).", known.Emission))
		case known.Blocked || known.ClosedOn != "":
			return "", fault.Field(pointField, notContingent,
				"The authority's registry has this point of sale as blocked or closed.")
		}
		return known.Emission, nil
	}
	return "", fault.Field(pointField, notContingent, "The authority's registry does not have this point of sale: create it "+
		"there, of a type for contingencies (CAEA), three working days before it is used.")
}
