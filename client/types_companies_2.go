// Code generated from the OpenAPI document by apidoc/derive. DO NOT EDIT.

package client

// GrantAccessAnswer: see the operation that has it.
type GrantAccessAnswer struct {
	// The account's address.
	Email string `json:"email"`
	// The account's id.
	IDAccount string `json:"id_account"`
	// Owner, issuer or auditor.
	Role string `json:"role"`
	// What it may: read, issue, manage.
	Scopes []string `json:"scopes"`
	// Since when.
	Since string `json:"since"`
}
