// Code generated from the OpenAPI document by apidoc/derive. DO NOT EDIT.

package client

import (
	"encoding/json"
)

// ListPurchasesQuery narrows ListPurchases; what is empty is left out.
type ListPurchasesQuery struct {
	DateFrom         string `query:"date_from"`         // From this day on, YYYY-MM-DD.
	DateTo           string `query:"date_to"`           // Up to this day, YYYY-MM-DD.
	SupplierDocument string `query:"supplier_document"` // Only those of this supplier.
	Page             string `query:"page"`              // Which page, from 1.
	PerPage          string `query:"per_page"`          // How many records a page has.
}

// ListPurchasesAnswer: see the operation that has it.
type ListPurchasesAnswer struct {
	Data         []Purchase `json:"data"`          // The records of this page.
	NextCursor   *string    `json:"next_cursor"`   // The `cursor` of the next page; null at the end, and where a list has none.
	Page         int64      `json:"page"`          // The number of the page, from 1.
	PerPage      int64      `json:"per_page"`      // How many records a page has at most.
	TotalPages   int64      `json:"total_pages"`   // How many pages there are.
	TotalResults int64      `json:"total_results"` // How many records there are.
}

// Purchase: Purchase is the record of a supplier's document.
type Purchase struct {
	AuthorityMessages  []Message   `json:"authority_messages"`  // What the authority said when it was asked.
	AuthorizationCode  *string     `json:"authorization_code"`  // CAE, track id or security code.
	BranchOffice       int64       `json:"branch_office"`       // Point of sale (Argentina) or branch; left out: 1.
	Currency           *string     `json:"currency"`            // ISO 4217
	Date               string      `json:"date"`                // YYYY-MM-DD, local.
	DocumentSHA256     string      `json:"document_sha256"`     // Of what was sent, hexadecimal.
	ID                 string      `json:"id"`                  // The record's id.
	IDCompany          string      `json:"id_company"`          // The company's id.
	InvoiceType        string      `json:"invoice_type"`        // One of GET /api/document-types, or the authority's code.
	Number             int64       `json:"number"`              // The document's number; null before it has one.
	OrganizationCode   int64       `json:"organization_code"`   // The authority's code.
	ReceivedAt         string      `json:"received_at"`         // When it was taken in.
	Series             *string     `json:"series"`              // The letter of the number (Uruguay).
	Source             string      `json:"source"`              // Json, qr or xml.
	Supplier           Party       `json:"supplier"`            // Who issued it.
	Total              json.Number `json:"total"`               // What is paid.
	Verification       string      `json:"verification"`        // Consistent, signature_valid, authority_confirmed or authority_refused.
	VerificationDetail string      `json:"verification_detail"` // In words.
}

// ReceivePurchaseBody: see the operation that has it.
type ReceivePurchaseBody struct {
	AuthorizationCode string                      `json:"authorization_code,omitempty"` // CAE, track id or security code.
	AuthorizationType string                      `json:"authorization_type,omitempty"` // Which kind of authorization it is.
	BranchOffice      *int64                      `json:"branch_office,omitempty"`      // Point of sale (Argentina) or branch; left out: 1.
	Currency          string                      `json:"currency,omitempty"`           // left out: the company's own currency at rate 1
	Date              string                      `json:"date,omitempty"`               // YYYY-MM-DD, local.
	InvoiceType       string                      `json:"invoice_type,omitempty"`       // One of GET /api/document-types, or the authority's code.
	Number            *int64                      `json:"number,omitempty"`             // the supplier's number of the document
	QR                string                      `json:"qr,omitempty"`                 // the text of the printed code; nothing else is sent then
	RecipientDocument string                      `json:"recipient_document,omitempty"` // Who it was issued to: the company.
	Series            string                      `json:"series,omitempty"`             // The letter of the number (Uruguay).
	Supplier          ReceivePurchaseBodySupplier `json:"supplier,omitempty"`           // Who issued it.
	Total             json.Number                 `json:"total,omitempty"`              // What is paid.
	XML               string                      `json:"xml,omitempty"`                // the signed document; nothing else is sent then
}

// ReceivePurchaseBodySupplier: Who issued it.
type ReceivePurchaseBodySupplier struct {
	Address        *ReceivePurchaseBodySupplierAddress `json:"address,omitempty"`         // where the supplier is
	DocumentNumber string                              `json:"document_number,omitempty"` // Digits; punctuation is taken and dropped.
	DocumentType   string                              `json:"document_type,omitempty"`   // Which kind of identifier it is, such as CUIT or RUT.
	LegalName      string                              `json:"legal_name,omitempty"`      // The name as it is registered.
}

// ReceivePurchaseBodySupplierAddress: where the supplier is
type ReceivePurchaseBodySupplierAddress struct {
	Address string `json:"address,omitempty"` // Street, number and town.
	Country string `json:"country,omitempty"` // ISO 3166-1, two letters.
	Phone   string `json:"phone,omitempty"`   // As it is printed.
	Region  string `json:"region,omitempty"`  // ISO 3166-2, such as AR-C.
}
