package main

import (
	"time"

	"folio/authority"
	"folio/verification"
	"folio/writeapi"
)

// verifyLimit is how long an authority is waited for while a caller waits as well.
const verifyLimit = 10 * time.Second

// openVerifier asks the drivers that confirm purchases, if purchases are verified at all.
func (s *service) openVerifier() {
	if !s.flags.verifies() {
		return
	}
	s.verifier = &verification.Verifier{Credentials: s.credentials, Files: s.vault,
		Limit: min(verifyLimit, s.flags.AuthorityTimeout),
		Driver: func(name string, e authority.Environment) (authority.Verifier, bool) {
			driver, ok := s.drivers.byName[name]
			if !ok || e != "" && !s.flags.serves(e) {
				return nil, false
			}
			v := driver.Can().Verifier
			return v, v != nil
		}}
}

// purchases asks authorities about purchases, nil when none is to be asked.
func (s *service) purchases() writeapi.Verifier {
	if s.verifier == nil {
		return nil
	}
	return s.verifier
}

// points asks the drivers that know contingencies about points of sale.
func (s *service) points() writeapi.Points {
	return &verification.Points{Credentials: s.credentials,
		Limit: min(verifyLimit, s.flags.AuthorityTimeout),
		Driver: func(name string, e authority.Environment) (authority.Contingency, bool) {
			driver, ok := s.drivers.find(name, e)
			if !ok {
				return nil, false
			}
			can := driver.Can().Contingency
			return can, can != nil
		}}
}
