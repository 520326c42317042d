// Code generated from the OpenAPI document by apidoc/derive. DO NOT EDIT.

package client

import (
	"encoding/json"
)

// CalculateInvoiceBody: see the operation that has it.
type CalculateInvoiceBody struct {
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
	GlobalTaxes []CalculateInvoiceBodyGlobalTax `json:"global_taxes,omitempty"`
	// Local: YYYY-MM-DD, or with HH:MM:SS.
	InvoiceDate string `json:"invoice_date,omitempty"`
	// One of GET /api/document-types, or the authority's code.
	InvoiceType string `json:"invoice_type"`
	// Who issues; left out: the company.
	Issuer *CreateInvoiceBodyIssuer `json:"issuer,omitempty"`
	// The lines, 1 to 1,000.
	Items []CalculateInvoiceBodyItem `json:"items"`
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
	Totals *CalculateInvoiceBodyTotals `json:"totals,omitempty"`
}

// CalculateInvoiceBodyGlobalTax: see the operation that has it.
type CalculateInvoiceBodyGlobalTax struct {
	// In the currency of the document, exact.
	Amount json.Number `json:"amount,omitempty"`
	// What the tax is a share of.
	BaseAmount json.Number `json:"base_amount,omitempty"`
	// Free text.
	Description string `json:"description,omitempty"`
	// In percent.
	Rate json.Number `json:"rate,omitempty"`
	// One of the catalogue's codes.
	Type string `json:"type"`
}

// CalculateInvoiceBodyItem: see the operation that has it.
type CalculateInvoiceBodyItem struct {
	// Stable, for machines.
	Code *CreateInvoiceBodyItemCode `json:"code,omitempty"`
	// One of the catalogue's units.
	CodeUnitOfMeasure string `json:"code_unit_of_measure,omitempty"`
	// Free text.
	Description string `json:"description,omitempty"`
	// On the line as a whole, not on one unit.
	DiscountAmount json.Number `json:"discount_amount,omitempty"`
	// How many units.
	Quantity json.Number `json:"quantity"`
	// The taxes, each with its rate and amount.
	Taxes []CalculateInvoiceBodyItemTax `json:"taxes,omitempty"`
	// Of one unit, before taxes.
	UnitPrice json.Number `json:"unit_price"`
}

// CalculateInvoiceBodyItemTax: see the operation that has it.
type CalculateInvoiceBodyItemTax struct {
	// In the currency of the document, exact.
	Amount json.Number `json:"amount,omitempty"`
	// In percent.
	Rate json.Number `json:"rate,omitempty"`
	// One of the catalogue's codes.
	Type string `json:"type"`
}

// CalculateInvoiceBodyTotals: The sums.
type CalculateInvoiceBodyTotals struct {
	// On the document as a whole.
	Discount json.Number `json:"discount,omitempty"`
	// The sum of the lines before taxes.
	SubTotal json.Number `json:"sub_total,omitempty"`
	// The taxes, each with its rate and amount.
	Taxes []CalculateInvoiceBodyTotalsTax `json:"taxes,omitempty"`
	// What is paid.
	Total json.Number `json:"total,omitempty"`
}

// CalculateInvoiceBodyTotalsTax: see the operation that has it.
type CalculateInvoiceBodyTotalsTax struct {
	// In the currency of the document, exact.
	Amount json.Number `json:"amount,omitempty"`
	// What the tax is a share of.
	BaseAmount json.Number `json:"base_amount,omitempty"`
	// One of the catalogue's codes.
	Type string `json:"type"`
}

// Calculated are the members of a create that follow from its items, as a create takes them.
type Calculated struct {
	// The currency, with its rate in local currency.
	Currency CurrencyRecord `json:"currency"`
	// Taxes on the document as a whole, such as perceptions (Argentina).
	GlobalTaxes []GlobalTax `json:"global_taxes"`
	// One of GET /api/document-types, or the authority's code.
	InvoiceType string `json:"invoice_type"`
	// The lines, 1 to 1,000.
	Items []Item `json:"items"`
	// The sums.
	Totals Totals `json:"totals"`
}

// Validated says what a create would answer. Nothing is stored, so the record has no id.
type Validated struct {
	// As the create would answer, without an id.
	Invoice Invoice `json:"invoice"`
	// Always true: what is not valid is answered as a create would.
	Valid bool `json:"valid"`
	// Why the invoice would stay Pending for now.
	Warnings []PendingReason `json:"warnings"`
}

// ReadInvoiceQuery narrows ReadInvoice; what is empty is left out.
type ReadInvoiceQuery struct {
	// As of then: a position of the log, or a time in RFC 3339.
	At string `query:"at"`
}

// CreditNoteBody: see the operation that has it.
type CreditNoteBody struct {
	// What documents of the country say besides; see the country's page.
	AdditionalHeaderInfo map[string]any `json:"additional_header_info,omitempty"`
	// In the currency of the document, exact.
	Amount json.Number `json:"amount,omitempty"`
	// Your own name of the document; it can be searched for.
	ExternalReference string `json:"external_reference,omitempty"`
	// Local: YYYY-MM-DD, or with HH:MM:SS.
	InvoiceDate string `json:"invoice_date,omitempty"`
	// The lines, 1 to 1,000.
	Items []CreditNoteBodyItem `json:"items,omitempty"`
	// YYYY-MM-DD.
	PaymentDueDate string `json:"payment_due_date,omitempty"`
	// In words.
	Reason string `json:"reason,omitempty"`
	// Why a note corrects, by the country's codes.
	ReasonCode string `json:"reason_code,omitempty"`
}

// CreditNoteBodyItem: see the operation that has it.
type CreditNoteBodyItem struct {
	// the place of an item of the invoice, from 0 on
	Item int64 `json:"item"`
	// How many units.
	Quantity json.Number `json:"quantity,omitempty"`
}

// DownloadPDFQuery narrows DownloadPDF; what is empty is left out.
type DownloadPDFQuery struct {
	// true: also of a document that may be handed over before the authority's verdict, where the
	// operator lets that happen.
	BeforeVerdict string `query:"before_verdict"`
}

// DownloadTicketQuery narrows DownloadTicket; what is empty is left out.
type DownloadTicketQuery struct {
	// true: also of a document that may be handed over before the authority's verdict, where the
	// operator lets that happen.
	BeforeVerdict string `query:"before_verdict"`
}

// EmailInvoiceBody: see the operation that has it.
type EmailInvoiceBody struct {
	// RFC 3339; deliveries before then
	To string `json:"to"`
}

// EmailInvoiceAnswer: see the operation that has it.
type EmailInvoiceAnswer struct {
	// The record's id.
	ID string `json:"id"`
	// The id of a document of this company.
	InvoiceID string `json:"invoice_id"`
	// active, or paused where it may be
	Status string `json:"status"`
	// RFC 3339; deliveries before then
	To string `json:"to"`
}

// ListEmailsAnswer: see the operation that has it.
type ListEmailsAnswer struct {
	// The records.
	Data []Email `json:"data"`
}

// Email is what became of a message with an invoice.
type Email struct {
	// Names of what was attached.
	Files []string `json:"files"`
	// When it was Sent or has Failed.
	FinishedAt *string `json:"finished_at"`
	// The record's id.
	ID string `json:"id"`
	// Once it was sent.
	MessageID *string `json:"message_id"`
	// While it is Delayed.
	NextTry *string `json:"next_try"`
	// Of the last try that failed.
	Reason *string `json:"reason"`
	// UTC.
	RequestedAt string `json:"requested_at"`
	// Queued, Delayed, Sent or Failed.
	Status string `json:"status"`
	// The last of it.
	To string `json:"to"`
	// So far.
	Tries int64 `json:"tries"`
}

// ProcessInvoiceAnswer: see the operation that has it.
type ProcessInvoiceAnswer struct {
	// The record's id.
	ID string `json:"id"`
	// active, or paused where it may be
	Status string `json:"status"`
}
