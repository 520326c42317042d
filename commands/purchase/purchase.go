// Package purchase decides about one document that a supplier issued to a company: it
// is taken in once, and how far it is verified may change until the authority confirms
// it.
package purchase

import (
	"fmt"
	"slices"
	"strings"

	"folio/commands"
	"folio/country"
	"folio/events"
	"folio/fault"
)

// State is the document as it was taken in, with the last word on how far it is
// verified.
type State struct{ Received *events.PurchaseReceived }

// Unconfirmed says that asking the authority may still bring something new.
func (s State) Unconfirmed() bool {
	return s.Received == nil || s.Received.Verification != country.Confirmed
}

// Receive takes a document in. The same document again is nothing new, however it came,
// unless it is verified further, or otherwise, than before: its signed XML says more than
// its code or what was typed, also of the taxes of a document that the authority has confirmed.
// With other fields it corrects a record that nobody vouches
// for. What the authority confirmed or a signature covers is not corrected: another total
// or currency is refused then (PURCHASE_DIFFERS), as it is not what the supplier issued.
type Receive struct{ Purchase events.PurchaseReceived }

// Decider is the whole behaviour of a purchase.
var Decider = commands.Decider[State, Receive]{
	Category: "purchase",
	Decide: func(c Receive, s State) ([]events.Event, error) {
		if s.Received == nil {
			return []events.Event{c.Purchase}, nil
		}
		if s.Corrects(c.Purchase) {
			return []events.Event{corrected(s, c.Purchase)}, nil
		}
		if differs(*s.Received, c.Purchase) {
			return nil, fault.New(fault.Conflict, "PURCHASE_DIFFERS", fmt.Sprintf(
				"This document was taken in before as %s, with the total %s: what is sent now has %s. The record stays as it "+
					"is, since it is verified: find out where the other one comes from.",
				s.Received.Purchase, total(*s.Received), total(c.Purchase)))
		}
		now := c.Purchase
		if !s.Unconfirmed() || !further(*s.Received, now) || same(*s.Received, now) {
			if s.Received.Taxes != nil || now.Taxes == nil {
				return nil, nil
			}
			// Its signed XML tells of the taxes, and of nothing else that is new.
			now.Verification, now.Verified, now.Messages = s.Received.Verification, s.Received.Verified, s.Received.Messages
		}
		return []events.Event{events.PurchaseVerified{Purchase: s.Received.Purchase, Company: s.Received.Company,
			Verification: now.Verification, Verified: now.Verified, Taxes: now.Taxes, Messages: now.Messages,
			Calls: now.Calls}}, nil
	},
	Evolve: func(s State, e events.Event) State {
		switch e := e.(type) {
		case events.PurchaseReceived:
			s.Received = &e
		case events.PurchaseCorrected:
			now := *s.Received
			e.Apply(&now)
			s.Received = &now
		case events.PurchaseVerified:
			now := *s.Received
			e.Apply(&now)
			s.Received = &now
		}
		return s
	},
}

func total(p events.PurchaseReceived) string { return strings.TrimSpace(p.Currency + " " + p.Total) }

// further says that more is known than before: the authority gave its verdict, or the
// signature came after the figures. Not having reached the authority again changes nothing.
func further(before, now events.PurchaseReceived) bool {
	return now.Verification == country.Confirmed || now.Verification == country.Refused ||
		now.Verification == country.SignatureValid && before.Verification == country.Consistent
}

func same(a, b events.PurchaseReceived) bool {
	return a.Verification == b.Verification && slices.Equal(a.Messages, b.Messages)
}

// ID is the aggregate id: what identifies a document is the company it came to, its
// supplier, kind, point of sale or series, and number.
func ID(p events.PurchaseReceived) string {
	return p.Company + "-" + commands.Derived("purchase", p.Supplier.DocumentNumber,
		fmt.Sprint(p.OfficialCode), fmt.Sprint(p.BranchOffice), p.Series, fmt.Sprint(p.Number)).String()
}
