// Code generated from the OpenAPI document by apidoc/derive. DO NOT EDIT.

package client

// ListCompaniesQuery narrows ListCompanies; what is empty is left out.
type ListCompaniesQuery struct {
	Page    string `query:"page"`     // Which page, from 1.
	PerPage string `query:"per_page"` // How many records a page has.
}

// ListCompaniesAnswer: see the operation that has it.
type ListCompaniesAnswer struct {
	Data         []Company `json:"data"`          // The records of this page.
	NextCursor   *string   `json:"next_cursor"`   // The `cursor` of the next page; null at the end, and where a list has none.
	Page         int64     `json:"page"`          // The number of the page, from 1.
	PerPage      int64     `json:"per_page"`      // How many records a page has at most.
	TotalPages   int64     `json:"total_pages"`   // How many pages there are.
	TotalResults int64     `json:"total_results"` // How many records there are.
}

// Company: Company is the company record.
type Company struct {
	Certificates        []Certificate  `json:"certificates"`          // Those that were uploaded.
	Country             string         `json:"country"`               // ISO 3166-1, two letters.
	CreatedAt           string         `json:"created_at"`            // When it was made, RFC 3339 in UTC.
	FiscalProfile       *FiscalProfile `json:"fiscal_profile"`        // What documents say of the issuer.
	IDCompany           string         `json:"id_company"`            // The company's id.
	IDCurrency          int64          `json:"id_currency"`           // An id of GET /api/currencies.
	LegalName           string         `json:"legal_name"`            // The name as it is registered.
	Logo                *Logo          `json:"logo"`                  // What documents carry.
	PendingSteps        []Step         `json:"pending_steps"`         // What is missing before the company can issue.
	StartActivitiesDate *string        `json:"start_activities_date"` // YYYY-MM-DD.
	TaxIdentifier       string         `json:"tax_identifier"`        // CUIT, RUT: digits with the check digit.
	TaxIdentifierName   string         `json:"tax_identifier_name"`   // CUIT (Argentina) or RUT.
	Warnings            []string       `json:"warnings"`              // In the answer to its creation.
}

// Certificate: Certificate is what may be shown of a certificate; never its key.
type Certificate struct {
	Environment string `json:"environment"` // Production or Testing.
	ID          string `json:"id"`          // The record's id.
	UploadedAt  string `json:"uploaded_at"` // When it was uploaded.
	ValidFrom   string `json:"valid_from"`  // RFC 3339 in UTC.
	ValidTo     string `json:"valid_to"`    // RFC 3339 in UTC.
}

// Logo: Logo is the logo that documents carry from now on.
type Logo struct {
	Height int64  `json:"height"` // In pixels.
	SHA256 string `json:"sha256"` // Hexadecimal.
	Width  int64  `json:"width"`  // In pixels.
}

// Step: Step is something that is still missing before the company can issue.
type Step struct {
	Code    string `json:"code"`    // Stable, for machines.
	Message string `json:"message"` // What happened, for people.
}

// RegisterCompanyBody: see the operation that has it.
type RegisterCompanyBody struct {
	Country             string `json:"country,omitempty"`               // ISO 3166-1, two letters.
	IDCurrency          int64  `json:"id_currency"`                     // An id of GET /api/currencies.
	LegalName           string `json:"legal_name"`                      // The name as it is registered.
	StartActivitiesDate string `json:"start_activities_date,omitempty"` // YYYY-MM-DD.
	TaxIdentifier       string `json:"tax_identifier"`                  // CUIT, RUT: digits with the check digit.
	TaxIdentifierName   string `json:"tax_identifier_name"`             // CUIT (Argentina) or RUT.
}

// ReadCompanyQuery narrows ReadCompany; what is empty is left out.
type ReadCompanyQuery struct {
	At string `query:"at"` // As of then: a position of the log, or a time in RFC 3339.
}

// ListAccessQuery narrows ListAccess; what is empty is left out.
type ListAccessQuery struct {
	IDAccount string `query:"id_account"` // Only what this account read.
	KeyID     string `query:"key_id"`     // Only what this key read.
	Page      string `query:"page"`       // Which page, from 1.
	PerPage   string `query:"per_page"`   // How many records a page has.
}

// ListAccessAnswer: see the operation that has it.
type ListAccessAnswer struct {
	Data         []AccessLine `json:"data"`          // The records of this page.
	NextCursor   *string      `json:"next_cursor"`   // The `cursor` of the next page; null at the end, and where a list has none.
	Page         int64        `json:"page"`          // The number of the page, from 1.
	PerPage      int64        `json:"per_page"`      // How many records a page has at most.
	TotalPages   int64        `json:"total_pages"`   // How many pages there are.
	TotalResults int64        `json:"total_results"` // How many records there are.
}

// AccessLine: AccessLine is one thing that an auditor or a key that only reads has read.
type AccessLine struct {
	At        string  `json:"at"`         // When, RFC 3339 in UTC.
	Email     *string `json:"email"`      // The account's address.
	IDAccount *string `json:"id_account"` // Null: a key read.
	KeyID     *string `json:"key_id"`     // Null: an auditor read.
	Method    string  `json:"method"`     // Of the request.
	Path      string  `json:"path"`       // The field as you wrote it: items[2].taxes[0].amount.
	Query     *string `json:"query"`      // Of the request.
	RequestID string  `json:"request_id"` // X-Request-Id of the call.
}

// ListBranchesQuery narrows ListBranches; what is empty is left out.
type ListBranchesQuery struct {
	Page    string `query:"page"`     // Which page, from 1.
	PerPage string `query:"per_page"` // How many records a page has.
}

// ListBranchesAnswer: see the operation that has it.
type ListBranchesAnswer struct {
	Data         []Branch `json:"data"`          // The records of this page.
	NextCursor   *string  `json:"next_cursor"`   // The `cursor` of the next page; null at the end, and where a list has none.
	Page         int64    `json:"page"`          // The number of the page, from 1.
	PerPage      int64    `json:"per_page"`      // How many records a page has at most.
	TotalPages   int64    `json:"total_pages"`   // How many pages there are.
	TotalResults int64    `json:"total_results"` // How many records there are.
}

// SetBranchBody: see the operation that has it.
type SetBranchBody struct {
	Address             SetBranchBodyAddress `json:"address"`                         // where it is
	Branch              string               `json:"branch,omitempty"`                // The establishment's number.
	City                string               `json:"city,omitempty"`                  // As it is printed.
	Comuna              string               `json:"comuna,omitempty"`                // As SII writes it.
	Department          string               `json:"department,omitempty"`            // Of Uruguay's nineteen.
	Number              *int64               `json:"number,omitempty"`                // the supplier's number of the document
	StartActivitiesDate string               `json:"start_activities_date,omitempty"` // YYYY-MM-DD.
}

// SetBranchBodyAddress: where it is
type SetBranchBodyAddress struct {
	Address string `json:"address"`           // Street, number and town.
	Country string `json:"country,omitempty"` // ISO 3166-1, two letters.
	Phone   string `json:"phone,omitempty"`   // As it is printed.
	Region  string `json:"region,omitempty"`  // ISO 3166-2, such as AR-C.
}

// SetProfileBody: see the operation that has it.
type SetProfileBody struct {
	Acteco            string                 `json:"acteco,omitempty"`              // SII's code of the economic activity, six digits.
	Address           *SetProfileBodyAddress `json:"address,omitempty"`             // where it is
	Branch            string                 `json:"branch,omitempty"`              // The establishment's number.
	BranchCode        string                 `json:"branch_code,omitempty"`         // DGI's number of the main establishment.
	City              string                 `json:"city,omitempty"`                // As it is printed.
	Comuna            string                 `json:"comuna,omitempty"`              // As SII writes it.
	Department        string                 `json:"department,omitempty"`          // Of Uruguay's nineteen.
	Email             string                 `json:"email,omitempty"`               // The account's address.
	ExemptionNorm     string                 `json:"exemption_norm,omitempty"`      // Why the issuer is exempt.
	Giro              string                 `json:"giro,omitempty"`                // What the company does, up to 80 characters.
	GrossIncomeNumber string                 `json:"gross_income_number,omitempty"` // Ingresos brutos (Argentina).
	IVAAlDia          string                 `json:"iva_al_dia,omitempty"`          // IVA al día, as it is printed.
	ReceiptStamp      string                 `json:"receipt_stamp,omitempty"`       // What stands where receipts are confirmed.
	Resolution        string                 `json:"resolution,omitempty"`          // DGI's resolution.
	ResolutionDate    string                 `json:"resolution_date,omitempty"`     // YYYY-MM-DD.
	ResolutionNumber  string                 `json:"resolution_number,omitempty"`   // Of SII's resolution.
	SendAllTickets    string                 `json:"send_all_tickets,omitempty"`    // Whether every e-Ticket is sent, not only large ones.
	SenderRUT         string                 `json:"sender_rut,omitempty"`          // The RUT of who sends to SII.
	SiiOffice         string                 `json:"sii_office,omitempty"`          // SII's office of the company.
	SoftwareRUT       string                 `json:"software_rut,omitempty"`        // The RUT of the software's maker.
	SpecialRegime     string                 `json:"special_regime,omitempty"`      // What DGI calls it.
	TaxCondition      string                 `json:"tax_condition,omitempty"`       // One of the catalogue's conditions.
	TimeZone          string                 `json:"time_zone,omitempty"`           // IANA's name, such as America/Punta_Arenas.
	TradeName         string                 `json:"trade_name,omitempty"`          // The name on the sign.
	VerificationURL   string                 `json:"verification_url,omitempty"`    // Where buyers verify it.
}

// SetProfileBodyAddress: where it is
type SetProfileBodyAddress struct {
	Address string `json:"address,omitempty"` // Street, number and town.
	Country string `json:"country,omitempty"` // ISO 3166-1, two letters.
	Phone   string `json:"phone,omitempty"`   // As it is printed.
	Region  string `json:"region,omitempty"`  // ISO 3166-2, such as AR-C.
}

// Member: Member is another account that may do something in the company.
type Member struct {
	Email     string `json:"email"`      // The account's address.
	IDAccount string `json:"id_account"` // The account's id.
	Role      string `json:"role"`       // Owner, issuer or auditor.
	Since     string `json:"since"`      // Since when.
}

// GrantAccessBody: see the operation that has it.
type GrantAccessBody struct {
	Email string `json:"email"` // The account's address.
	Role  string `json:"role"`  // Owner, issuer or auditor.
}

// GrantAccessAnswer: see the operation that has it.
type GrantAccessAnswer struct {
	Email     string   `json:"email"`      // The account's address.
	IDAccount string   `json:"id_account"` // The account's id.
	Role      string   `json:"role"`       // Owner, issuer or auditor.
	Scopes    []string `json:"scopes"`     // What it may: read, issue, manage.
	Since     string   `json:"since"`      // Since when.
}
