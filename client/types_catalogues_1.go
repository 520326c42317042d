// Code generated from the OpenAPI document by apidoc/derive. DO NOT EDIT.

package client

import (
	"encoding/json"
)

// AuthoritiesAnswer tells how all of them were seen, and what the companies of an account meet
// of them.
type AuthoritiesAnswer struct {
	// The records.
	Data []AuthorityRecord `json:"data"`
	// Outages that are open for companies of the account that asks, 50 at most; absent while none
	// is, and for a key.
	Outages []CompanyOutage `json:"outages"`
	// How many are open for them; absent while none is, and for a key.
	OutagesOpen int64 `json:"outages_open"`
}

// AuthorityRecord is how an authority was last seen by anybody, and whether it counts as away
// for the company of the key that asks: then it is not up, whatever others hear of it.
type AuthorityRecord struct {
	// ARCA, SII or DGI, by the name of its driver.
	Authority string `json:"authority"`
	// Production or Testing.
	Environment string `json:"environment"`
	// What went wrong, empty for nothing.
	Fault string `json:"fault"`
	// When it last did not answer.
	LastFailure *string `json:"last_failure"`
	// When it last answered.
	LastSuccess *string `json:"last_success"`
	// When it goes on by itself; null: with an event.
	NextTry *string `json:"next_try"`
	// Outage is open for the company of the key that asks; absent while none is.
	Outage *OpenOutage `json:"outage"`
	// Since when.
	Since string `json:"since"`
	// It has answered, and did when it was last asked.
	Up bool `json:"up"`
}

// CompanyOutage is an outage that is open for one of the companies of an account.
type CompanyOutage struct {
	// ARCA, SII or DGI, by the name of its driver.
	Authority string `json:"authority"`
	// Calls or operator.
	Cause string `json:"cause"`
	// Production or Testing.
	Environment string `json:"environment"`
	// The record's id.
	ID string `json:"id"`
	// The company's id.
	IDCompany string `json:"id_company"`
	// The name as it is registered.
	LegalName string `json:"legal_name"`
	// RFC 3339, UTC.
	Since string `json:"since"`
}

// OfficialRateQuery narrows OfficialRate; what is empty is left out.
type OfficialRateQuery struct {
	// Which currency, by ISO 4217.
	Currency string `query:"currency"`
	// Of a document of this day; today unless given.
	Date string `query:"date"`
}

// OfficialRateAnswer: see the operation that has it.
type OfficialRateAnswer struct {
	// left out: the company's own currency at rate 1
	Currency string `json:"currency"`
	// YYYY-MM-DD, local.
	Date string `json:"date"`
	// Local currency for one unit.
	ExchangeRate json.Number `json:"exchange_rate"`
	// The day of the rate.
	RateDate string `json:"rate_date"`
}

// Currency is one row of Folio's catalogue of currencies.
type Currency struct {
	// ISO 4217
	Code string `json:"code"`
	// The record's id.
	ID int64 `json:"id"`
	// For people.
	Name string `json:"name"`
}

// DocumentTypesQuery narrows DocumentTypes; what is empty is left out.
type DocumentTypesQuery struct {
	// Only those of this country, by its two letters.
	Country string `query:"country"`
}

// DocumentType is a row of Folio's catalogue of documents.
type DocumentType struct {
	// The authority's.
	Code int64 `json:"code"`
	// ISO 3166-1, two letters.
	Country string `json:"country"`
	// The record's id.
	ID int64 `json:"id"`
	// One of GET /api/document-types, or the authority's code.
	InvoiceType string `json:"invoice_type"`
	// For people.
	Name string `json:"name"`
}

// ListModelsAnswer: see the operation that has it.
type ListModelsAnswer struct {
	// The records.
	Data []Model `json:"data"`
}

// Model is how a read model stands: its state in a word, and how far behind the log it is.
type Model struct {
	// CompanyKey is the member of its documents that names the company which reads them with GET
	// /api/projections/{name}; null: only the operator reads them.
	CompanyKey *string `json:"company_key"`
	// Of its documents.
	Fields []MemberRecord `json:"fields"`
	// Parameters of GET /api/projections/{name}.
	Filters []ModelFilter `json:"filters"`
	// LagSeconds is the age of the oldest event that it lacks, 0 when it lacks none.
	LagSeconds json.Number `json:"lag_seconds"`
	// For people.
	Name string `json:"name"`
	// The last event that it has; null while it has none.
	Position *string `json:"position"`
	// State is ready, catching up, first build, rebuilding, rebuild paused or rebuild held.
	State string `json:"state"`
	// Of its shape.
	Version int64 `json:"version"`
}

// MemberRecord: Member is one value of a projection's documents: "amounts.net", or
// "taxes[].rate" where there is a list of them.
type MemberRecord struct {
	// For people.
	Name string `json:"name"`
	// Text, integer, decimal (as text), time, boolean or any.
	Type string `json:"type"`
}

// ModelFilter is a value by which documents are found.
type ModelFilter struct {
	// A parameter; with from_ and to_ before it, the ends of a range.
	Name string `json:"name"`
	// Sort= takes it.
	Sort bool `json:"sort"`
	// Sum= takes it.
	Sum bool `json:"sum"`
	// Text, decimal, date or time.
	Type string `json:"type"`
}
