package contingency

import (
	"context"
	"errors"
	"fmt"

	"folio/commands/taxpayer"
	"folio/events"
)

// claim says why the company may not issue at a contingency point, "" when the point is its own
// among the companies of its tax identifier. A setting may hold none: it was recorded before
// there were claims, before the company had a certificate, or for another environment.
func (p *Processor) claim(ctx context.Context, at place, point int) (string, error) {
	claim := events.ContingencyPointClaimed{Company: at.id.Company, Environment: at.id.Environment, PointOfSale: point}
	_, err := p.log.Taxpayers.Execute(ctx, taxpayer.ID(at.company.Country, at.company.TaxIdentifier),
		taxpayer.ClaimPoint{Claim: claim}, p.request(at.id.Company, "claim", at.id.Environment, fmt.Sprint(point)))
	if errors.Is(err, taxpayer.ErrPointClaimed) {
		return events.Because("another company with the same tax identifier has the contingency point"), nil
	}
	return "", err
}
