package readapi

import (
	"net/http"

	"folio/httpapi"
	"folio/resource"
	"folio/waiting"
)

// authorityRecord is how an authority was last seen by anybody, and whether it counts as away
// for the company of the key that asks.
type authorityRecord struct {
	waiting.Authority
	// Outage is open for the company of the key that asks; absent while none is.
	Outage *resource.OpenOutage `json:"outage,omitempty"`
}

// authorities says how each authority and environment was last seen.
func (a api) authorities(w http.ResponseWriter, r *http.Request) error {
	if err := noParameters(r); err != nil {
		return err
	}
	all, err := a.Authorities.All(r.Context())
	if err != nil {
		return err
	}
	open, err := a.openOutages(r.Context(), httpapi.Caller(r.Context()).Company)
	if err != nil {
		return err
	}
	out := make([]authorityRecord, len(all))
	for i, seen := range all {
		out[i] = authorityRecord{seen, during(open, seen.Authority, seen.Environment)}
	}
	return httpapi.JSON(w, http.StatusOK, struct {
		Data []authorityRecord `json:"data"`
	}{out})
}
