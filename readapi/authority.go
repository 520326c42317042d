package readapi

import (
	"net/http"

	"folio/httpapi"
	"folio/waiting"
)

// authorities says how each authority and environment was last seen.
func (a api) authorities(w http.ResponseWriter, r *http.Request) error {
	if err := noParameters(r); err != nil {
		return err
	}
	all, err := a.Authorities.All(r.Context())
	if err != nil {
		return err
	}
	return httpapi.JSON(w, http.StatusOK, struct {
		Data []waiting.Authority `json:"data"`
	}{all})
}
