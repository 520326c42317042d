// Code generated from the OpenAPI document by apidoc/derive. DO NOT EDIT.

package client

import (
	"encoding/json"
)

// ReadProjectionQuery narrows ReadProjection; what is empty is left out.
type ReadProjectionQuery struct {
	// json (unless given) or csv.
	Format string `query:"format"`
	// asc (unless given), or desc for the last first.
	Order string `query:"order"`
	// Sums of these attributes, with commas between them.
	Sum string `query:"sum"`
	// Sums for each value of these attributes, with commas between them.
	By string `query:"by"`
	// Which page, from 1.
	Page string `query:"page"`
	// How many records a page has.
	PerPage string `query:"per_page"`
}

// PurchaseBookQuery narrows PurchaseBook; what is empty is left out.
type PurchaseBookQuery struct {
	// Which month, YYYY-MM.
	Month string `query:"month"`
	// production (unless given) or testing.
	Environment string `query:"environment"`
	// json (unless given) or csv.
	Format string `query:"format"`
	// Which page, from 1.
	Page string `query:"page"`
	// How many records a page has.
	PerPage string `query:"per_page"`
}

// PurchaseMonth: see the operation that has it.
type PurchaseMonth struct {
	// ISO 3166-1, two letters.
	Country string `json:"country"`
	// The records.
	Data []PurchaseLine `json:"data"`
	// YYYY-MM.
	Month string `json:"month"`
	// The number of the page, from 1.
	Page int64 `json:"page"`
	// How many records a page has at most.
	PerPage int64 `json:"per_page"`
	// How many pages there are.
	TotalPages int64 `json:"total_pages"`
	// How many records there are.
	TotalResults int64 `json:"total_results"`
	// The sums.
	Totals []PurchaseSum `json:"totals"`
}

// PurchaseLine is one document of a supplier. Its taxes are known from signed XML only:
// elsewhere they are unknown, which is not the same as none.
type PurchaseLine struct {
	// Whether the sums count it.
	Counted bool `json:"counted"`
	// The currency, with its rate in local currency.
	Currency string `json:"currency"`
	// YYYY-MM-DD, local.
	Date string `json:"date"`
	// One of GET /api/document-types, or the authority's code.
	InvoiceType string `json:"invoice_type"`
	// What is taxed, without the tax.
	Net *json.Number `json:"net"`
	// The document's number; null before it has one.
	Number string `json:"number"`
	// The authority's code of the document type.
	OfficialCode int64 `json:"official_code"`
	// The purchase's id.
	PurchaseID string `json:"purchase_id"`
	// Json, qr or xml.
	Source string `json:"source"`
	// Who issued it.
	Supplier string `json:"supplier"`
	// The supplier's tax identifier.
	SupplierDocument string `json:"supplier_document"`
	// VAT.
	Tax *json.Number `json:"tax"`
	// Whether its taxes are known.
	TaxesKnown bool `json:"taxes_known"`
	// What is paid.
	Total json.Number `json:"total"`
	// How far it was verified.
	Verification string `json:"verification"`
}

// PurchaseSum is what the counted documents in one currency come to.
type PurchaseSum struct {
	// The currency, with its rate in local currency.
	Currency string `json:"currency"`
	// How many documents there are.
	Documents int64 `json:"documents"`
	// Null while that of one of them is unknown.
	Tax *json.Number `json:"tax"`
	// What is paid.
	Total json.Number `json:"total"`
}

// ReceivablesQuery narrows Receivables; what is empty is left out.
type ReceivablesQuery struct {
	// json (unless given) or csv.
	Format string `query:"format"`
	// production (unless given) or testing.
	Environment string `query:"environment"`
	// Only those of this customer, however its number is punctuated.
	CustomerDocument string `query:"customer_document"`
	// Which currency, by ISO 4217.
	Currency string `query:"currency"`
	// Which page, from 1.
	Page string `query:"page"`
	// How many records a page has.
	PerPage string `query:"per_page"`
}

// PagedReceivable: Paged is the envelope of all lists.
type PagedReceivable struct {
	// The records.
	Data []Receivable `json:"data"`
	// The number of the page, from 1.
	Page int64 `json:"page"`
	// How many records a page has at most.
	PerPage int64 `json:"per_page"`
	// How many pages there are.
	TotalPages int64 `json:"total_pages"`
	// How many records there are.
	TotalResults int64 `json:"total_results"`
}

// Receivable is what a customer was billed in one currency.
type Receivable struct {
	// The total with what accepted notes added and without what they took.
	Balance json.Number `json:"balance"`
	// The sum of the invoices.
	Billed json.Number `json:"billed"`
	// How many credit notes.
	CreditNotes int64 `json:"credit_notes"`
	// The sum of the credit notes.
	Credited json.Number `json:"credited"`
	// The currency, with its rate in local currency.
	Currency string `json:"currency"`
	// Who was billed.
	Customer PartyRecord `json:"customer"`
	// How many debit notes.
	DebitNotes int64 `json:"debit_notes"`
	// The sum of the debit notes.
	Debited json.Number `json:"debited"`
	// How many documents there are.
	Documents int64 `json:"documents"`
	// The day of the first document.
	FirstDate string `json:"first_date"`
	// The day of the last document.
	LastDate string `json:"last_date"`
	// how many of the documents and notes an authority of trial accepted
	NoFiscalValue int64 `json:"no_fiscal_value"`
}

// PartyRecord: Party is the recipient; one that is not identified has no document.
type PartyRecord struct {
	// Towards VAT.
	Condition string `json:"condition"`
	// The identifier's number.
	Document string `json:"document"`
	// Which kind of identifier it is, such as CUIT or RUT.
	DocumentType string `json:"document_type"`
	// For people.
	Name string `json:"name"`
}

// VatBookQuery narrows VatBook; what is empty is left out.
type VatBookQuery struct {
	// Which month, YYYY-MM.
	Month string `query:"month"`
	// production (unless given) or testing.
	Environment string `query:"environment"`
	// json (unless given) or csv.
	Format string `query:"format"`
	// Which page, from 1.
	Page string `query:"page"`
	// How many records a page has.
	PerPage string `query:"per_page"`
}

// VatMonth is the answer of a month.
type VatMonth struct {
	// AsOf is a position of the log: everything up to it is in the totals and in the documents.
	AsOf string `json:"as_of"`
	// The taxes by type and rate.
	ByRate []VatRate `json:"by_rate"`
	// The sums by document type.
	ByType []VatType `json:"by_type"`
	// Consistent says that the totals are those of the documents that are listed, none more and
	// none less. While documents are accepted one of the two may have the newest of them first.
	Consistent bool `json:"consistent"`
	// ISO 3166-1, two letters.
	Country string `json:"country"`
	// The currency, with its rate in local currency.
	Currency string `json:"currency"`
	// The records.
	Data []VatLine `json:"data"`
	// Production or Testing.
	Environment string `json:"environment"`
	// YYYY-MM.
	Month string `json:"month"`
	// how many of the documents an authority of trial accepted
	NoFiscalValue int64 `json:"no_fiscal_value"`
	// The number of the page, from 1.
	Page int64 `json:"page"`
	// How many records a page has at most.
	PerPage int64 `json:"per_page"`
	// How many pages there are.
	TotalPages int64 `json:"total_pages"`
	// How many records there are.
	TotalResults int64 `json:"total_results"`
	// The sums.
	Totals VatSums `json:"totals"`
}

// VatRate: see the operation that has it.
type VatRate struct {
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

// VatType: see the operation that has it.
type VatType struct {
	// The taxes by type and rate.
	ByRate []VatRate `json:"by_rate"`
	// What the document does to the sums.
	Class string `json:"class"`
	// How many documents there are.
	Documents int64 `json:"documents"`
	// What is exempt.
	Exempt json.Number `json:"exempt"`
	// One of GET /api/document-types, or the authority's code.
	InvoiceType string `json:"invoice_type"`
	// For people.
	Name string `json:"name"`
	// What is taxed, without the tax.
	Net json.Number `json:"net"`
	// The authority's code of the document type.
	OfficialCode int64 `json:"official_code"`
	// Other taxes.
	Other json.Number `json:"other"`
	// VAT.
	Tax json.Number `json:"tax"`
	// What is paid.
	Total json.Number `json:"total"`
	// What is not subject to VAT.
	Untaxed json.Number `json:"untaxed"`
}
