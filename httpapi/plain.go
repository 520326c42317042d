package httpapi

import (
	"net/http"

	"folio/strict"
)

// Plain is a Handler of a route that has no query parameters. It refuses every one before the
// handler runs, because a parameter that is ignored does not do what its caller expects: a read
// that has no past, asked for one, would answer with the present.
type Plain Handler

// ServeHTTP answers 422 to a request with a query, and with the handler to any other.
func (p Plain) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if err := strict.ReadQuery(r).Done(); err != nil {
		Fail(w, r, err)
		return
	}
	Handler(p).ServeHTTP(w, r)
}
