// Code generated from the OpenAPI document by apidoc/derive. DO NOT EDIT.

package client

// IssueKeyBody: see the operation that has it.
type IssueKeyBody struct {
	Description string   `json:"description,omitempty"` // Free text.
	ExpiresAt   string   `json:"expires_at,omitempty"`  // When it stops by itself; left out: never.
	IDCompany   string   `json:"id_company"`            // The company's id.
	Name        string   `json:"name,omitempty"`        // For people.
	Scopes      []string `json:"scopes,omitempty"`      // What it may: read, issue, manage.
}

// IssueKeyAnswer: see the operation that has it.
type IssueKeyAnswer struct {
	APIKey      string   `json:"api_key"`     // Shown this once.
	CreatedAt   string   `json:"created_at"`  // When it was made, RFC 3339 in UTC.
	Description string   `json:"description"` // Free text.
	Environment *string  `json:"environment"` // Of the company: the key's prefix says so.
	ExpiresAt   *string  `json:"expires_at"`  // Null: never.
	IDCompany   string   `json:"id_company"`  // The company's id.
	KeyID       string   `json:"key_id"`      // The public part of the key.
	Name        string   `json:"name"`        // For people.
	Scopes      []string `json:"scopes"`      // What it may: read, issue, manage.
}

// ListKeysQuery narrows ListKeys; what is empty is left out.
type ListKeysQuery struct {
	Page    string `query:"page"`     // Which page, from 1.
	PerPage string `query:"per_page"` // How many records a page has.
}

// ListKeysAnswer: see the operation that has it.
type ListKeysAnswer struct {
	Data         []Key   `json:"data"`          // The records of this page.
	NextCursor   *string `json:"next_cursor"`   // The `cursor` of the next page; null at the end, and where a list has none.
	Page         int64   `json:"page"`          // The number of the page, from 1.
	PerPage      int64   `json:"per_page"`      // How many records a page has at most.
	TotalPages   int64   `json:"total_pages"`   // How many pages there are.
	TotalResults int64   `json:"total_results"` // How many records there are.
}

// Key: Key is an API key as it may be shown.
type Key struct {
	CreatedAt   string   `json:"created_at"`   // When it was made, RFC 3339 in UTC.
	Description string   `json:"description"`  // Free text.
	Environment *string  `json:"environment"`  // Of the company when the key was made.
	ExpiresAt   *string  `json:"expires_at"`   // Null: never.
	KeyID       string   `json:"key_id"`       // The public part of the key.
	LastUsedOn  *string  `json:"last_used_on"` // YYYY-MM-DD, UTC.
	Name        string   `json:"name"`         // For people.
	Prefix      string   `json:"prefix"`       // How the key begins, with its id.
	ReplacedBy  *string  `json:"replaced_by"`  // Id of the key that took its place.
	Scopes      []string `json:"scopes"`       // What it may: read, issue, manage.
}

// RotateKeyBody: see the operation that has it.
type RotateKeyBody struct {
	ExpiresAt    string `json:"expires_at,omitempty"`    // When it stops by itself; left out: never.
	OverlapHours *int64 `json:"overlap_hours,omitempty"` // How long the old one works too: 0 to 720, else 24.
}

// RotateKeyAnswer: see the operation that has it.
type RotateKeyAnswer struct {
	APIKey      string   `json:"api_key"`     // Shown this once.
	CreatedAt   string   `json:"created_at"`  // When it was made, RFC 3339 in UTC.
	Description string   `json:"description"` // Free text.
	Environment *string  `json:"environment"` // Of the company: the key's prefix says so.
	ExpiresAt   *string  `json:"expires_at"`  // Null: never.
	IDCompany   string   `json:"id_company"`  // The company's id.
	KeyID       string   `json:"key_id"`      // The public part of the key.
	Name        string   `json:"name"`        // For people.
	Scopes      []string `json:"scopes"`      // What it may: read, issue, manage.
}
