package main

import (
	"time"

	"folio/authority"
	"folio/certificate"
	"folio/verification"
	"folio/writeapi"
)

// verifyLimit is how long an authority is waited for while a caller waits as well.
const verifyLimit = 10 * time.Second

// openVerifier finds the drivers that confirm purchases, before circuits hide them: a
// question about a purchase says nothing about invoices that wait.
func (s *service) openVerifier() {
	if !s.flags.verifies() {
		return
	}
	by := map[string]authority.Verifier{}
	for name, driver := range s.drivers.byName {
		if v, ok := driver.(authority.Verifier); ok {
			by[name] = v
		}
	}
	s.verifier = &verification.Verifier{Credentials: certificate.NewCredentials(s.vault), Files: s.vault, Limit: min(verifyLimit, s.flags.AuthorityTimeout),
		Driver: func(name string, e authority.Environment) (authority.Verifier, bool) {
			v, ok := by[name]
			return v, ok && (e == "" || s.flags.serves(e))
		}}
}

// purchases asks authorities about purchases, nil when none is to be asked.
func (s *service) purchases() writeapi.Verifier {
	if s.verifier == nil {
		return nil
	}
	return s.verifier
}
