// Code generated from the OpenAPI document by apidoc/derive. DO NOT EDIT.

package client

import (
	"encoding/json"
)

// AuthoritiesAnswer: see the operation that has it.
type AuthoritiesAnswer struct {
	Data []Authority `json:"data"` // The records.
}

// Authority: Authority is how an authority was last seen, by whichever process spoke to it.
type Authority struct {
	Authority   string  `json:"authority"`    // ARCA, SII or DGI, by the name of its driver.
	Environment string  `json:"environment"`  // Production or Testing.
	Fault       string  `json:"fault"`        // What went wrong, empty for nothing.
	LastFailure *string `json:"last_failure"` // When it last did not answer.
	LastSuccess *string `json:"last_success"` // When it last answered.
	NextTry     *string `json:"next_try"`     // When it goes on by itself; null: with an event.
	Since       string  `json:"since"`        // Since when.
	Up          bool    `json:"up"`           // It has answered, and did when it was last asked.
}

// OfficialRateQuery narrows OfficialRate; what is empty is left out.
type OfficialRateQuery struct {
	Currency string `query:"currency"` // Which currency, by ISO 4217.
	Date     string `query:"date"`     // Of a document of this day; today unless given.
}

// OfficialRateAnswer: see the operation that has it.
type OfficialRateAnswer struct {
	Currency     string      `json:"currency"`      // left out: the company's own currency at rate 1
	Date         string      `json:"date"`          // YYYY-MM-DD, local.
	ExchangeRate json.Number `json:"exchange_rate"` // Local currency for one unit.
	RateDate     string      `json:"rate_date"`     // The day of the rate.
}

// Currency: Currency is one row of Folio's catalogue of currencies.
type Currency struct {
	Code string `json:"code"` // ISO 4217
	ID   int64  `json:"id"`   // The record's id.
	Name string `json:"name"` // For people.
}

// DocumentTypesQuery narrows DocumentTypes; what is empty is left out.
type DocumentTypesQuery struct {
	Country string `query:"country"` // Only those of this country, by its two letters.
}

// DocumentType: DocumentType is a row of Folio's catalogue of documents.
type DocumentType struct {
	Code        int64  `json:"code"`         // The authority's.
	Country     string `json:"country"`      // ISO 3166-1, two letters.
	ID          int64  `json:"id"`           // The record's id.
	InvoiceType string `json:"invoice_type"` // One of GET /api/document-types, or the authority's code.
	Name        string `json:"name"`         // For people.
}

// ListModelsAnswer: see the operation that has it.
type ListModelsAnswer struct {
	Data []Model `json:"data"` // The records.
}

// Model: Model is how a read model stands: its state in a word, and how far behind the log it
// is.
type Model struct {
	CompanyKey *string        `json:"company_key"` // CompanyKey is the member of its documents that names the company which reads them with GET /api/projections/{name}; null: only the operator reads them.
	Fields     []MemberRecord `json:"fields"`      // Of its documents.
	Filters    []ModelFilter  `json:"filters"`     // Parameters of GET /api/projections/{name}.
	LagSeconds json.Number    `json:"lag_seconds"` // LagSeconds is the age of the oldest event that it lacks, 0 when it lacks none.
	Name       string         `json:"name"`        // For people.
	Position   *string        `json:"position"`    // The last event that it has; null while it has none.
	State      string         `json:"state"`       // State is ready, catching up, first build, rebuilding, rebuild paused or rebuild held.
	Version    int64          `json:"version"`     // Of its shape.
}

// MemberRecord: Member is one value of a projection's documents: "amounts.net", or
// "taxes[].rate" where there is a list of them.
type MemberRecord struct {
	Name string `json:"name"` // For people.
	Type string `json:"type"` // Text, integer, decimal (as text), time, boolean or any.
}

// ModelFilter: ModelFilter is a value by which documents are found.
type ModelFilter struct {
	Name string `json:"name"` // A parameter; with from_ and to_ before it, the ends of a range.
	Sort bool   `json:"sort"` // Sort= takes it.
	Sum  bool   `json:"sum"`  // Sum= takes it.
	Type string `json:"type"` // Text, decimal, date or time.
}
