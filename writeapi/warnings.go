package writeapi

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"folio/commands/company"
	"folio/country"
	"folio/httpapi"
)

// expiresSoon is when a company is first told that its certificate expires.
const expiresSoon = 60

// trialIssuers are words in the names of authorities that issue certificates for tests:
// ARCA's homologation (CN=Computadores Test under AC Raiz Test, WSAA manual 3.3) and
// sandboxes. The real authorities answer them with "not issued by a trusted authority";
// a sandbox trusts the very same ones, so there they are no matter.
var trialIssuers = []string{"test", "prueba", "homologa", "sandbox"}

// warningsOf are what may be wrong with a certificate and need not be.
func (a api) warningsOf(cert Certificate, environment string, s company.State, rules country.Rules,
	now time.Time) []string {
	warnings := []string{}
	if cert.TaxIdentifier != "" && cert.TaxIdentifier != s.TaxIdentifier && !personal(rules) {
		warnings = append(warnings, fmt.Sprintf("The certificate belongs to %s %s, not to the company's %s: it works only "+
			"if the authority knows the delegation.",
			rules.IdentifierName(), cert.TaxIdentifier, s.TaxIdentifier))
	}
	if cert.TaxIdentifier == "" && !personal(rules) {
		warnings = append(warnings, fmt.Sprintf("The certificate names no %s: the authority cannot tell whose it is and "+
			"will probably refuse it. Ask for one whose subject has it.",
			rules.IdentifierName()))
	}
	if environment == "Production" && !a.Sandbox && isTrial(cert.Issuer) {
		warnings = append(warnings, fmt.Sprintf("The certificate was issued for tests, by %s: the authority's Production "+
			"will not trust it. Upload one of Production, or this one as Testing.",
			cert.Issuer))
	}
	if now.Before(cert.ValidFrom) {
		warnings = append(warnings, "The certificate is not valid before "+cert.ValidFrom.UTC().Format(time.RFC3339)+
			": until then invoices stay Pending without another one.")
	}
	last := cert.ValidTo.In(rules.Location()).Format(time.DateOnly)
	switch days := daysBetween(now, cert.ValidTo, rules.Location()); {
	case days == 0:
		warnings = append(warnings, fmt.Sprintf("The certificate expires today, on %s: have the next one at hand.", last))
	case days == 1:
		warnings = append(warnings, fmt.Sprintf("The certificate expires tomorrow, on %s: have the next one at hand.", last))
	case days <= expiresSoon:
		warnings = append(warnings, fmt.Sprintf("The certificate expires in %d days, on %s: have the next one at hand.",
			days, last))
	}
	return warnings
}

// saidTo are warnings in the language that the caller asks for.
func saidTo(r *http.Request, warnings []string) []string {
	for i, w := range warnings {
		warnings[i] = httpapi.Said(r, "", w)
	}
	return warnings
}

// personal says whether a certificate of this country bears its holder's identifier,
// who is never the company.
func personal(rules country.Rules) bool {
	p, ok := rules.(country.PersonalCertificates)
	return ok && p.HasPersonalCertificates()
}

func isTrial(issuer string) bool {
	issuer = strings.ToLower(issuer)
	return slices.ContainsFunc(trialIssuers, func(word string) bool {
		return strings.Contains(issuer, word)
	})
}

// daysBetween counts days of the calendar of a place.
func daysBetween(from, to time.Time, where *time.Location) int {
	day := func(t time.Time) time.Time {
		y, m, d := t.In(where).Date()
		return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
	}
	return int(day(to).Sub(day(from)) / (24 * time.Hour))
}
