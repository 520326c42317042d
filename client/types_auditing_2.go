// Code generated from the OpenAPI document by apidoc/derive. DO NOT EDIT.

package client

// FiscalProfile: FiscalProfile are the members that every country shares, and those that only
// the company's country knows.
type FiscalProfile struct {
	Address           Address `json:"address"`             // where the company is
	GrossIncomeNumber *string `json:"gross_income_number"` // Ingresos brutos (Argentina).
	TaxCondition      *string `json:"tax_condition"`       // One of the catalogue's conditions.
}

// StepRecord: Step is one fact in words.
type StepRecord struct {
	Position string `json:"position"` // The position in the event log.
	Revision int64  `json:"revision"` // Its place in the stream, from 0.
	Stream   string `json:"stream"`   // The stream of the event log.
	Text     string `json:"text"`     // In words.
	Time     string `json:"time"`     // RFC 3339, UTC.
	Type     string `json:"type"`     // the event's type
}
