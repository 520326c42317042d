package events

import (
	"encoding/json"
	"time"
)

// LogFormat counts the changes after which programs of before cannot go on with a log: an event type in a
// stream that they fold, or a schema that they do not know. It is raised with such a change; a program that
// knows less refuses the log at its start, and docs/upgrading.md says what each number brought.
const LogFormat = 2

// StoreCreated: which log this is, and by which format programs have written to it. It stands in the stream
// folio-store; a restored backup and a newer format add another, and the last one counts.
type StoreCreated struct {
	Fact   `json:"-"`
	Store  string `json:"store"`
	Format int    `json:"format"`
	// of the program that raised the format; empty: of the first one
	Version string `json:"version"`
}

var _ = define[StoreCreated]("folio", "StoreCreated", storeCreated1)

// storeCreated1: the first release wrote no format.
func storeCreated1(data json.RawMessage) (json.RawMessage, error) {
	var old struct {
		Store string `json:"store"`
	}
	if err := json.Unmarshal(data, &old); err != nil {
		return nil, err
	}
	return json.Marshal(StoreCreated{Store: old.Store, Format: 1})
}

// AccountRegistered: a person may log in. The password's hash is sealed in the
// vault under Secret.
type AccountRegistered struct {
	Fact    `json:"-"`
	Account string `json:"account"` // ULID
	Email   string `json:"email"`
	Secret  string `json:"secret"` // reference into the vault
	// the most that it may be in any company: owner, issuer or auditor; empty: owner
	Role string `json:"role,omitempty"`
}

var _ = define[AccountRegistered]("account", "AccountRegistered")

// PasswordChanged: the account's password is another one from now on.
type PasswordChanged struct {
	Fact   `json:"-"`
	Secret string `json:"secret"`
}

var _ = define[PasswordChanged]("account", "PasswordChanged")

// PasswordResetOffered: whoever knows the code whose hash this is may set the account's
// password once, until then. The code was shown to the operator this once.
type PasswordResetOffered struct {
	Fact   `json:"-"`
	SHA256 string    `json:"sha256"`
	Until  time.Time `json:"until"` // UTC
}

var _ = define[PasswordResetOffered]("account", "PasswordResetOffered")

// SessionsEnded: every token that the account was given before stops.
type SessionsEnded struct {
	Fact `json:"-"`
}

var _ = define[SessionsEnded]("account", "SessionsEnded")

// SessionEnded: one token of the account stops, because its holder logged out.
type SessionEnded struct {
	Fact    `json:"-"`
	Session string    `json:"session"` // the token's id
	Until   time.Time `json:"until"`   // UTC: when the token would have ended by itself
}

var _ = define[SessionEnded]("account", "SessionEnded")

// AccountDisabled: the account can no longer log in and its tokens stop.
type AccountDisabled struct {
	Fact `json:"-"`
}

var _ = define[AccountDisabled]("account", "AccountDisabled")

// APIKeyIssued: a company has one more key. Only the SHA-256 of its 256 random bits
// is kept; the key itself was shown once.
type APIKeyIssued struct {
	Fact        `json:"-"`
	Key         string `json:"key"` // public id
	Company     string `json:"company"`
	Account     string `json:"account"` // who made it
	Description string `json:"description,omitempty"`
	SHA256      string `json:"sha256"`
	// Scopes are what it may: read, issue, manage. Empty: everything.
	Scopes      []string   `json:"scopes,omitempty"`
	Name        string     `json:"name,omitempty"`
	Environment string     `json:"environment,omitempty"` // of the company when it was made: its prefix says so
	ExpiresAt   *time.Time `json:"expires_at,omitempty"`
	Replaces    string     `json:"replaces,omitempty"` // id of the key that it was rotated from
}

var _ = define[APIKeyIssued]("apikey", "APIKeyIssued")

// APIKeyReplaced: another key took its place, and it is refused from Until on.
type APIKeyReplaced struct {
	Fact  `json:"-"`
	By    string    `json:"by"` // id of the other key
	Until time.Time `json:"until"`
}

var _ = define[APIKeyReplaced]("apikey", "APIKeyReplaced")

// APIKeyRevoked: the key is refused from now on.
type APIKeyRevoked struct {
	Fact `json:"-"`
}

var _ = define[APIKeyRevoked]("apikey", "APIKeyRevoked")

// RequestAccepted: an Idempotency-Key was used for this request. Invoice, or Resource of
// another route, is the id of what comes of it, and Time that of the request.
type RequestAccepted struct {
	Fact     `json:"-"`
	BodyHash string    `json:"body_hash"` // SHA-256 of the RFC 8785 form; of other routes with method, path and form
	Invoice  string    `json:"invoice,omitempty"`
	Resource string    `json:"resource,omitempty"` // where no invoice was asked for
	Time     time.Time `json:"time"`
}

var _ = define[RequestAccepted]("idempotency", "RequestAccepted")

// RequestAnswered: what the first use of an Idempotency-Key was answered with, for its repeats.
type RequestAnswered struct {
	Fact     `json:"-"`
	Status   int    `json:"status"` // of HTTP
	Location string `json:"location,omitempty"`
	Position string `json:"position,omitempty"` // Folio-Position
	Body     string `json:"body,omitempty"`     // JSON; none where Once
	Once     string `json:"once,omitempty"`     // id of what showed a secret this once
}

var _ = define[RequestAnswered]("idempotency", "RequestAnswered")

// CompanyRead: an auditor, or a key that may only read, read something of the company, or tried what it may not. It is
// recorded before the answer.
type CompanyRead struct {
	Fact    `json:"-"`
	Company string `json:"company"`
	Account string `json:"account"`       // the auditor; empty: a key did
	Key     string `json:"key,omitempty"` // public id of the key; empty: an auditor did
	Method  string `json:"method"`
	Path    string `json:"path"`
	Query   string `json:"query,omitempty"`
	Refused string `json:"refused,omitempty"` // constant of the refusal; empty: it was answered
}

var _ = define[CompanyRead]("access", "CompanyRead")
