// Code generated from the OpenAPI document by apidoc/derive. DO NOT EDIT.

package client

// ReadAccountAnswer: see the operation that has it.
type ReadAccountAnswer struct {
	// Companies of others that the account may work in.
	Given []GivenCompany `json:"given"`
	// The account's id.
	IDAccount string `json:"id_account"`
	// The most that it may anywhere.
	Scopes []string `json:"scopes"`
}

// GivenCompany is a company that the account was given.
type GivenCompany struct {
	// ISO 3166-1, two letters.
	Country string `json:"country"`
	// The company's id.
	IDCompany string `json:"id_company"`
	// The name as it is registered.
	LegalName string `json:"legal_name"`
	// Owner, issuer or auditor.
	Role string `json:"role"`
	// Of the role, as far as the account may have them anywhere.
	Scopes []string `json:"scopes"`
	// Since when.
	Since string `json:"since"`
}

// ChangePasswordBody: see the operation that has it.
type ChangePasswordBody struct {
	// The password that works now.
	CurrentPassword string `json:"current_password"`
	// The account's address.
	Email string `json:"email"`
	// The password to be.
	NewPassword string `json:"new_password"`
}

// ResetPasswordBody: see the operation that has it.
type ResetPasswordBody struct {
	// what the operator gave: folio account reset
	Code string `json:"code"`
	// The account's address.
	Email string `json:"email"`
	// The password to be.
	NewPassword string `json:"new_password"`
}
