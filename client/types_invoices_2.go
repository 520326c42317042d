// Code generated from the OpenAPI document by apidoc/derive. DO NOT EDIT.

package client

import (
	"encoding/json"
)

// Note is a note that corrects the invoice. One that the authority has not answered keeps its
// amount from other notes; one that is Accepted counts.
type Note struct {
	// Below 0: the invoice has so much more.
	Amount json.Number `json:"amount"`
	// Unsure is what an old note that names several documents may have taken besides.
	AtMost *json.Number `json:"at_most"`
	// Of an accepted note.
	Date *string `json:"date"`
	// The id of a document of this company.
	InvoiceID string `json:"invoice_id"`
	// Empty for one that an old version counted.
	InvoiceType string `json:"invoice_type"`
	// Reserved or Accepted.
	Status string `json:"status"`
}

// PaymentMethod is how the recipient pays.
type PaymentMethod struct {
	// Stable, for machines.
	Code string `json:"code"`
	// Free text.
	Description string `json:"description"`
}

// TaxInformation tells which conditions and rates were applied.
type TaxInformation struct {
	// As the authority is told.
	IssuerCondition *string `json:"issuer_condition"`
	// The rates that were applied.
	Rates []AppliedRate `json:"rates"`
	// As the authority is told.
	RecipientCondition *string `json:"recipient_condition"`
	// False: Folio's default for the class.
	RecipientConditionGiven bool `json:"recipient_condition_given"`
	// The authority's number of it.
	RecipientConditionID *int64 `json:"recipient_condition_id"`
}

// AppliedRate is one rate as the authority is told.
type AppliedRate struct {
	// In the currency of the document, exact.
	Amount json.Number `json:"amount"`
	// What the tax is a share of.
	BaseAmount json.Number `json:"base_amount"`
	// The authority's code.
	OrganizationCode string `json:"organization_code"`
	// In percent.
	Rate json.Number `json:"rate"`
	// One of the catalogue's codes.
	Type string `json:"type"`
}

// Totals are the sums of the document.
type Totals struct {
	// On the document as a whole.
	Discount json.Number `json:"discount"`
	// The sum of the lines before taxes.
	SubTotal json.Number `json:"sub_total"`
	// The taxes, each with its rate and amount.
	Taxes []TotalTax `json:"taxes"`
	// What is paid.
	Total json.Number `json:"total"`
}

// TotalTax is the sum of one kind of tax.
type TotalTax struct {
	// In the currency of the document, exact.
	Amount json.Number `json:"amount"`
	// What the tax is a share of.
	BaseAmount json.Number `json:"base_amount"`
	// One of the catalogue's codes.
	Type string `json:"type"`
}

// CreateInvoiceBody: see the operation that has it.
type CreateInvoiceBody struct {
	// What export documents of the country say besides.
	AdditionalExportInfo map[string]any `json:"additional_export_info,omitempty"`
	// What documents of the country say besides; see the country's page.
	AdditionalHeaderInfo map[string]any `json:"additional_header_info,omitempty"`
	// The documents or the period that a note corrects.
	BillingReference []CreateInvoiceBodyBillingReference `json:"billing_reference,omitempty"`
	// Point of sale (Argentina) or branch; left out: 1.
	BranchOffice *int64 `json:"branch_office,omitempty"`
	// 1 products, 2 services, 3 both.
	Concept string `json:"concept,omitempty"`
	// left out: the company's own currency at rate 1
	Currency *CreateInvoiceBodyCurrency `json:"currency,omitempty"`
	// Your own name of the document; it can be searched for.
	ExternalReference string `json:"external_reference,omitempty"`
	// Taxes on the document as a whole, such as perceptions (Argentina).
	GlobalTaxes []CreateInvoiceBodyGlobalTax `json:"global_taxes,omitempty"`
	// Local: YYYY-MM-DD, or with HH:MM:SS.
	InvoiceDate string `json:"invoice_date"`
	// One of GET /api/document-types, or the authority's code.
	InvoiceType string `json:"invoice_type"`
	// Who issues; left out: the company.
	Issuer *CreateInvoiceBodyIssuer `json:"issuer,omitempty"`
	// The lines, 1 to 1,000.
	Items []CreateInvoiceBodyItem `json:"items"`
	// Free text, printed.
	Observations string `json:"observations,omitempty"`
	// YYYY-MM-DD.
	PaymentDueDate string `json:"payment_due_date,omitempty"`
	// How the recipient pays.
	PaymentMethod *CreateInvoiceBodyPaymentMethod `json:"payment_method,omitempty"`
	// Who buys.
	Recipient *CreateInvoiceBodyRecipient `json:"recipient,omitempty"`
	// The last day of the service.
	ServiceEndDate string `json:"service_end_date,omitempty"`
	// The first day of the service.
	ServiceStartDate string `json:"service_start_date,omitempty"`
	// The sums.
	Totals CreateInvoiceBodyTotals `json:"totals"`
}

// CreateInvoiceBodyBillingReference: see the operation that has it.
type CreateInvoiceBodyBillingReference struct {
	// In the currency of the document, exact.
	Amount json.Number `json:"amount,omitempty"`
	// Point of sale (Argentina) or branch; left out: 1.
	BranchOffice *int64 `json:"branch_office,omitempty"`
	// The currency, with its rate in local currency.
	Currency *CreateInvoiceBodyBillingReferenceCurrency `json:"currency,omitempty"`
	// YYYY-MM-DD, local.
	Date string `json:"date,omitempty"`
	// Digits; punctuation is taken and dropped.
	DocumentNumber string `json:"document_number,omitempty"`
	// The id of a document of this company.
	InvoiceID string `json:"invoice_id,omitempty"`
	// the number of the document that is named
	Number string `json:"number,omitempty"`
	// The first day of the period that a note corrects.
	PeriodFrom string `json:"period_from,omitempty"`
	// Its last day.
	PeriodTo string `json:"period_to,omitempty"`
	// Why a note corrects, by the country's codes.
	ReasonCode string `json:"reason_code,omitempty"`
	// The letter of the number (Uruguay).
	Series string `json:"series,omitempty"`
	// the document type that is named
	Type string `json:"type,omitempty"`
}

// CreateInvoiceBodyBillingReferenceCurrency: The currency, with its rate in local currency.
type CreateInvoiceBodyBillingReferenceCurrency struct {
	// ISO 4217, or the authority's code
	Code string `json:"code"`
	// Local currency for one unit.
	ExchangeRate json.Number `json:"exchange_rate,omitempty"`
}

// CreateInvoiceBodyCurrency: left out: the company's own currency at rate 1
type CreateInvoiceBodyCurrency struct {
	// ISO 4217, or the authority's code; left out: the company's own currency
	Code string `json:"code,omitempty"`
	// Local currency for one unit.
	ExchangeRate json.Number `json:"exchange_rate,omitempty"`
}

// CreateInvoiceBodyGlobalTax: see the operation that has it.
type CreateInvoiceBodyGlobalTax struct {
	// In the currency of the document, exact.
	Amount json.Number `json:"amount"`
	// What the tax is a share of.
	BaseAmount json.Number `json:"base_amount"`
	// Free text.
	Description string `json:"description,omitempty"`
	// In percent.
	Rate json.Number `json:"rate,omitempty"`
	// One of the catalogue's codes.
	Type string `json:"type"`
}

// CreateInvoiceBodyIssuer: Who issues; left out: the company.
type CreateInvoiceBodyIssuer struct {
	// what is printed and signed; left out: the branch's or the profile's
	Address *CreateInvoiceBodyIssuerAddress `json:"address,omitempty"`
	// The establishment's number.
	Branch *int64 `json:"branch,omitempty"`
	// Digits; punctuation is taken and dropped.
	DocumentNumber string `json:"document_number,omitempty"`
	// Which kind of identifier it is, such as CUIT or RUT.
	DocumentType string `json:"document_type,omitempty"`
	// The name as it is registered.
	LegalName string `json:"legal_name,omitempty"`
}

// CreateInvoiceBodyIssuerAddress: what is printed and signed; left out: the branch's or the
// profile's
type CreateInvoiceBodyIssuerAddress struct {
	// Street, number and town.
	Address string `json:"address,omitempty"`
	// ISO 3166-1, two letters.
	Country string `json:"country,omitempty"`
	// As it is printed.
	Phone string `json:"phone,omitempty"`
	// ISO 3166-2, such as AR-C.
	Region string `json:"region,omitempty"`
}

// CreateInvoiceBodyItem: see the operation that has it.
type CreateInvoiceBodyItem struct {
	// Stable, for machines.
	Code *CreateInvoiceBodyItemCode `json:"code,omitempty"`
	// One of the catalogue's units.
	CodeUnitOfMeasure string `json:"code_unit_of_measure,omitempty"`
	// Free text.
	Description string `json:"description"`
	// On the line as a whole, not on one unit.
	DiscountAmount json.Number `json:"discount_amount,omitempty"`
	// How many units.
	Quantity json.Number `json:"quantity"`
	// The taxes, each with its rate and amount.
	Taxes []CreateInvoiceBodyItemTax `json:"taxes,omitempty"`
	// Of one unit, before taxes.
	UnitPrice json.Number `json:"unit_price"`
}

// CreateInvoiceBodyItemCode: Stable, for machines.
type CreateInvoiceBodyItemCode struct {
	// One of the catalogue's codes.
	Type string `json:"type"`
	// The code itself.
	Value string `json:"value"`
}

// CreateInvoiceBodyItemTax: see the operation that has it.
type CreateInvoiceBodyItemTax struct {
	// In the currency of the document, exact.
	Amount json.Number `json:"amount"`
	// In percent.
	Rate json.Number `json:"rate"`
	// One of the catalogue's codes.
	Type string `json:"type"`
}

// CreateInvoiceBodyPaymentMethod: How the recipient pays.
type CreateInvoiceBodyPaymentMethod struct {
	// Stable, for machines.
	Code string `json:"code,omitempty"`
	// Free text.
	Description string `json:"description,omitempty"`
}

// CreateInvoiceBodyRecipient: Who buys.
type CreateInvoiceBodyRecipient struct {
	// where the recipient is
	Address *CreateInvoiceBodyRecipientAddress `json:"address,omitempty"`
	// Digits; punctuation is taken and dropped.
	DocumentNumber string `json:"document_number,omitempty"`
	// Which kind of identifier it is, such as CUIT or RUT.
	DocumentType string `json:"document_type,omitempty"`
	// The name as it is registered.
	LegalName string `json:"legal_name,omitempty"`
	// One of the catalogue's conditions.
	TaxCondition string `json:"tax_condition,omitempty"`
}

// CreateInvoiceBodyRecipientAddress: where the recipient is
type CreateInvoiceBodyRecipientAddress struct {
	// Street, number and town.
	Address string `json:"address,omitempty"`
	// ISO 3166-1, two letters.
	Country string `json:"country,omitempty"`
	// As it is printed.
	Phone string `json:"phone,omitempty"`
	// ISO 3166-2, such as AR-C.
	Region string `json:"region,omitempty"`
}

// CreateInvoiceBodyTotals: The sums.
type CreateInvoiceBodyTotals struct {
	// On the document as a whole.
	Discount json.Number `json:"discount,omitempty"`
	// The sum of the lines before taxes.
	SubTotal json.Number `json:"sub_total"`
	// The taxes, each with its rate and amount.
	Taxes []CreateInvoiceBodyTotalsTax `json:"taxes,omitempty"`
	// What is paid.
	Total json.Number `json:"total"`
}

// CreateInvoiceBodyTotalsTax: see the operation that has it.
type CreateInvoiceBodyTotalsTax struct {
	// In the currency of the document, exact.
	Amount json.Number `json:"amount"`
	// What the tax is a share of.
	BaseAmount json.Number `json:"base_amount"`
	// One of the catalogue's codes.
	Type string `json:"type"`
}
