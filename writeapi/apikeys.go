package writeapi

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"folio/commands/apikey"
	"folio/events"
	"folio/fault"
	"folio/httpapi"
	"folio/scope"
	"folio/strict"
)

// readKeyWish reads whose the key will be, what it is for, and what it may do.
func readKeyWish(o strict.Object) (company, description string, scopes []string) {
	return o.StringOrInt("id_company", strict.Required, strict.MaxLen(64)), o.String("description", strict.MaxLen(200)),
		readScopes(o)
}

func (a api) issueKey(w http.ResponseWriter, r *http.Request) error {
	body, err := httpapi.ReadJSON(w, r)
	if err != nil {
		return err
	}
	o := body.Object()
	id, description, scopes := readKeyWish(o)
	if err := o.Done(); err != nil {
		return err
	}
	s, err := a.ownCompany(r.Context(), id)
	if err != nil {
		return err
	}
	keyID := newID(r)
	key, hash, err := a.NewKey(keyID)
	if err != nil {
		return err
	}
	if err := a.additions.Pass(r.Context(), s.Company, 1, func() error {
		if held, full, err := held(r, a.Holdings.Keys, s.Company, a.Holdings.MaxKeys); err != nil || full {
			return orElse(err, fault.New(fault.Conflict, "TOO_MANY_KEYS", fmt.Sprintf(
				"The company has %d keys, the most that one may have: revoke a key that is not used any more.", held)))
		}
		out, err := a.log.APIKeys.ExecuteNew(r.Context(), keyID, apikey.Issue{
			Key: keyID, Company: s.Company, Account: s.Account, Description: description, SHA256: hash, Scopes: scopes,
		}, request(r))
		if err != nil {
			return err
		}
		for _, e := range out.Events {
			if e, ok := e.(events.APIKeyIssued); ok {
				err = showOnce(r, "API key "+keyID, e.SHA256, hash)
			}
		}
		a.shown(w, r, "api_keys", out.Position)
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
		Scopes      []string  `json:"scopes"`
		CreatedAt   time.Time `json:"created_at"`
	}{s.Company, key, keyID, description, apikey.Scopes(scopes).Names(), httpapi.Started(r.Context()).UTC()})
}

// readScopes reads what a key shall be able to do; empty for everything.
func readScopes(o strict.Object) []string {
	if !o.Has("scopes") {
		return nil
	}
	given := o.Strings("scopes", strict.Required, strict.MaxItems(10))
	set, err := scope.Parse(given)
	var unknown *scope.UnknownError
	if errors.As(err, &unknown) {
		o.FailElement("scopes", unknown.Index, strict.CodeNotAllowed,
			"must be one of "+strings.Join(scope.All.Names(), ", "))
	}
	if set == scope.All {
		return nil
	}
	return set.Names()
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
