// Code generated from the OpenAPI document by apidoc/derive. DO NOT EDIT.

package client

// PendingReason: PendingReason is why an invoice waits, and when it goes on by itself.
type PendingReason struct {
	Code    string  `json:"code"`     // Stable, for machines.
	Message string  `json:"message"`  // What happened, for people.
	NextTry *string `json:"next_try"` // When it goes on by itself; null: with an event.
}

// UsedRange: UsedRange is the numbering range that a number is of.
type UsedRange struct {
	ExpiresOn     *string `json:"expires_on"`     // Its last day.
	From          int64   `json:"from"`           // The first of it.
	IDEnumeration string  `json:"id_enumeration"` // The range's id.
	Position      string  `json:"position"`       // Of its upload.
	Series        *string `json:"series"`         // Its letter.
	To            int64   `json:"to"`             // The last of it.
}

// Settings: Settings are the company's when the invoice was created.
type Settings struct {
	Branch                *Branch        `json:"branch"`                  // The establishment's number.
	BranchPosition        *string        `json:"branch_position"`         // The position of the fact in the log.
	FiscalProfile         *FiscalProfile `json:"fiscal_profile"`          // What documents say of the issuer.
	FiscalProfilePosition *string        `json:"fiscal_profile_position"` // The position of the fact in the log.
	LogoPosition          *string        `json:"logo_position"`           // The position of the fact in the log.
	LogoSHA256            *string        `json:"logo_sha256"`             // Hexadecimal.
}

// Branch: Branch is one establishment of a company, as it is sent and read.
type Branch struct {
	Address             Address `json:"address"`               // where the branch is
	Number              int64   `json:"number"`                // The document's number; null before it has one.
	StartActivitiesDate *string `json:"start_activities_date"` // Null: the company's.
}

// Address: Address is a postal address.
type Address struct {
	Address string `json:"address"` // Street, number and town.
	Country string `json:"country"` // ISO 3166-1, two letters.
	Phone   string `json:"phone"`   // As it is printed.
	Region  string `json:"region"`  // ISO 3166-2, such as AR-C.
}

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
