package country

import "folio/events"

// Quoted is implemented by the rules of a country whose authority knows the exchange rate
// that a document may leave to it.
type Quoted interface {
	// LeavesRate says that a document without an exchange rate takes the authority's own.
	LeavesRate(d events.Document) bool
}

// LeavesRate says that a document has no exchange rate and may leave it to the authority.
func LeavesRate(r Rules, d events.Document) bool {
	q, ok := r.(Quoted)
	return ok && d.Currency.Rate.IsZero() && q.LeavesRate(d)
}
