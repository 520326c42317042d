// Package purchase decides about one document that a supplier issued to a company: it
// is taken in once.
package purchase

import (
	"fmt"

	"folio/commands"
	"folio/events"
)

// State is the document as it was taken in.
type State struct{ Received *events.PurchaseReceived }

// Receive takes a document in. The same document again is nothing new, however it came.
type Receive struct{ Purchase events.PurchaseReceived }

// Decider is the whole behaviour of a purchase.
var Decider = commands.Decider[State, Receive]{
	Category: "purchase",
	Initial:  func() State { return State{} },
	Decide: func(s State, c Receive) ([]events.Event, error) {
		if s.Received != nil {
			return nil, nil
		}
		return []events.Event{c.Purchase}, nil
	},
	Evolve: func(s State, e events.Event) State {
		if e, ok := e.(events.PurchaseReceived); ok {
			s.Received = &e
		}
		return s
	},
}

// ID is the aggregate id: what identifies a document is the company it came to, its
// supplier, kind, point of sale or series, and number.
func ID(p events.PurchaseReceived) string {
	return p.Company + "-" + commands.Derived("purchase", p.Supplier.DocumentNumber,
		fmt.Sprint(p.OfficialCode), fmt.Sprint(p.BranchOffice), p.Series, fmt.Sprint(p.Number)).String()
}
