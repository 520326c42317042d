package writeapi

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"folio/commands/apikey"
	"folio/commands/company"
	"folio/events"
	"folio/fault"
	"folio/httpapi"
	"folio/scope"
	"folio/strict"
)

// readKeyWish reads whose the key will be, what it is for, and what it may do.
func readKeyWish(o strict.Object, at time.Time) (company string, wish apikey.Issue) {
	company = o.StringOrInt("id_company", strict.Required, strict.MaxLen(64))
	wish = apikey.Issue{Name: o.String("name", strict.MaxLen(60)),
		Description: o.String("description", strict.MaxLen(200)),
		Scopes:      readScopes(o), ExpiresAt: readExpiry(o, at)}
	return company, wish
}

// readExpiry reads when a key stops by itself, nil for never.
func readExpiry(o strict.Object, at time.Time) *time.Time {
	end := readInstant(o, "expires_at")
	if end != nil && !end.After(at) {
		o.Fail("expires_at", strict.CodeOutOfRange, "must be later than now")
	}
	return end
}

func (a api) issueKey(w http.ResponseWriter, r *http.Request) error {
	body, err := httpapi.ReadJSON(w, r)
	if err != nil {
		return err
	}
	o := body.Object()
	id, wish := readKeyWish(o, httpapi.Started(r.Context()))
	if err := o.Done(); err != nil {
		return err
	}
	s, err := a.ownCompany(r, id)
	if err != nil {
		return err
	}
	return a.makeKey(w, r, s, wish, time.Time{})
}

// makeKey issues a key of the company and shows it this once. The one that it replaces, if any, goes
// on until a time.
func (a api) makeKey(w http.ResponseWriter, r *http.Request, s company.State, wish apikey.Issue,
	until time.Time) error {
	wish.Key, wish.Company, wish.Account, wish.Environment = newID(r), s.Company, s.Account, s.Environment()
	key, hash, err := a.NewKey(wish.Key, wish.Environment)
	if err != nil {
		return err
	}
	wish.SHA256 = hash
	if err := a.additions.Pass(r.Context(), s.Company, 1, func() error {
		if held, full, err := held(r, a.Holdings.Keys, s.Company, a.Holdings.MaxKeys); err != nil || full {
			return orElse(err, fault.New(fault.Conflict, "TOO_MANY_KEYS", fmt.Sprintf(
				"The company has %d keys, the most that one may have: revoke a key that is not used any more.", held)))
		}
		return a.recordKey(w, r, wish, until)
	}); err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "no-store")
	return httpapi.JSON(w, http.StatusCreated, struct {
		Company     string     `json:"id_company"`
		Key         string     `json:"api_key"` // shown this once
		KeyID       string     `json:"key_id"`
		Name        string     `json:"name"`
		Description string     `json:"description"`
		Environment *string    `json:"environment"` // of the company: the key's prefix says so
		Scopes      []string   `json:"scopes"`
		ExpiresAt   *time.Time `json:"expires_at"` // null: never
		CreatedAt   time.Time  `json:"created_at"`
	}{s.Company, key, wish.Key, wish.Name, wish.Description, pointer(wish.Environment), apikey.Scopes(wish.Scopes).Names(),
		wish.ExpiresAt, httpapi.Started(r.Context()).UTC()})
}

func (a api) recordKey(w http.ResponseWriter, r *http.Request, wish apikey.Issue, until time.Time) error {
	if wish.Replaces != "" {
		old, _, err := a.log.APIKeys.Load(r.Context(), wish.Replaces)
		if err == nil && old.ReplacedBy != wish.Key {
			err = old.Replaceable()
		}
		if err != nil {
			return err
		}
	}
	out, err := a.log.APIKeys.ExecuteNew(r.Context(), wish.Key, wish, request(r))
	if err != nil {
		return err
	}
	last := out.Position
	if wish.Replaces != "" {
		replaced, err := a.log.APIKeys.Execute(r.Context(), wish.Replaces,
			apikey.Replace{Company: wish.Company, By: wish.Key, Until: until}, step(r, "replace"))
		if err != nil {
			return err
		}
		if last.Before(replaced.Position) {
			last = replaced.Position
		}
	}
	a.shown(w, r, "api_keys", last)
	for _, e := range out.Events {
		if e, ok := e.(events.APIKeyIssued); ok {
			return showOnce(r, fault.Words("API key %s", wish.Key), e.SHA256, wish.SHA256)
		}
	}
	return nil
}

// readRotation reads for how many hours the old key goes on, and when the new one stops.
func readRotation(o strict.Object, at time.Time) (hours int64, expires *time.Time) {
	return readOverlap(o), readExpiry(o, at)
}

// rotateKey makes a key in the place of another, with its name, description and scopes. Both work
// during the overlap.
func (a api) rotateKey(w http.ResponseWriter, r *http.Request) error {
	at := httpapi.Started(r.Context()).UTC()
	hours, wish := int64(overlapHours), apikey.Issue{}
	body, err := httpapi.ReadOptionalJSON(w, r)
	if err != nil {
		return err
	}
	if body != nil {
		o := body.Object()
		hours, wish.ExpiresAt = readRotation(o, at)
		if err := o.Done(); err != nil {
			return err
		}
	}
	old, s, err := a.keyOfPath(r)
	if err != nil {
		return err
	}
	wish.Name, wish.Description, wish.Replaces = old.Name, old.Description, old.Key
	if old.Scopes != scope.All {
		wish.Scopes = old.Scopes.Names()
	}
	return a.makeKey(w, r, s, wish, at.Add(time.Duration(hours)*time.Hour))
}

// keyOfPath is the key that the path names, of a company of the caller.
func (a api) keyOfPath(r *http.Request) (key apikey.State, s company.State, err error) {
	companyID, err := httpapi.PathID(r, "id_company")
	if err != nil {
		return key, s, err
	}
	keyID, err := httpapi.PathID(r, "key_id")
	if err != nil {
		return key, s, err
	}
	if s, err = a.ownCompany(r, companyID); err != nil {
		return key, s, err
	}
	key, found, err := a.log.APIKeys.Load(r.Context(), keyID)
	if err == nil && (!found || key.Company != s.Company) {
		err = apikey.ErrUnknown
	}
	return key, s, err
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
	key, s, err := a.keyOfPath(r)
	if err != nil {
		return err
	}
	out, err := a.log.APIKeys.Execute(r.Context(), key.Key,
		apikey.Revoke{Company: s.Company}, request(r))
	if err != nil {
		return err
	}
	a.shown(w, r, "api_keys", out.Position)
	httpapi.NoContent(w)
	return nil
}
