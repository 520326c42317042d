// Code generated from the OpenAPI document by apidoc/derive. DO NOT EDIT.

package client

// IssueKeyBody: see the operation that has it.
type IssueKeyBody struct {
	// Free text.
	Description string `json:"description,omitempty"`
	// When it stops by itself; left out: never.
	ExpiresAt string `json:"expires_at,omitempty"`
	// The company's id.
	IDCompany string `json:"id_company"`
	// For people.
	Name string `json:"name,omitempty"`
	// What it may: read, issue, manage.
	Scopes []string `json:"scopes,omitempty"`
}

// IssueKeyAnswer: see the operation that has it.
type IssueKeyAnswer struct {
	// Shown this once.
	APIKey string `json:"api_key"`
	// When it was made, RFC 3339 in UTC.
	CreatedAt string `json:"created_at"`
	// Free text.
	Description string `json:"description"`
	// Of the company: the key's prefix says so.
	Environment *string `json:"environment"`
	// Null: never.
	ExpiresAt *string `json:"expires_at"`
	// The company's id.
	IDCompany string `json:"id_company"`
	// The public part of the key.
	KeyID string `json:"key_id"`
	// For people.
	Name string `json:"name"`
	// What it may: read, issue, manage.
	Scopes []string `json:"scopes"`
}

// ListKeysQuery narrows ListKeys; what is empty is left out.
type ListKeysQuery struct {
	// Which page, from 1.
	Page string `query:"page"`
	// How many records a page has.
	PerPage string `query:"per_page"`
}

// ListKeysAnswer: see the operation that has it.
type ListKeysAnswer struct {
	// The records of this page.
	Data []Key `json:"data"`
	// The `cursor` of the next page; null at the end, and where a list has none.
	NextCursor *string `json:"next_cursor"`
	// The number of the page, from 1.
	Page int64 `json:"page"`
	// How many records a page has at most.
	PerPage int64 `json:"per_page"`
	// How many pages there are.
	TotalPages int64 `json:"total_pages"`
	// How many records there are.
	TotalResults int64 `json:"total_results"`
}

// Key is an API key as it may be shown.
type Key struct {
	// When it was made, RFC 3339 in UTC.
	CreatedAt string `json:"created_at"`
	// Free text.
	Description string `json:"description"`
	// Of the company when the key was made.
	Environment *string `json:"environment"`
	// Null: never.
	ExpiresAt *string `json:"expires_at"`
	// The public part of the key.
	KeyID string `json:"key_id"`
	// YYYY-MM-DD, UTC.
	LastUsedOn *string `json:"last_used_on"`
	// For people.
	Name string `json:"name"`
	// How the key begins, with its id.
	Prefix string `json:"prefix"`
	// Id of the key that took its place.
	ReplacedBy *string `json:"replaced_by"`
	// What it may: read, issue, manage.
	Scopes []string `json:"scopes"`
}

// RotateKeyBody: see the operation that has it.
type RotateKeyBody struct {
	// When it stops by itself; left out: never.
	ExpiresAt string `json:"expires_at,omitempty"`
	// How long the old one works too: 0 to 720, else 24.
	OverlapHours *int64 `json:"overlap_hours,omitempty"`
}

// RotateKeyAnswer: see the operation that has it.
type RotateKeyAnswer struct {
	// Shown this once.
	APIKey string `json:"api_key"`
	// When it was made, RFC 3339 in UTC.
	CreatedAt string `json:"created_at"`
	// Free text.
	Description string `json:"description"`
	// Of the company: the key's prefix says so.
	Environment *string `json:"environment"`
	// Null: never.
	ExpiresAt *string `json:"expires_at"`
	// The company's id.
	IDCompany string `json:"id_company"`
	// The public part of the key.
	KeyID string `json:"key_id"`
	// For people.
	Name string `json:"name"`
	// What it may: read, issue, manage.
	Scopes []string `json:"scopes"`
}
