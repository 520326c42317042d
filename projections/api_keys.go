package projections

import (
	"time"

	"folio/events"
	"folio/projections/engine"
	"folio/scope"
	"folio/tables"
)

// APIKey is a key without anything that could be used in its place: of its secret, 256 random
// bits, there is the hash only.
type APIKey struct {
	engine.Place

	ID          string    `json:"id"` // public part
	Company     string    `json:"company"`
	Account     string    `json:"account"` // who made it
	SHA256      string    `json:"sha256"`  // of the secret part, by which it is checked while the log is away
	Description string    `json:"description,omitzero"`
	Scopes      []string  `json:"scopes,omitempty"`    // what it may; none in the versions before there were scopes
	CreatedAt   time.Time `json:"created_at"`          // UTC
	RevokedAt   time.Time `json:"revoked_at,omitzero"` // UTC; zero while it works
	Name        string    `json:"name,omitzero"`
	Environment string    `json:"environment,omitzero"` // of the company when it was made
	ExpiresAt   time.Time `json:"expires_at,omitzero"`  // UTC; zero: never
	ReplacedBy  string    `json:"replaced_by,omitzero"` // id of the key that took its place
}

// APIKeys keeps each key, in the list of its company.
var APIKeys = engine.Define("api_keys", 4,
	engine.OfStream[APIKey]("apikey"),
	engine.On(engine.ByStream, func(d *APIKey, r events.Recorded, e events.APIKeyIssued) {
		d.ID, d.Company, d.Account, d.Description, d.SHA256 = e.Key, e.Company, e.Account, e.Description, e.SHA256
		d.CreatedAt, d.Scopes = r.Meta.At.UTC(), e.Scopes
		if len(d.Scopes) == 0 {
			d.Scopes = scope.All.Names()
		}
		d.Name, d.Environment = e.Name, e.Environment
		if e.ExpiresAt != nil {
			d.ExpiresAt = e.ExpiresAt.UTC()
		}
	}),
	engine.On(engine.ByStream, func(d *APIKey, _ events.Recorded, e events.APIKeyReplaced) {
		d.ReplacedBy = e.By
		if d.ExpiresAt.IsZero() || e.Until.Before(d.ExpiresAt) {
			d.ExpiresAt = e.Until.UTC()
		}
	}),
	engine.On(engine.ByStream, func(d *APIKey, r events.Recorded, _ events.APIKeyRevoked) {
		if d.RevokedAt.IsZero() {
			d.RevokedAt = r.Meta.At.UTC()
		}
	}),
	engine.Listed[APIKey](func(_ events.Recorded, e events.APIKeyIssued) string { return e.Company }),
	engine.Attributes(func(d *APIKey) map[string]string {
		if d.RevokedAt.IsZero() {
			return map[string]string{"state": "live"}
		}
		return map[string]string{"state": "revoked"}
	}, tables.Attribute{Name: "state"}),
)
