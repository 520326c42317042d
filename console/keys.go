package console

import (
	"net/http"
	"time"
)

// key is an API key, without its secret.
type key struct {
	ID          string     `json:"key_id"`
	Prefix      string     `json:"prefix"`
	Name        string     `json:"name"`
	Description string     `json:"description"`
	Scopes      []string   `json:"scopes"`
	CreatedAt   time.Time  `json:"created_at"`
	LastUsedOn  *string    `json:"last_used_on"`
	ExpiresAt   *time.Time `json:"expires_at"` // nil: never
}

// scopes are what a key may do, as docs/api.md has them.
var scopes = []struct{ Name, About string }{
	{"read", "Read everything of the company"},
	{"issue", "Create invoices, take in purchases"},
	{"manage", "Change the company, its webhooks and files"},
}

func (v *visit) keys() error { return v.showKeys(http.StatusOK, "") }

// showKeys lists the keys. A new key is shown in the answer to the form that made it, and never
// again.
func (v *visit) showKeys(status int, fresh string) error {
	var all list[key]
	if err := v.get(route("companies", v.company, "apikeys"), &all); err != nil {
		return err
	}
	v.render(status, "keys", "API keys", struct {
		Keys   list[key]
		Scopes any
		Fresh  string
	}{all, scopes, fresh})
	return nil
}

func (v *visit) makeKey() error {
	body := v.body()
	body["id_company"] = v.company
	if day, ok := body["expires_at"].(string); ok && len(day) == len(time.DateOnly) {
		body["expires_at"] = day + "T23:59:59Z" // the form asks for a day
	}
	var made struct {
		Key string `json:"api_key"`
	}
	if err := v.post(route("companies", "apikey"), body, &made); err != nil {
		return v.again(err, func(status int) error { return v.showKeys(status, "") })
	}
	v.form = nil
	return v.showKeys(http.StatusCreated, made.Key)
}

func (v *visit) revokeKey() error {
	if err := v.remove(route("companies", v.company, "apikeys", v.r.PathValue("key"))); err != nil {
		return v.again(err, func(status int) error { return v.showKeys(status, "") })
	}
	return v.done(v.within("keys"), "revoked")
}
