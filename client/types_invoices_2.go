// Code generated from the OpenAPI document by apidoc/derive. DO NOT EDIT.

package client

import (
	"encoding/json"
)

// CreateInvoiceBodyItemTax: see the operation that has it.
type CreateInvoiceBodyItemTax struct {
	Amount json.Number `json:"amount"` // In the currency of the document, exact.
	Rate   json.Number `json:"rate"`   // In percent.
	Type   string      `json:"type"`   // One of the catalogue's codes.
}

// CreateInvoiceBodyPaymentMethod: How the recipient pays.
type CreateInvoiceBodyPaymentMethod struct {
	Code        string `json:"code,omitempty"`        // Stable, for machines.
	Description string `json:"description,omitempty"` // Free text.
}

// CreateInvoiceBodyRecipient: Who buys.
type CreateInvoiceBodyRecipient struct {
	Address        *CreateInvoiceBodyRecipientAddress `json:"address,omitempty"`         // where the recipient is
	DocumentNumber string                             `json:"document_number,omitempty"` // Digits; punctuation is taken and dropped.
	DocumentType   string                             `json:"document_type,omitempty"`   // Which kind of identifier it is, such as CUIT or RUT.
	LegalName      string                             `json:"legal_name,omitempty"`      // The name as it is registered.
	TaxCondition   string                             `json:"tax_condition,omitempty"`   // One of the catalogue's conditions.
}

// CreateInvoiceBodyRecipientAddress: where the recipient is
type CreateInvoiceBodyRecipientAddress struct {
	Address string `json:"address,omitempty"` // Street, number and town.
	Country string `json:"country,omitempty"` // ISO 3166-1, two letters.
	Phone   string `json:"phone,omitempty"`   // As it is printed.
	Region  string `json:"region,omitempty"`  // ISO 3166-2, such as AR-C.
}

// CreateInvoiceBodyTotals: The sums.
type CreateInvoiceBodyTotals struct {
	Discount json.Number                  `json:"discount,omitempty"` // On the document as a whole.
	SubTotal json.Number                  `json:"sub_total"`          // The sum of the lines before taxes.
	Taxes    []CreateInvoiceBodyTotalsTax `json:"taxes,omitempty"`    // The taxes, each with its rate and amount.
	Total    json.Number                  `json:"total"`              // What is paid.
}

// CreateInvoiceBodyTotalsTax: see the operation that has it.
type CreateInvoiceBodyTotalsTax struct {
	Amount     json.Number `json:"amount"`      // In the currency of the document, exact.
	BaseAmount json.Number `json:"base_amount"` // What the tax is a share of.
	Type       string      `json:"type"`        // One of the catalogue's codes.
}

// CalculateInvoiceBody: see the operation that has it.
type CalculateInvoiceBody struct {
	AdditionalExportInfo map[string]any                      `json:"additional_export_info,omitempty"` // What export documents of the country say besides.
	AdditionalHeaderInfo map[string]any                      `json:"additional_header_info,omitempty"` // What documents of the country say besides; see the country's page.
	BillingReference     []CreateInvoiceBodyBillingReference `json:"billing_reference,omitempty"`      // The documents or the period that a note corrects.
	BranchOffice         *int64                              `json:"branch_office,omitempty"`          // Point of sale (Argentina) or branch; left out: 1.
	Concept              string                              `json:"concept,omitempty"`                // 1 products, 2 services, 3 both.
	Currency             *CreateInvoiceBodyCurrency          `json:"currency,omitempty"`               // left out: the company's own currency at rate 1
	ExternalReference    string                              `json:"external_reference,omitempty"`     // Your own name of the document; it can be searched for.
	GlobalTaxes          []CalculateInvoiceBodyGlobalTax     `json:"global_taxes,omitempty"`           // Taxes on the document as a whole, such as perceptions (Argentina).
	InvoiceDate          string                              `json:"invoice_date,omitempty"`           // Local: YYYY-MM-DD, or with HH:MM:SS.
	InvoiceType          string                              `json:"invoice_type"`                     // One of GET /api/document-types, or the authority's code.
	Issuer               *CreateInvoiceBodyIssuer            `json:"issuer,omitempty"`                 // Who issues; left out: the company.
	Items                []CalculateInvoiceBodyItem          `json:"items"`                            // The lines, 1 to 1,000.
	Observations         string                              `json:"observations,omitempty"`           // Free text, printed.
	PaymentDueDate       string                              `json:"payment_due_date,omitempty"`       // YYYY-MM-DD.
	PaymentMethod        *CreateInvoiceBodyPaymentMethod     `json:"payment_method,omitempty"`         // How the recipient pays.
	Recipient            *CreateInvoiceBodyRecipient         `json:"recipient,omitempty"`              // Who buys.
	ServiceEndDate       string                              `json:"service_end_date,omitempty"`       // The last day of the service.
	ServiceStartDate     string                              `json:"service_start_date,omitempty"`     // The first day of the service.
	Totals               *CalculateInvoiceBodyTotals         `json:"totals,omitempty"`                 // The sums.
}

// CalculateInvoiceBodyGlobalTax: see the operation that has it.
type CalculateInvoiceBodyGlobalTax struct {
	Amount      json.Number `json:"amount,omitempty"`      // In the currency of the document, exact.
	BaseAmount  json.Number `json:"base_amount,omitempty"` // What the tax is a share of.
	Description string      `json:"description,omitempty"` // Free text.
	Rate        json.Number `json:"rate,omitempty"`        // In percent.
	Type        string      `json:"type"`                  // One of the catalogue's codes.
}

// CalculateInvoiceBodyItem: see the operation that has it.
type CalculateInvoiceBodyItem struct {
	Code              *CreateInvoiceBodyItemCode    `json:"code,omitempty"`                 // Stable, for machines.
	CodeUnitOfMeasure string                        `json:"code_unit_of_measure,omitempty"` // One of the catalogue's units.
	Description       string                        `json:"description,omitempty"`          // Free text.
	DiscountAmount    json.Number                   `json:"discount_amount,omitempty"`      // On the line as a whole, not on one unit.
	Quantity          json.Number                   `json:"quantity"`                       // How many units.
	Taxes             []CalculateInvoiceBodyItemTax `json:"taxes,omitempty"`                // The taxes, each with its rate and amount.
	UnitPrice         json.Number                   `json:"unit_price"`                     // Of one unit, before taxes.
}

// CalculateInvoiceBodyItemTax: see the operation that has it.
type CalculateInvoiceBodyItemTax struct {
	Amount json.Number `json:"amount,omitempty"` // In the currency of the document, exact.
	Rate   json.Number `json:"rate,omitempty"`   // In percent.
	Type   string      `json:"type"`             // One of the catalogue's codes.
}

// CalculateInvoiceBodyTotals: The sums.
type CalculateInvoiceBodyTotals struct {
	Discount json.Number                     `json:"discount,omitempty"`  // On the document as a whole.
	SubTotal json.Number                     `json:"sub_total,omitempty"` // The sum of the lines before taxes.
	Taxes    []CalculateInvoiceBodyTotalsTax `json:"taxes,omitempty"`     // The taxes, each with its rate and amount.
	Total    json.Number                     `json:"total,omitempty"`     // What is paid.
}

// CalculateInvoiceBodyTotalsTax: see the operation that has it.
type CalculateInvoiceBodyTotalsTax struct {
	Amount     json.Number `json:"amount,omitempty"`      // In the currency of the document, exact.
	BaseAmount json.Number `json:"base_amount,omitempty"` // What the tax is a share of.
	Type       string      `json:"type"`                  // One of the catalogue's codes.
}

// Calculated: Calculated are the members of a create that follow from its items, as a create
// takes them.
type Calculated struct {
	Currency    CurrencyRecord `json:"currency"`     // The currency, with its rate in local currency.
	GlobalTaxes []GlobalTax    `json:"global_taxes"` // Taxes on the document as a whole, such as perceptions (Argentina).
	InvoiceType string         `json:"invoice_type"` // One of GET /api/document-types, or the authority's code.
	Items       []Item         `json:"items"`        // The lines, 1 to 1,000.
	Totals      Totals         `json:"totals"`       // The sums.
}

// Validated: Validated says what a create would answer. Nothing is stored, so the record has no
// id.
type Validated struct {
	Invoice  Invoice         `json:"invoice"`  // As the create would answer, without an id.
	Valid    bool            `json:"valid"`    // Always true: what is not valid is answered as a create would.
	Warnings []PendingReason `json:"warnings"` // Why the invoice would stay Pending for now.
}

// ReadInvoiceQuery narrows ReadInvoice; what is empty is left out.
type ReadInvoiceQuery struct {
	At string `query:"at"` // As of then: a position of the log, or a time in RFC 3339.
}

// CreditNoteBody: see the operation that has it.
type CreditNoteBody struct {
	AdditionalHeaderInfo map[string]any       `json:"additional_header_info,omitempty"` // What documents of the country say besides; see the country's page.
	Amount               json.Number          `json:"amount,omitempty"`                 // In the currency of the document, exact.
	ExternalReference    string               `json:"external_reference,omitempty"`     // Your own name of the document; it can be searched for.
	InvoiceDate          string               `json:"invoice_date,omitempty"`           // Local: YYYY-MM-DD, or with HH:MM:SS.
	Items                []CreditNoteBodyItem `json:"items,omitempty"`                  // The lines, 1 to 1,000.
	PaymentDueDate       string               `json:"payment_due_date,omitempty"`       // YYYY-MM-DD.
	Reason               string               `json:"reason,omitempty"`                 // In words.
	ReasonCode           string               `json:"reason_code,omitempty"`            // Why a note corrects, by the country's codes.
}

// CreditNoteBodyItem: see the operation that has it.
type CreditNoteBodyItem struct {
	Item     int64       `json:"item"`               // the place of an item of the invoice, from 0 on
	Quantity json.Number `json:"quantity,omitempty"` // How many units.
}

// ProcessInvoiceAnswer: see the operation that has it.
type ProcessInvoiceAnswer struct {
	ID     string `json:"id"`     // The record's id.
	Status string `json:"status"` // active, or paused where it may be
}
