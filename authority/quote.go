package authority

import (
	"context"
	"errors"

	"folio/money"
)

// ErrNoQuotation says that the authority has no exchange rate for what was asked.
var ErrNoQuotation = errors.New("the authority has no exchange rate for this currency and day")

// Quotation is an authority's exchange rate.
type Quotation struct {
	Rate money.Decimal // local currency for one unit
	Date string        // YYYY-MM-DD, the day of the rate
}

// Question asks for the rate of a document.
type Question struct {
	Currency     string // ISO 4217
	Date         string // YYYY-MM-DD of the document, local
	OfficialCode int    // of its type, 0 for any
}

// Quoter is for authorities that fix exchange rates. Asking changes nothing. Errors wrap the sentinels of Driver, or
// are ErrNoQuotation.
type Quoter interface {
	Quote(ctx context.Context, c Credential, q Question, rec Recorder) (Quotation, error)
}
