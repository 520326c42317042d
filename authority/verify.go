package authority

import (
	"context"

	"folio/country"
	"folio/events"
)

// Verification is what an authority says about a document that somebody else issued.
type Verification struct {
	// Confirmed: the authority knows the document, with these figures. Otherwise it
	// does not, and Messages say why.
	Confirmed bool
	// Messages are its codes and texts: reasons of a refusal, remarks on a document that
	// it confirms.
	Messages []events.AuthorityMessage
	// Announced is how the service named itself, "" when it did not: a sandbox does.
	Announced string
}

// Verifier is for authorities that confirm documents which were issued to a company by others. It changes nothing at
// the authority, so whatever goes
// wrong may be asked again. Errors wrap the sentinels of Driver.
type Verifier interface {
	Verify(ctx context.Context, c Credential, p country.Purchase, rec Recorder) (Verification, error)
}
