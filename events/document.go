package events

import (
	"encoding/json"

	"folio/money"
)

// Document is a tax document as the company asked for it, with the defaults filled
// in. It is the shared vocabulary of the API, the country rules, the authority
// drivers and the printed form. Dates are local to the company's country.
type Document struct {
	Type         string `json:"type"`          // invoice_type of Folio's catalogue: "FCA"
	OfficialCode int    `json:"official_code"` // the authority's code of that type: 1
	BranchOffice int    `json:"branch_office"` // point of sale; 0 where the country has none
	// establishment that the document is of; 0: the company's own address
	Branch            int             `json:"branch,omitempty"`
	Date              string          `json:"date"`                       // YYYY-MM-DD HH:MM:SS
	PaymentDueDate    string          `json:"payment_due_date,omitempty"` // YYYY-MM-DD
	ServiceStart      string          `json:"service_start,omitempty"`    // YYYY-MM-DD HH:MM:SS
	ServiceEnd        string          `json:"service_end,omitempty"`      // YYYY-MM-DD HH:MM:SS
	Concept           string          `json:"concept,omitempty"`
	Observations      string          `json:"observations,omitempty"`
	ExternalReference string          `json:"external_reference,omitempty"`
	Issuer            Party           `json:"issuer"`
	Recipient         Party           `json:"recipient"`
	Currency          Currency        `json:"currency"`
	PaymentMethod     *PaymentMethod  `json:"payment_method,omitempty"`
	Items             []Item          `json:"items"`
	GlobalTaxes       []GlobalTax     `json:"global_taxes,omitempty"`
	Totals            Totals          `json:"totals"`
	BillingReference  []Reference     `json:"billing_reference,omitempty"`
	HeaderInfo        json.RawMessage `json:"header_info,omitempty"` // additional_header_info, by the country's own schema
	ExportInfo        json.RawMessage `json:"export_info,omitempty"` // additional_export_info, likewise
}

// Party is the issuer or the recipient. An unidentified consumer has neither
// document type nor number.
type Party struct {
	LegalName      string  `json:"legal_name"`
	DocumentType   string  `json:"document_type,omitempty"`
	DocumentNumber string  `json:"document_number,omitempty"`
	TaxCondition   string  `json:"tax_condition,omitempty"` // as the caller gave it; recipient only
	Address        Address `json:"address"`
}

// Address is a postal address. Region is an ISO 3166-2 code such as AR-C.
type Address struct {
	Country string `json:"country,omitempty"`
	Region  string `json:"region,omitempty"`
	Address string `json:"address,omitempty"`
	Phone   string `json:"phone,omitempty"`
}

// Currency is an ISO 4217 code and the price of one unit of it in local currency.
type Currency struct {
	Code string        `json:"code"`
	Rate money.Decimal `json:"rate"`
}

// PaymentMethod is printed; no authority is told.
type PaymentMethod struct {
	Code        string `json:"code"`
	Description string `json:"description,omitempty"`
}

// Item is one line. UnitPrice is without tax unless the document's kind carries
// gross prices. Amounts are in the document's currency.
type Item struct {
	Quantity      money.Decimal `json:"quantity"`
	UnitOfMeasure string        `json:"unit_of_measure"`
	UnitPrice     money.Decimal `json:"unit_price"`
	Discount      money.Decimal `json:"discount"`
	Description   string        `json:"description"`
	Code          *ItemCode     `json:"code,omitempty"`
	Taxes         []ItemTax     `json:"taxes"`
}

// ItemCode is the issuer's code of a product, such as {sku, A-17}.
type ItemCode struct {
	Type  string `json:"type"`
	Value string `json:"value"`
}

// ItemTax is one tax of one line; Rate is in percent.
type ItemTax struct {
	Type   string        `json:"type"`
	Rate   money.Decimal `json:"rate"`
	Amount money.Decimal `json:"amount"`
}

// GlobalTax is a tax on the whole document (tributo, perception). Rate is in percent.
type GlobalTax struct {
	Type        string        `json:"type"`
	Description string        `json:"description,omitempty"`
	Rate        money.Decimal `json:"rate"`
	BaseAmount  money.Decimal `json:"base_amount"`
	Amount      money.Decimal `json:"amount"`
}

// Totals are the caller's own sums; the country's rules checked them.
type Totals struct {
	SubTotal money.Decimal `json:"sub_total"`
	Discount money.Decimal `json:"discount"`
	Taxes    []TotalTax    `json:"taxes"`
	Total    money.Decimal `json:"total"`
}

// TotalTax is the sum of one kind of tax over all lines.
type TotalTax struct {
	Type       string        `json:"type"`
	Amount     money.Decimal `json:"amount"`
	BaseAmount money.Decimal `json:"base_amount"`
}

// Reference names what a note corrects: an invoice of ours, a document by its
// coordinates, or a period. Invoices of ours are resolved when the note is created:
// Invoice and the coordinates are then both set.
type Reference struct {
	Invoice      string `json:"invoice,omitempty"`
	Type         string `json:"type,omitempty"`          // invoice_type
	OfficialCode int    `json:"official_code,omitempty"` // of that type
	BranchOffice int    `json:"branch_office,omitempty"`
	Series       string `json:"series,omitempty"` // Uruguay: letter of the CAE
	Number       int64  `json:"number,omitempty"`
	// Chile: instead of Number, of a document that is no tax document: OC-15
	Folio          string `json:"folio,omitempty"`
	Date           string `json:"date,omitempty"`            // YYYY-MM-DD
	DocumentNumber string `json:"document_number,omitempty"` // issuer of the document, digits
	PeriodFrom     string `json:"period_from,omitempty"`     // YYYY-MM-DD
	PeriodTo       string `json:"period_to,omitempty"`       // YYYY-MM-DD
	ReasonCode     string `json:"reason_code,omitempty"`
	// Amount is how much of the note's total corrects this document, in the note's
	// currency; nil: Folio decides.
	Amount *money.Decimal `json:"amount,omitempty"`
	// Currency is that of the named document as the caller gave it; "": that of the note.
	Currency string `json:"currency,omitempty"`
	// Rate is that of the named document, pesos for one of its currency: of our own record,
	// or as it was given of a document that is not ours. nil where it is in local currency.
	Rate *money.Decimal `json:"rate,omitempty"`
	// Total is that of the document of our own that is named, where the note's is more.
	Total *money.Decimal `json:"total,omitempty"`
}

// IssuerProfile is what is printed about the issuer, frozen when the document is
// created so that a reprint never changes.
type IssuerProfile struct {
	LegalName           string  `json:"legal_name"`
	TaxIdentifier       string  `json:"tax_identifier"`
	StartActivitiesDate string  `json:"start_activities_date,omitempty"` // YYYY-MM-DD
	TaxCondition        string  `json:"tax_condition,omitempty"`
	GrossIncomeNumber   string  `json:"gross_income_number,omitempty"`
	Address             Address `json:"address"`
	HeadOffice          string  `json:"head_office,omitempty"`   // where Address is another one and both are printed
	Establishment       string  `json:"establishment,omitempty"` // a branch's address, where Address is another origin
	Logo                string  `json:"logo,omitempty"`          // SHA-256 of the file in the vault
}

// TaxInformation tells which conditions and rates were applied, and which of them
// are Folio's defaults rather than the caller's words.
type TaxInformation struct {
	IssuerCondition      string         `json:"issuer_condition,omitempty"`
	RecipientCondition   string         `json:"recipient_condition,omitempty"`
	RecipientConditionID int            `json:"recipient_condition_id,omitempty"` // the authority's id
	RecipientDefaulted   bool           `json:"recipient_defaulted,omitempty"`
	Rates                []AppliedRate  `json:"rates,omitempty"`
	Amounts              AppliedAmounts `json:"amounts"`
}

// AppliedRate is one rate with its base, computed by Folio from the lines.
type AppliedRate struct {
	Type   string        `json:"type"`
	Code   string        `json:"code"` // the authority's code of the rate
	Rate   money.Decimal `json:"rate"`
	Base   money.Decimal `json:"base"`
	Amount money.Decimal `json:"amount"`
}

// AppliedAmounts are the amounts that the authority is told.
type AppliedAmounts struct {
	Net     money.Decimal `json:"net"`
	Untaxed money.Decimal `json:"untaxed"`
	Exempt  money.Decimal `json:"exempt"`
	Tax     money.Decimal `json:"tax"`
	Other   money.Decimal `json:"other"`
	Total   money.Decimal `json:"total"`
}
