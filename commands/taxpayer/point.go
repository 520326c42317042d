package taxpayer

import (
	"folio/events"
	"folio/fault"
)

// ClaimPoint takes a contingency point of sale for a company: before its setting is recorded,
// and before a document is issued there. The authority counts the numbers of a point by tax
// identifier, so two companies that issue at one would give each number twice. Claiming it
// again is nothing new, and a claim is never given back: documents of then may still be due.
//
// A company without a certificate has no environment yet, and has proven nothing about the
// tax identifier: it claims nothing, and is refused what another company has in any environment.
type ClaimPoint struct {
	Claim events.ContingencyPointClaimed
}

// ErrPointClaimed refuses a contingency point that another company of the same taxpayer has.
var ErrPointClaimed = fault.New(fault.Conflict, "CONTINGENCY_POINT_IN_USE",
	"Another company here with the same tax identifier has this contingency point of sale, and the authority counts its "+
		"numbers once for both: create a contingency point of its own for this company at the authority, and name that one.")

func (c ClaimPoint) decide(s State) ([]events.Event, error) {
	for _, held := range s.Points {
		switch {
		case held == c.Claim:
			return nil, nil
		case held.PointOfSale == c.Claim.PointOfSale && held.Company != c.Claim.Company &&
			(held.Environment == c.Claim.Environment || c.Claim.Environment == ""):
			return nil, ErrPointClaimed
		}
	}
	if c.Claim.Environment == "" {
		return nil, nil
	}
	return []events.Event{c.Claim}, nil
}
