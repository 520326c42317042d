package writeapi

import (
	"fmt"
	"net/http"
	"time"

	"folio/commands/apikey"
	"folio/fault"
	"folio/httpapi"
)

func (a api) issueKey(w http.ResponseWriter, r *http.Request) error {
	body, err := httpapi.ReadJSON(w, r)
	if err != nil {
		return err
	}
	o := body.Object()
	id, description := o.StringOrInt("id_company", httpapi.Required, httpapi.MaxLen(64)),
		o.String("description", httpapi.MaxLen(200))
	if err := o.Done(); err != nil {
		return err
	}
	s, err := a.ownCompany(r.Context(), id)
	if err != nil {
		return err
	}
	key, keyID, hash, err := a.NewKey()
	if err != nil {
		return err
	}
	if err := a.additions.Pass(r.Context(), s.Company, 1, func() error {
		if held, full, err := held(r.Context(), a.Holdings.Keys, s.Company, a.Holdings.MaxKeys); err != nil || full {
			return orElse(err, fault.New(fault.Conflict, "TOO_MANY_KEYS", fmt.Sprintf(
				"The company has %d keys, the most that one may have: revoke a key that is not used any more.", held)))
		}
		out, err := a.log.APIKeys.ExecuteNew(r.Context(), keyID, apikey.Issue{
			Key: keyID, Company: s.Company, Account: s.Account, Description: description, SHA256: hash,
		}, request(r))
		if err == nil {
			a.shown(w, r, "api_keys", out.Position)
		}
		return err
	}); err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "no-store")
	return httpapi.JSON(w, http.StatusCreated, struct {
		Company     string    `json:"id_company"`
		Key         string    `json:"api_key"` // shown this once
		KeyID       string    `json:"key_id"`
		Description string    `json:"description"`
		CreatedAt   time.Time `json:"created_at"`
	}{s.Company, key, keyID, description, httpapi.Started(r.Context()).UTC()})
}

func (a api) revokeKey(w http.ResponseWriter, r *http.Request) error {
	companyID, err := httpapi.PathID(r, "id_company")
	if err != nil {
		return err
	}
	keyID, err := httpapi.PathID(r, "key_id")
	if err != nil {
		return err
	}
	s, err := a.ownCompany(r.Context(), companyID)
	if err != nil {
		return err
	}
	out, err := a.log.APIKeys.Execute(r.Context(), keyID,
		apikey.Revoke{Company: s.Company}, request(r))
	if err != nil {
		return err
	}
	a.shown(w, r, "api_keys", out.Position)
	httpapi.NoContent(w)
	return nil
}
