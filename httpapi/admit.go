package httpapi

import (
	"cmp"
	"net/http"

	"folio/admission"
)

// admitBody waits until there is room in memory for a body of at most limit bytes, and
// keeps the room until the request is answered. A body that says how long it is counts for
// that much, any other one for the limit.
func admitBody(r *http.Request, limit int64) error {
	x := exchangeOf(r.Context())
	cost := r.ContentLength
	if cost < 0 || cost > limit {
		cost = limit
	}
	party := cmp.Or(x.caller.Party(), x.address)
	leave, err := x.bodies.Enter(r.Context(), party, cost)
	if err != nil {
		return err
	}
	x.leave = append(x.leave, leave)
	return nil
}

// end gives back what the request held.
func (x *exchange) end() {
	for _, leave := range x.leave {
		leave()
	}
}

// held is the part of an exchange that admitBody needs.
type held struct {
	bodies  *admission.Gate
	address string // whose budget and turns an unknown caller uses
	leave   []func()
}
