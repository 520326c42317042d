// Code generated from the OpenAPI document by apidoc/derive. DO NOT EDIT.

package client

import (
	"encoding/json"
)

// VatLine is one document, with its amounts as the sums take them.
type VatLine struct {
	// The authority's code.
	Authorization string `json:"authorization"`
	// The taxes by type and rate.
	ByRate []VatRate `json:"by_rate"`
	// What the document does to the sums.
	Class string `json:"class"`
	// The currency, with its rate in local currency.
	Currency string `json:"currency"`
	// YYYY-MM-DD, local.
	Date string `json:"date"`
	// Local currency for one unit.
	ExchangeRate json.Number `json:"exchange_rate"`
	// What is exempt.
	Exempt json.Number `json:"exempt"`
	// The id of a document of this company.
	InvoiceID string `json:"invoice_id"`
	// One of GET /api/document-types, or the authority's code.
	InvoiceType string `json:"invoice_type"`
	// What is taxed, without the tax.
	Net json.Number `json:"net"`
	// True for what an authority of trial accepted, the sandbox included.
	NoFiscalValue bool `json:"no_fiscal_value"`
	// The document's number; null before it has one.
	Number string `json:"number"`
	// The authority's code of the document type.
	OfficialCode int64 `json:"official_code"`
	// Other taxes.
	Other json.Number `json:"other"`
	// Who buys.
	Recipient PartyRecord `json:"recipient"`
	// The letter of the number (Uruguay).
	Series *string `json:"series"`
	// VAT.
	Tax json.Number `json:"tax"`
	// What is paid.
	Total json.Number `json:"total"`
	// What is not subject to VAT.
	Untaxed json.Number `json:"untaxed"`
}

// VatSums are amounts in local currency; credit notes take.
type VatSums struct {
	// How many documents there are.
	Documents int64 `json:"documents"`
	// What is exempt.
	Exempt json.Number `json:"exempt"`
	// What is taxed, without the tax.
	Net json.Number `json:"net"`
	// Other taxes.
	Other json.Number `json:"other"`
	// VAT.
	Tax json.Number `json:"tax"`
	// What is paid.
	Total json.Number `json:"total"`
	// What is not subject to VAT.
	Untaxed json.Number `json:"untaxed"`
}

// VatBookFileQuery narrows VatBookFile; what is empty is left out.
type VatBookFileQuery struct {
	// Which month, YYYY-MM.
	Month string `query:"month"`
	// production (unless given) or testing.
	Environment string `query:"environment"`
	// document (unless given), in the currency of each document, or local, in the country's.
	Amounts string `query:"amounts"`
}
