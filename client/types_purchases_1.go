// Code generated from the OpenAPI document by apidoc/derive. DO NOT EDIT.

package client

import (
	"encoding/json"
)

// ListPurchasesQuery narrows ListPurchases; what is empty is left out.
type ListPurchasesQuery struct {
	// From this day on, YYYY-MM-DD.
	DateFrom string `query:"date_from"`
	// Up to this day, YYYY-MM-DD.
	DateTo string `query:"date_to"`
	// Only those of this supplier.
	SupplierDocument string `query:"supplier_document"`
	// Which page, from 1.
	Page string `query:"page"`
	// How many records a page has.
	PerPage string `query:"per_page"`
}

// ListPurchasesAnswer: see the operation that has it.
type ListPurchasesAnswer struct {
	// The records of this page.
	Data []Purchase `json:"data"`
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

// Purchase is the record of a supplier's document.
type Purchase struct {
	// What the authority said when it was asked.
	AuthorityMessages []Message `json:"authority_messages"`
	// CAE, track id or security code.
	AuthorizationCode *string `json:"authorization_code"`
	// Point of sale (Argentina) or branch; left out: 1.
	BranchOffice int64 `json:"branch_office"`
	// ISO 4217
	Currency *string `json:"currency"`
	// YYYY-MM-DD, local.
	Date string `json:"date"`
	// Of what was sent, hexadecimal.
	DocumentSHA256 string `json:"document_sha256"`
	// The record's id.
	ID string `json:"id"`
	// The company's id.
	IDCompany string `json:"id_company"`
	// One of GET /api/document-types, or the authority's code.
	InvoiceType string `json:"invoice_type"`
	// The document's number; null before it has one.
	Number int64 `json:"number"`
	// The authority's code.
	OrganizationCode int64 `json:"organization_code"`
	// When it was taken in.
	ReceivedAt string `json:"received_at"`
	// The letter of the number (Uruguay).
	Series *string `json:"series"`
	// Json, qr or xml.
	Source string `json:"source"`
	// Who issued it.
	Supplier Party `json:"supplier"`
	// What is paid.
	Total json.Number `json:"total"`
	// Consistent, signature_valid, authority_confirmed or authority_refused.
	Verification string `json:"verification"`
	// In words.
	VerificationDetail string `json:"verification_detail"`
}

// ReceivePurchaseBody: see the operation that has it.
type ReceivePurchaseBody struct {
	// CAE, track id or security code.
	AuthorizationCode string `json:"authorization_code,omitempty"`
	// Which kind of authorization it is.
	AuthorizationType string `json:"authorization_type,omitempty"`
	// Point of sale (Argentina) or branch; left out: 1.
	BranchOffice *int64 `json:"branch_office,omitempty"`
	// left out: the company's own currency at rate 1
	Currency string `json:"currency,omitempty"`
	// YYYY-MM-DD, local.
	Date string `json:"date,omitempty"`
	// One of GET /api/document-types, or the authority's code.
	InvoiceType string `json:"invoice_type,omitempty"`
	// the supplier's number of the document
	Number *int64 `json:"number,omitempty"`
	// the text of the printed code; nothing else is sent then
	QR string `json:"qr,omitempty"`
	// Who it was issued to: the company.
	RecipientDocument string `json:"recipient_document,omitempty"`
	// The letter of the number (Uruguay).
	Series string `json:"series,omitempty"`
	// Who issued it.
	Supplier ReceivePurchaseBodySupplier `json:"supplier,omitempty"`
	// What is paid.
	Total json.Number `json:"total,omitempty"`
	// the signed document; nothing else is sent then
	XML string `json:"xml,omitempty"`
}

// ReceivePurchaseBodySupplier: Who issued it.
type ReceivePurchaseBodySupplier struct {
	// where the supplier is
	Address *ReceivePurchaseBodySupplierAddress `json:"address,omitempty"`
	// Digits; punctuation is taken and dropped.
	DocumentNumber string `json:"document_number,omitempty"`
	// Which kind of identifier it is, such as CUIT or RUT.
	DocumentType string `json:"document_type,omitempty"`
	// The name as it is registered.
	LegalName string `json:"legal_name,omitempty"`
}

// ReceivePurchaseBodySupplierAddress: where the supplier is
type ReceivePurchaseBodySupplierAddress struct {
	// Street, number and town.
	Address string `json:"address,omitempty"`
	// ISO 3166-1, two letters.
	Country string `json:"country,omitempty"`
	// As it is printed.
	Phone string `json:"phone,omitempty"`
	// ISO 3166-2, such as AR-C.
	Region string `json:"region,omitempty"`
}
