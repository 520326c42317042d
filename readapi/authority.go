package readapi

import (
	"context"
	"net/http"
	"slices"
	"time"

	"folio/country"
	"folio/httpapi"
	"folio/projections"
	"folio/resource"
	"folio/waiting"
)

// authorityRecord is how an authority was last seen by anybody, and whether it counts as away
// for the company of the key that asks: then it is not up, whatever others hear of it.
type authorityRecord struct {
	waiting.Authority
	// Outage is open for the company of the key that asks; absent while none is.
	Outage *resource.OpenOutage `json:"outage,omitempty"`
}

// authoritiesAnswer tells how all of them were seen, and what the companies of an account meet of them.
type authoritiesAnswer struct {
	Data []authorityRecord `json:"data"`
	// Outages that are open for companies of the account that asks, 50 at most; absent while none is, and for a key.
	Outages []companyOutage `json:"outages,omitempty"`
	// How many are open for them; absent while none is, and for a key.
	OutagesOpen int `json:"outages_open,omitempty"`
}

// companyOutage is an outage that is open for one of the companies of an account.
type companyOutage struct {
	Company     string    `json:"id_company"`
	LegalName   string    `json:"legal_name"`
	Authority   string    `json:"authority"`
	Environment string    `json:"environment"`
	ID          string    `json:"id"`
	Since       time.Time `json:"since"` // RFC 3339, UTC
	Cause       string    `json:"cause"` // calls or operator
}

// outagesShown bounds the outages of an account in one answer.
const outagesShown = 50

// addOpen adds the outages that are open for companies of the account that asks.
func (a api) addOpen(ctx context.Context, s *authoritiesAnswer) error {
	who := httpapi.Caller(ctx)
	if who.Company != "" {
		return nil
	}
	some, open, err := a.Documents.OpenOutagesOf(ctx, who.Account, outagesShown)
	s.OutagesOpen = open
	s.Outages = country.Collect(some, func(o projections.OutageOf) companyOutage {
		return companyOutage{Company: o.Company, LegalName: o.LegalName, Authority: o.Authority,
			Environment: o.Environment, ID: o.ID, Since: o.Since, Cause: o.Opened.Cause}
	})
	return err
}

// authorities says how each authority and environment was last seen.
func (a api) authorities(w http.ResponseWriter, r *http.Request) error {
	all, err := a.Authorities.All(r.Context())
	if err != nil {
		return err
	}
	open, err := a.openOutages(r.Context(), httpapi.Caller(r.Context()).Company)
	if err != nil {
		return err
	}
	if len(open) > 0 { // which is something of the company, on a path of nobody's
		if err := httpapi.Kept(r); err != nil {
			return err
		}
	}
	for _, o := range open { // one that a person opened may be of an authority that nobody called yet
		known := func(s waiting.Authority) bool { return s.Authority == o.Authority && s.Environment == o.Environment }
		if !slices.ContainsFunc(all, known) {
			all = append(all, waiting.Authority{Authority: o.Authority, Environment: o.Environment, Since: o.Since})
		}
	}
	out := make([]authorityRecord, len(all))
	for i, seen := range all {
		outage := during(open, seen.Authority, seen.Environment)
		if seen.Up && outage != nil {
			seen.Up, seen.Since = false, outage.Since
		} else if seen.Up && seen.LastFailure != nil && seen.LastSuccess != nil &&
			seen.LastFailure.Before(*seen.LastSuccess) {
			seen.Fault = "" // it is over
		}
		out[i] = authorityRecord{seen, outage}
	}
	seen := authoritiesAnswer{Data: out}
	if err := a.addOpen(r.Context(), &seen); err != nil {
		return err
	}
	return httpapi.JSON(w, http.StatusOK, seen)
}
