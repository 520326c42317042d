// Package certificate decides which notices of a certificate's expiry were given: each
// once.
package certificate

import (
	"slices"

	"folio/commands"
	"folio/events"
)

// State are the notices that were given, in days before expiry.
type State struct{ Noticed []int }

// NoticeExpiry tells the company that the certificate expires in so many days. The same
// notice again is nothing new.
type NoticeExpiry struct {
	Company, Certificate string
	Days                 int
}

// Decider is the whole behaviour of a certificate. Its stream is certificate-<id>.
var Decider = commands.Decider[State, NoticeExpiry]{
	Category: "certificate",
	Decide: func(c NoticeExpiry, s State) ([]events.Event, error) {
		if slices.Contains(s.Noticed, c.Days) {
			return nil, nil
		}
		return []events.Event{c.event()}, nil
	},
	Evolve: func(s State, e events.Event) State {
		if e, ok := e.(events.CertificateExpiryNoticed); ok {
			s.Noticed = append(slices.Clip(s.Noticed), e.Days)
		}
		return s
	},
}

func (c NoticeExpiry) event() events.CertificateExpiryNoticed {
	return events.CertificateExpiryNoticed{Company: c.Company, Certificate: c.Certificate, Days: c.Days}
}
