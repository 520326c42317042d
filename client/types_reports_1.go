// Code generated from the OpenAPI document by apidoc/derive. DO NOT EDIT.

package client

import (
	"encoding/json"
)

// ReadProjectionQuery narrows ReadProjection; what is empty is left out.
type ReadProjectionQuery struct {
	Format  string `query:"format"`   // json (unless given) or csv.
	Order   string `query:"order"`    // asc (unless given), or desc for the last first.
	Sum     string `query:"sum"`      // Sums of these attributes, with commas between them.
	By      string `query:"by"`       // Sums for each value of these attributes, with commas between them.
	Page    string `query:"page"`     // Which page, from 1.
	PerPage string `query:"per_page"` // How many records a page has.
}

// PurchaseBookQuery narrows PurchaseBook; what is empty is left out.
type PurchaseBookQuery struct {
	Month       string `query:"month"`       // Which month, YYYY-MM.
	Environment string `query:"environment"` // production (unless given) or testing.
	Format      string `query:"format"`      // json (unless given) or csv.
	Page        string `query:"page"`        // Which page, from 1.
	PerPage     string `query:"per_page"`    // How many records a page has.
}

// PurchaseMonth: see the operation that has it.
type PurchaseMonth struct {
	Country      string         `json:"country"`       // ISO 3166-1, two letters.
	Data         []PurchaseLine `json:"data"`          // The records.
	Month        string         `json:"month"`         // YYYY-MM.
	Page         int64          `json:"page"`          // The number of the page, from 1.
	PerPage      int64          `json:"per_page"`      // How many records a page has at most.
	TotalPages   int64          `json:"total_pages"`   // How many pages there are.
	TotalResults int64          `json:"total_results"` // How many records there are.
	Totals       []PurchaseSum  `json:"totals"`        // The sums.
}

// PurchaseLine: PurchaseLine is one document of a supplier. No source tells of its taxes: they
// are unknown, which is not the same as none.
type PurchaseLine struct {
	Counted          bool         `json:"counted"`           // Whether the sums count it.
	Currency         string       `json:"currency"`          // The currency, with its rate in local currency.
	Date             string       `json:"date"`              // YYYY-MM-DD, local.
	InvoiceType      string       `json:"invoice_type"`      // One of GET /api/document-types, or the authority's code.
	Net              *json.Number `json:"net"`               // What is taxed, without the tax.
	Number           string       `json:"number"`            // The document's number; null before it has one.
	OfficialCode     int64        `json:"official_code"`     // The authority's code of the document type.
	PurchaseID       string       `json:"purchase_id"`       // The purchase's id.
	Source           string       `json:"source"`            // Json, qr or xml.
	Supplier         string       `json:"supplier"`          // Who issued it.
	SupplierDocument string       `json:"supplier_document"` // The supplier's tax identifier.
	Tax              *json.Number `json:"tax"`               // VAT.
	TaxesKnown       bool         `json:"taxes_known"`       // Whether its taxes are known.
	Total            json.Number  `json:"total"`             // What is paid.
	Verification     string       `json:"verification"`      // How far it was verified.
}

// PurchaseSum: PurchaseSum is what the counted documents in one currency come to.
type PurchaseSum struct {
	Currency  string       `json:"currency"`  // The currency, with its rate in local currency.
	Documents int64        `json:"documents"` // How many documents there are.
	Tax       *json.Number `json:"tax"`       // Unknown.
	Total     json.Number  `json:"total"`     // What is paid.
}

// ReceivablesQuery narrows Receivables; what is empty is left out.
type ReceivablesQuery struct {
	Format           string `query:"format"`            // json (unless given) or csv.
	Environment      string `query:"environment"`       // production (unless given) or testing.
	CustomerDocument string `query:"customer_document"` // Only those of this customer, however its number is punctuated.
	Currency         string `query:"currency"`          // Which currency, by ISO 4217.
	Page             string `query:"page"`              // Which page, from 1.
	PerPage          string `query:"per_page"`          // How many records a page has.
}

// PagedReceivable: Paged is the envelope of all lists.
type PagedReceivable struct {
	Data         []Receivable `json:"data"`          // The records.
	Page         int64        `json:"page"`          // The number of the page, from 1.
	PerPage      int64        `json:"per_page"`      // How many records a page has at most.
	TotalPages   int64        `json:"total_pages"`   // How many pages there are.
	TotalResults int64        `json:"total_results"` // How many records there are.
}

// Receivable: Receivable is what a customer was billed in one currency.
type Receivable struct {
	Balance     json.Number `json:"balance"`      // The total with what accepted notes added and without what they took.
	Billed      json.Number `json:"billed"`       // The sum of the invoices.
	CreditNotes int64       `json:"credit_notes"` // How many credit notes.
	Credited    json.Number `json:"credited"`     // The sum of the credit notes.
	Currency    string      `json:"currency"`     // The currency, with its rate in local currency.
	Customer    PartyRecord `json:"customer"`     // Who was billed.
	DebitNotes  int64       `json:"debit_notes"`  // How many debit notes.
	Debited     json.Number `json:"debited"`      // The sum of the debit notes.
	Documents   int64       `json:"documents"`    // How many documents there are.
	FirstDate   string      `json:"first_date"`   // The day of the first document.
	LastDate    string      `json:"last_date"`    // The day of the last document.
}

// PartyRecord: Party is the recipient; one that is not identified has no document.
type PartyRecord struct {
	Condition    string `json:"condition"`     // Towards VAT.
	Document     string `json:"document"`      // The identifier's number.
	DocumentType string `json:"document_type"` // Which kind of identifier it is, such as CUIT or RUT.
	Name         string `json:"name"`          // For people.
}

// VatBookQuery narrows VatBook; what is empty is left out.
type VatBookQuery struct {
	Month       string `query:"month"`       // Which month, YYYY-MM.
	Environment string `query:"environment"` // production (unless given) or testing.
	Format      string `query:"format"`      // json (unless given) or csv.
	Page        string `query:"page"`        // Which page, from 1.
	PerPage     string `query:"per_page"`    // How many records a page has.
}

// VatMonth: VatMonth is the answer of a month.
type VatMonth struct {
	AsOf          string    `json:"as_of"`           // AsOf is a position of the log: everything up to it is in the totals and in the documents.
	ByRate        []VatRate `json:"by_rate"`         // The taxes by type and rate.
	ByType        []VatType `json:"by_type"`         // The sums by document type.
	Consistent    bool      `json:"consistent"`      // Consistent says that the totals are those of the documents that are listed, none more and none less. While documents are accepted one of the two may have the newest of them first.
	Country       string    `json:"country"`         // ISO 3166-1, two letters.
	Currency      string    `json:"currency"`        // The currency, with its rate in local currency.
	Data          []VatLine `json:"data"`            // The records.
	Environment   string    `json:"environment"`     // Production or Testing.
	Month         string    `json:"month"`           // YYYY-MM.
	NoFiscalValue int64     `json:"no_fiscal_value"` // Of the documents.
	Page          int64     `json:"page"`            // The number of the page, from 1.
	PerPage       int64     `json:"per_page"`        // How many records a page has at most.
	TotalPages    int64     `json:"total_pages"`     // How many pages there are.
	TotalResults  int64     `json:"total_results"`   // How many records there are.
	Totals        VatSums   `json:"totals"`          // The sums.
}

// VatRate: see the operation that has it.
type VatRate struct {
	Amount           json.Number `json:"amount"`            // In the currency of the document, exact.
	BaseAmount       json.Number `json:"base_amount"`       // What the tax is a share of.
	OrganizationCode string      `json:"organization_code"` // The authority's code.
	Rate             json.Number `json:"rate"`              // In percent.
	Type             string      `json:"type"`              // One of the catalogue's codes.
}

// VatType: see the operation that has it.
type VatType struct {
	ByRate       []VatRate   `json:"by_rate"`       // The taxes by type and rate.
	Class        string      `json:"class"`         // What the document does to the sums.
	Documents    int64       `json:"documents"`     // How many documents there are.
	Exempt       json.Number `json:"exempt"`        // What is exempt.
	InvoiceType  string      `json:"invoice_type"`  // One of GET /api/document-types, or the authority's code.
	Name         string      `json:"name"`          // For people.
	Net          json.Number `json:"net"`           // What is taxed, without the tax.
	OfficialCode int64       `json:"official_code"` // The authority's code of the document type.
	Other        json.Number `json:"other"`         // Other taxes.
	Tax          json.Number `json:"tax"`           // VAT.
	Total        json.Number `json:"total"`         // What is paid.
	Untaxed      json.Number `json:"untaxed"`       // What is not subject to VAT.
}

// VatLine: VatLine is one document, with its amounts as the sums take them.
type VatLine struct {
	Authorization string      `json:"authorization"`   // The authority's code.
	ByRate        []VatRate   `json:"by_rate"`         // The taxes by type and rate.
	Class         string      `json:"class"`           // What the document does to the sums.
	Currency      string      `json:"currency"`        // The currency, with its rate in local currency.
	Date          string      `json:"date"`            // YYYY-MM-DD, local.
	ExchangeRate  json.Number `json:"exchange_rate"`   // Local currency for one unit.
	Exempt        json.Number `json:"exempt"`          // What is exempt.
	InvoiceID     string      `json:"invoice_id"`      // The id of a document of this company.
	InvoiceType   string      `json:"invoice_type"`    // One of GET /api/document-types, or the authority's code.
	Net           json.Number `json:"net"`             // What is taxed, without the tax.
	NoFiscalValue bool        `json:"no_fiscal_value"` // Whether the authority was one of trial.
	Number        string      `json:"number"`          // The document's number; null before it has one.
	OfficialCode  int64       `json:"official_code"`   // The authority's code of the document type.
	Other         json.Number `json:"other"`           // Other taxes.
	Recipient     PartyRecord `json:"recipient"`       // Who buys.
	Series        *string     `json:"series"`          // The letter of the number (Uruguay).
	Tax           json.Number `json:"tax"`             // VAT.
	Total         json.Number `json:"total"`           // What is paid.
	Untaxed       json.Number `json:"untaxed"`         // What is not subject to VAT.
}

// VatSums: VatSums are amounts in local currency; credit notes take.
type VatSums struct {
	Documents int64       `json:"documents"` // How many documents there are.
	Exempt    json.Number `json:"exempt"`    // What is exempt.
	Net       json.Number `json:"net"`       // What is taxed, without the tax.
	Other     json.Number `json:"other"`     // Other taxes.
	Tax       json.Number `json:"tax"`       // VAT.
	Total     json.Number `json:"total"`     // What is paid.
	Untaxed   json.Number `json:"untaxed"`   // What is not subject to VAT.
}

// VatBookFileQuery narrows VatBookFile; what is empty is left out.
type VatBookFileQuery struct {
	Month       string `query:"month"`       // Which month, YYYY-MM.
	Environment string `query:"environment"` // production (unless given) or testing.
}
