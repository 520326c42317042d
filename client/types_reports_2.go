// Code generated from the OpenAPI document by apidoc/derive. DO NOT EDIT.

package client

import (
	"encoding/json"
)

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
