package writeapi

import (
	"net/http"

	"folio/httpapi"
	"folio/strict"
)

// Plain is the handler of a write that no key stands for. Like every write it refuses query
// parameters: none has any, and one that is ignored would not do what its caller expects.
type Plain struct {
	Handler httpapi.Handler
}

// ServeHTTP implements http.Handler.
func (p Plain) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	httpapi.Handler(p.answer).ServeHTTP(w, r)
}

func (p Plain) answer(w http.ResponseWriter, r *http.Request) error {
	if err := noParameters(r); err != nil {
		return err
	}
	return p.Handler(w, r)
}

func noParameters(r *http.Request) error { return strict.ReadQuery(r).Done() }
