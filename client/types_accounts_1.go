// Code generated from the OpenAPI document by apidoc/derive. DO NOT EDIT.

package client

// ReadAccountAnswer: see the operation that has it.
type ReadAccountAnswer struct {
	Given     []GivenCompany `json:"given"`      // Companies of others that the account may work in.
	IDAccount string         `json:"id_account"` // The account's id.
	Scopes    []string       `json:"scopes"`     // The most that it may anywhere.
}

// GivenCompany: GivenCompany is a company that the account was given.
type GivenCompany struct {
	Country   string `json:"country"`    // ISO 3166-1, two letters.
	IDCompany string `json:"id_company"` // The company's id.
	LegalName string `json:"legal_name"` // The name as it is registered.
	Role      string `json:"role"`       // Owner, issuer or auditor.
	Since     string `json:"since"`      // Since when.
}

// ChangePasswordBody: see the operation that has it.
type ChangePasswordBody struct {
	CurrentPassword string `json:"current_password"` // The password that works now.
	Email           string `json:"email"`            // The account's address.
	NewPassword     string `json:"new_password"`     // The password to be.
}

// ResetPasswordBody: see the operation that has it.
type ResetPasswordBody struct {
	Code        string `json:"code"`         // what the operator gave: folio account reset
	Email       string `json:"email"`        // The account's address.
	NewPassword string `json:"new_password"` // The password to be.
}
