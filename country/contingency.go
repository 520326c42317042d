package country

import (
	"time"

	"folio/events"
	"folio/fault"
)

// Contingent is implemented by the rules of countries where documents may be issued by a code
// that the authority gave ahead, while it is away (Argentina, CAEA).
type Contingent interface {
	// ContingencyTypes are the official codes of the kinds that may be.
	ContingencyTypes() []int
	// CheckContingency says why a document may not be issued so at the moment now: every rule
	// that would have its report refused, since by then the recipient holds it. None: it may.
	CheckContingency(d events.Document, t events.TaxInformation, now time.Time) []fault.Violation
	// TakesPoint says whether a point of sale that the authority's registry calls so takes the documents of an issuer of
	// that condition. A name or a condition that says nothing takes all.
	TakesPoint(emission, condition string) bool
}
