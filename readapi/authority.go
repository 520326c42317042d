package readapi

import (
	"net/http"
	"slices"

	"folio/httpapi"
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
	return httpapi.JSON(w, http.StatusOK, struct {
		Data []authorityRecord `json:"data"`
	}{out})
}
