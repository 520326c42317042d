// Code generated from the OpenAPI document by apidoc/derive. DO NOT EDIT.

package client

// ListCompaniesQuery narrows ListCompanies; what is empty is left out.
type ListCompaniesQuery struct {
	// Which page, from 1.
	Page string `query:"page"`
	// How many records a page has.
	PerPage string `query:"per_page"`
}

// ListCompaniesAnswer: see the operation that has it.
type ListCompaniesAnswer struct {
	// The records of this page.
	Data []Company `json:"data"`
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

// Company is the company record.
type Company struct {
	// Those that were uploaded.
	Certificates []Certificate `json:"certificates"`
	// ISO 3166-1, two letters.
	Country string `json:"country"`
	// When it was made, RFC 3339 in UTC.
	CreatedAt string `json:"created_at"`
	// What documents say of the issuer.
	FiscalProfile *FiscalProfile `json:"fiscal_profile"`
	// The company's id.
	IDCompany string `json:"id_company"`
	// An id of GET /api/currencies.
	IDCurrency int64 `json:"id_currency"`
	// The name as it is registered.
	LegalName string `json:"legal_name"`
	// What documents carry.
	Logo *Logo `json:"logo"`
	// What is missing before the company can issue.
	PendingSteps []Step `json:"pending_steps"`
	// YYYY-MM-DD.
	StartActivitiesDate *string `json:"start_activities_date"`
	// CUIT, RUT: digits with the check digit.
	TaxIdentifier string `json:"tax_identifier"`
	// CUIT (Argentina) or RUT.
	TaxIdentifierName string `json:"tax_identifier_name"`
	// In the answer to its creation.
	Warnings []string `json:"warnings"`
}

// Certificate is what may be shown of a certificate; never its key.
type Certificate struct {
	// Production or Testing.
	Environment string `json:"environment"`
	// The record's id.
	ID string `json:"id"`
	// When it was uploaded.
	UploadedAt string `json:"uploaded_at"`
	// RFC 3339 in UTC.
	ValidFrom string `json:"valid_from"`
	// RFC 3339 in UTC.
	ValidTo string `json:"valid_to"`
}

// Logo is the logo that documents carry from now on.
type Logo struct {
	// In pixels.
	Height int64 `json:"height"`
	// Hexadecimal.
	SHA256 string `json:"sha256"`
	// In pixels.
	Width int64 `json:"width"`
}

// Step is something that is still missing before the company can issue.
type Step struct {
	// Stable, for machines.
	Code string `json:"code"`
	// What happened, for people.
	Message string `json:"message"`
}

// RegisterCompanyBody: see the operation that has it.
type RegisterCompanyBody struct {
	// ISO 3166-1, two letters.
	Country string `json:"country,omitempty"`
	// An id of GET /api/currencies.
	IDCurrency int64 `json:"id_currency"`
	// The name as it is registered.
	LegalName string `json:"legal_name"`
	// YYYY-MM-DD.
	StartActivitiesDate string `json:"start_activities_date,omitempty"`
	// CUIT, RUT: digits with the check digit.
	TaxIdentifier string `json:"tax_identifier"`
	// CUIT (Argentina) or RUT.
	TaxIdentifierName string `json:"tax_identifier_name"`
}

// ReadCompanyQuery narrows ReadCompany; what is empty is left out.
type ReadCompanyQuery struct {
	// As of then: a position of the log, or a time in RFC 3339.
	At string `query:"at"`
}

// ListAccessQuery narrows ListAccess; what is empty is left out.
type ListAccessQuery struct {
	// Only what this account read.
	IDAccount string `query:"id_account"`
	// Only what this key read.
	KeyID string `query:"key_id"`
	// Which page, from 1.
	Page string `query:"page"`
	// How many records a page has.
	PerPage string `query:"per_page"`
}

// ListAccessAnswer: see the operation that has it.
type ListAccessAnswer struct {
	// The records of this page.
	Data []AccessLine `json:"data"`
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

// AccessLine is one thing that an auditor or a key that only reads has read, or was refused.
type AccessLine struct {
	// When, RFC 3339 in UTC.
	At string `json:"at"`
	// The account's address.
	Email *string `json:"email"`
	// Null: a key read.
	IDAccount *string `json:"id_account"`
	// Null: an auditor read.
	KeyID *string `json:"key_id"`
	// Of the request.
	Method string `json:"method"`
	// The field as you wrote it: items[2].taxes[0].amount.
	Path string `json:"path"`
	// Of the request.
	Query *string `json:"query"`
	// Constant of the refusal; null: it was answered.
	Refused *string `json:"refused"`
	// X-Request-Id of the call.
	RequestID string `json:"request_id"`
}

// ListBranchesQuery narrows ListBranches; what is empty is left out.
type ListBranchesQuery struct {
	// Which page, from 1.
	Page string `query:"page"`
	// How many records a page has.
	PerPage string `query:"per_page"`
}

// ListBranchesAnswer: see the operation that has it.
type ListBranchesAnswer struct {
	// The records of this page.
	Data []Branch `json:"data"`
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

// SetBranchBody: see the operation that has it.
type SetBranchBody struct {
	// where it is
	Address SetBranchBodyAddress `json:"address"`
	// The establishment's number.
	Branch string `json:"branch,omitempty"`
	// As it is printed.
	City string `json:"city,omitempty"`
	// As SII writes it.
	Comuna string `json:"comuna,omitempty"`
	// Of Uruguay's nineteen.
	Department string `json:"department,omitempty"`
	// the supplier's number of the document
	Number *int64 `json:"number,omitempty"`
	// YYYY-MM-DD.
	StartActivitiesDate string `json:"start_activities_date,omitempty"`
}

// SetBranchBodyAddress: where it is
type SetBranchBodyAddress struct {
	// Street, number and town.
	Address string `json:"address"`
	// ISO 3166-1, two letters.
	Country string `json:"country,omitempty"`
	// As it is printed.
	Phone string `json:"phone,omitempty"`
	// ISO 3166-2, such as AR-C.
	Region string `json:"region,omitempty"`
}

// SetProfileBody: see the operation that has it.
type SetProfileBody struct {
	// SII's code of the economic activity, six digits.
	Acteco string `json:"acteco,omitempty"`
	// where it is
	Address *SetProfileBodyAddress `json:"address,omitempty"`
	// The establishment's number.
	Branch string `json:"branch,omitempty"`
	// DGI's number of the main establishment.
	BranchCode string `json:"branch_code,omitempty"`
	// As it is printed.
	City string `json:"city,omitempty"`
	// As SII writes it.
	Comuna string `json:"comuna,omitempty"`
	// Of Uruguay's nineteen.
	Department string `json:"department,omitempty"`
	// The account's address.
	Email string `json:"email,omitempty"`
	// Why the issuer is exempt.
	ExemptionNorm string `json:"exemption_norm,omitempty"`
	// What the company does, up to 80 characters.
	Giro string `json:"giro,omitempty"`
	// Ingresos brutos (Argentina).
	GrossIncomeNumber string `json:"gross_income_number,omitempty"`
	// IVA al día, as it is printed.
	IVAAlDia string `json:"iva_al_dia,omitempty"`
	// What stands where receipts are confirmed.
	ReceiptStamp string `json:"receipt_stamp,omitempty"`
	// DGI's resolution.
	Resolution string `json:"resolution,omitempty"`
	// YYYY-MM-DD.
	ResolutionDate string `json:"resolution_date,omitempty"`
	// Of SII's resolution.
	ResolutionNumber string `json:"resolution_number,omitempty"`
	// Whether every e-Ticket is sent, not only large ones.
	SendAllTickets string `json:"send_all_tickets,omitempty"`
	// The RUT of who sends to SII.
	SenderRUT string `json:"sender_rut,omitempty"`
	// SII's office of the company.
	SiiOffice string `json:"sii_office,omitempty"`
	// The RUT of the software's maker.
	SoftwareRUT string `json:"software_rut,omitempty"`
	// What DGI calls it.
	SpecialRegime string `json:"special_regime,omitempty"`
	// One of the catalogue's conditions.
	TaxCondition string `json:"tax_condition,omitempty"`
	// IANA's name, such as America/Punta_Arenas.
	TimeZone string `json:"time_zone,omitempty"`
	// The name on the sign.
	TradeName string `json:"trade_name,omitempty"`
	// Where buyers verify it.
	VerificationURL string `json:"verification_url,omitempty"`
}

// SetProfileBodyAddress: where it is
type SetProfileBodyAddress struct {
	// Street, number and town.
	Address string `json:"address,omitempty"`
	// ISO 3166-1, two letters.
	Country string `json:"country,omitempty"`
	// As it is printed.
	Phone string `json:"phone,omitempty"`
	// ISO 3166-2, such as AR-C.
	Region string `json:"region,omitempty"`
}

// Member is another account that may do something in the company.
type Member struct {
	// The account's address.
	Email string `json:"email"`
	// The account's id.
	IDAccount string `json:"id_account"`
	// Owner, issuer or auditor.
	Role string `json:"role"`
	// Of the role, as far as the account may have them anywhere.
	Scopes []string `json:"scopes"`
	// Since when.
	Since string `json:"since"`
}
