// Code generated from the OpenAPI document by apidoc/derive. DO NOT EDIT.

package client

import (
	"encoding/json"
)

// ListInvoicesQuery narrows ListInvoices; what is empty is left out.
type ListInvoicesQuery struct {
	Page              string `query:"page"`               // Which page, from 1.
	PerPage           string `query:"per_page"`           // How many records a page has.
	Cursor            string `query:"cursor"`             // `next_cursor` of the page before; not beside `page`.
	Status            string `query:"status"`             // Only those of this status.
	InvoiceType       string `query:"invoice_type"`       // Only those of this type.
	DateFrom          string `query:"date_from"`          // From this day on, YYYY-MM-DD.
	DateTo            string `query:"date_to"`            // Up to this day, YYYY-MM-DD.
	ExternalReference string `query:"external_reference"` // Only those that you named so.
	Number            string `query:"number"`             // Only the one of this number.
	RecipientDocument string `query:"recipient_document"` // Only those of this recipient.
	References        string `query:"references"`         // Only notes that correct this invoice.
	At                string `query:"at"`                 // As of then: a position of the log, or a time in RFC 3339.
}

// ListInvoicesAnswer: see the operation that has it.
type ListInvoicesAnswer struct {
	Data         []Invoice `json:"data"`          // The records of this page.
	NextCursor   *string   `json:"next_cursor"`   // The `cursor` of the next page; null at the end, and where a list has none.
	Page         int64     `json:"page"`          // The number of the page, from 1.
	PerPage      int64     `json:"per_page"`      // How many records a page has at most.
	TotalPages   int64     `json:"total_pages"`   // How many pages there are.
	TotalResults int64     `json:"total_results"` // How many records there are.
}

// Invoice: Invoice is the invoice record: every field of the specification is present, as null,
// [] or its value. Amounts are as they were given.
type Invoice struct {
	AdditionalExportInfo    json.RawMessage `json:"additional_export_info"`   // What export documents of the country say besides.
	AdditionalHeaderInfo    json.RawMessage `json:"additional_header_info"`   // What documents of the country say besides; see the country's page.
	Balance                 json.Number     `json:"balance"`                  // The total with what accepted notes added and without what they took.
	BillingReference        []Reference     `json:"billing_reference"`        // The documents or the period that a note corrects.
	BranchOffice            int64           `json:"branch_office"`            // Point of sale (Argentina) or branch; left out: 1.
	CancellationDate        *string         `json:"cancellation_date"`        // Always null: documents are corrected by notes.
	Concept                 string          `json:"concept"`                  // 1 products, 2 services, 3 both.
	CreatedAt               string          `json:"created_at"`               // RFC 3339, UTC.
	CreditedTotal           json.Number     `json:"credited_total"`           // What notes of the company have changed: CreditedTotal is what accepted credit notes took and debit notes did not give back, Balance is the total with what accepted notes added and without what they took.
	Currency                CurrencyRecord  `json:"currency"`                 // The currency, with its rate in local currency.
	ElectronicAuthorization *Authorization  `json:"electronic_authorization"` // What the authority gave; null before acceptance.
	Environment             *string         `json:"environment"`              // Production or Testing.
	ExternalReference       string          `json:"external_reference"`       // Your own name of the document; it can be searched for.
	GlobalTaxes             []GlobalTax     `json:"global_taxes"`             // Taxes on the document as a whole, such as perceptions (Argentina).
	ID                      string          `json:"id"`                       // The record's id.
	IDCompany               string          `json:"id_company"`               // The company's id.
	InvoiceDate             string          `json:"invoice_date"`             // The date only.
	InvoiceType             string          `json:"invoice_type"`             // One of GET /api/document-types, or the authority's code.
	Issuer                  Party           `json:"issuer"`                   // Who issues; left out: the company.
	Items                   []Item          `json:"items"`                    // The lines, 1 to 1,000.
	Notes                   []Note          `json:"notes"`                    // The notes that correct it.
	Number                  *string         `json:"number"`                   // The document's number; null before it has one.
	Observations            string          `json:"observations"`             // Free text, printed.
	PaymentDueDate          *string         `json:"payment_due_date"`         // YYYY-MM-DD.
	PaymentMethod           *PaymentMethod  `json:"payment_method"`           // How the recipient pays.
	PendingReason           *PendingReason  `json:"pending_reason"`           // Why it waits; null when it does not.
	ReasonCode              *string         `json:"reason_code"`              // always null: see billing_reference
	Recipient               Party           `json:"recipient"`                // Who buys.
	Rejection               []Message       `json:"rejection"`                // What the authority said, word for word.
	ServiceEndDate          *string         `json:"service_end_date"`         // The last day of the service.
	ServiceStartDate        *string         `json:"service_start_date"`       // The first day of the service.
	Status                  string          `json:"status"`                   // Where it stands.
	TaxInformation          *TaxInformation `json:"tax_information"`          // Which conditions and rates were applied.
	Totals                  Totals          `json:"totals"`                   // The sums.
}

// Reference: Reference is a document or period that a note corrects.
type Reference struct {
	Amount         *json.Number    `json:"amount"`          // Amount is how much of the note corrects this document, where a note names several.
	BranchOffice   *int64          `json:"branch_office"`   // Point of sale (Argentina) or branch; left out: 1.
	Currency       *CurrencyRecord `json:"currency"`        // Where it was given.
	Date           *string         `json:"date"`            // YYYY-MM-DD, local.
	DocumentNumber *string         `json:"document_number"` // Digits; punctuation is taken and dropped.
	InvoiceID      *string         `json:"invoice_id"`      // The id of a document of this company.
	Number         json.RawMessage `json:"number"`          // Int64, or the text that was given for one.
	PeriodFrom     *string         `json:"period_from"`     // The first day of the period that a note corrects.
	PeriodTo       *string         `json:"period_to"`       // Its last day.
	ReasonCode     *string         `json:"reason_code"`     // Why a note corrects, by the country's codes.
	Series         *string         `json:"series"`          // Only where numbers have one.
	Type           *string         `json:"type"`            // the document type that is named
}

// CurrencyRecord: Currency is the currency with its rate in local currency.
type CurrencyRecord struct {
	Code         string       `json:"code"`          // ISO 4217
	ExchangeRate *json.Number `json:"exchange_rate"` // Null until the authority's own is taken.
}

// Authorization: Authorization is what the authority gave. QRURL equals QR: the specification's
// simplified example spells it so.
type Authorization struct {
	AdditionalInfo *AdditionalInfo `json:"additional_info"` // The authority's remarks, and what only one country's authorization has.
	Code           string          `json:"code"`            // Stable, for machines.
	ExpirationDate *string         `json:"expiration_date"` // Its last day, YYYY-MM-DD.
	QR             *string         `json:"qr"`              // What the printed code says.
	QRURL          *string         `json:"qr_url"`          // The same as qr.
	Type           string          `json:"type"`            // CAE, CAF or CAE of DGI
}

// AdditionalInfo: AdditionalInfo are the authority's remarks about an accepted document, and by
// name what only one country's authorization has: Uruguay's series and security code, Chile's
// track id, range and stamp, which whoever prints on paper of their own needs.
type AdditionalInfo struct {
	Observations []Message `json:"observations"` // What the authority remarked.
	ProcessDate  *string   `json:"process_date"` // When the authority processed it.
}

// GlobalTax: GlobalTax is a tax on the whole document.
type GlobalTax struct {
	Amount      json.Number `json:"amount"`      // In the currency of the document, exact.
	BaseAmount  json.Number `json:"base_amount"` // What the tax is a share of.
	Description string      `json:"description"` // Free text.
	Rate        json.Number `json:"rate"`        // In percent.
	Type        string      `json:"type"`        // One of the catalogue's codes.
}

// Party: Party is the issuer or the recipient.
type Party struct {
	Address        Address `json:"address"`         // where the party is
	Branch         *int64  `json:"branch"`          // Of the issuer's establishments, when the document is of one.
	DocumentNumber *string `json:"document_number"` // Digits; punctuation is taken and dropped.
	DocumentType   *string `json:"document_type"`   // Which kind of identifier it is, such as CUIT or RUT.
	LegalName      string  `json:"legal_name"`      // The name as it is registered.
	TaxCondition   *string `json:"tax_condition"`   // One of the catalogue's conditions.
}

// Item: Item is one line.
type Item struct {
	Code                              *ItemCode   `json:"code"`                                   // Stable, for machines.
	CodeUnitOfMeasure                 string      `json:"code_unit_of_measure"`                   // One of the catalogue's units.
	CodeUnitOfMeasureOrganizationCode *string     `json:"code_unit_of_measure_organization_code"` // The authority's code of the unit.
	Description                       string      `json:"description"`                            // Free text.
	DiscountAmount                    json.Number `json:"discount_amount"`                        // On the line as a whole, not on one unit.
	Quantity                          json.Number `json:"quantity"`                               // How many units.
	Taxes                             []ItemTax   `json:"taxes"`                                  // The taxes, each with its rate and amount.
	TypeOrganizationCode              *string     `json:"type_organization_code"`                 // The authority's code of the type.
	UnitPrice                         json.Number `json:"unit_price"`                             // Of one unit, before taxes.
}

// ItemCode: ItemCode is the issuer's code of the product.
type ItemCode struct {
	Type  string `json:"type"`  // One of the catalogue's codes.
	Value string `json:"value"` // The code itself.
}

// ItemTax: ItemTax is one tax of one line; Rate is in percent.
type ItemTax struct {
	Amount json.Number `json:"amount"` // In the currency of the document, exact.
	Rate   json.Number `json:"rate"`   // In percent.
	Type   string      `json:"type"`   // One of the catalogue's codes.
}

// Note: Note is a note that corrects the invoice. One that the authority has not answered keeps
// its amount from other notes; one that is Accepted counts.
type Note struct {
	Amount      json.Number  `json:"amount"`       // Below 0: the invoice has so much more.
	AtMost      *json.Number `json:"at_most"`      // Unsure is what an old note that names several documents may have taken besides.
	Date        *string      `json:"date"`         // Of an accepted note.
	InvoiceID   string       `json:"invoice_id"`   // The id of a document of this company.
	InvoiceType string       `json:"invoice_type"` // Empty for one that an old version counted.
	Status      string       `json:"status"`       // Reserved or Accepted.
}

// PaymentMethod: PaymentMethod is how the recipient pays.
type PaymentMethod struct {
	Code        string `json:"code"`        // Stable, for machines.
	Description string `json:"description"` // Free text.
}

// TaxInformation: TaxInformation tells which conditions and rates were applied.
type TaxInformation struct {
	IssuerCondition         *string       `json:"issuer_condition"`          // As the authority is told.
	Rates                   []AppliedRate `json:"rates"`                     // The rates that were applied.
	RecipientCondition      *string       `json:"recipient_condition"`       // As the authority is told.
	RecipientConditionGiven bool          `json:"recipient_condition_given"` // False: Folio's default for the class.
	RecipientConditionID    *int64        `json:"recipient_condition_id"`    // The authority's number of it.
}

// AppliedRate: AppliedRate is one rate as the authority is told.
type AppliedRate struct {
	Amount           json.Number `json:"amount"`            // In the currency of the document, exact.
	BaseAmount       json.Number `json:"base_amount"`       // What the tax is a share of.
	OrganizationCode string      `json:"organization_code"` // The authority's code.
	Rate             json.Number `json:"rate"`              // In percent.
	Type             string      `json:"type"`              // One of the catalogue's codes.
}

// Totals: Totals are the sums of the document.
type Totals struct {
	Discount json.Number `json:"discount"`  // On the document as a whole.
	SubTotal json.Number `json:"sub_total"` // The sum of the lines before taxes.
	Taxes    []TotalTax  `json:"taxes"`     // The taxes, each with its rate and amount.
	Total    json.Number `json:"total"`     // What is paid.
}

// TotalTax: TotalTax is the sum of one kind of tax.
type TotalTax struct {
	Amount     json.Number `json:"amount"`      // In the currency of the document, exact.
	BaseAmount json.Number `json:"base_amount"` // What the tax is a share of.
	Type       string      `json:"type"`        // One of the catalogue's codes.
}

// CreateInvoiceBody: see the operation that has it.
type CreateInvoiceBody struct {
	AdditionalExportInfo map[string]any                      `json:"additional_export_info,omitempty"` // What export documents of the country say besides.
	AdditionalHeaderInfo map[string]any                      `json:"additional_header_info,omitempty"` // What documents of the country say besides; see the country's page.
	BillingReference     []CreateInvoiceBodyBillingReference `json:"billing_reference,omitempty"`      // The documents or the period that a note corrects.
	BranchOffice         *int64                              `json:"branch_office,omitempty"`          // Point of sale (Argentina) or branch; left out: 1.
	Concept              string                              `json:"concept,omitempty"`                // 1 products, 2 services, 3 both.
	Currency             *CreateInvoiceBodyCurrency          `json:"currency,omitempty"`               // left out: the company's own currency at rate 1
	ExternalReference    string                              `json:"external_reference,omitempty"`     // Your own name of the document; it can be searched for.
	GlobalTaxes          []CreateInvoiceBodyGlobalTax        `json:"global_taxes,omitempty"`           // Taxes on the document as a whole, such as perceptions (Argentina).
	InvoiceDate          string                              `json:"invoice_date"`                     // Local: YYYY-MM-DD, or with HH:MM:SS.
	InvoiceType          string                              `json:"invoice_type"`                     // One of GET /api/document-types, or the authority's code.
	Issuer               *CreateInvoiceBodyIssuer            `json:"issuer,omitempty"`                 // Who issues; left out: the company.
	Items                []CreateInvoiceBodyItem             `json:"items"`                            // The lines, 1 to 1,000.
	Observations         string                              `json:"observations,omitempty"`           // Free text, printed.
	PaymentDueDate       string                              `json:"payment_due_date,omitempty"`       // YYYY-MM-DD.
	PaymentMethod        *CreateInvoiceBodyPaymentMethod     `json:"payment_method,omitempty"`         // How the recipient pays.
	Recipient            *CreateInvoiceBodyRecipient         `json:"recipient,omitempty"`              // Who buys.
	ServiceEndDate       string                              `json:"service_end_date,omitempty"`       // The last day of the service.
	ServiceStartDate     string                              `json:"service_start_date,omitempty"`     // The first day of the service.
	Totals               CreateInvoiceBodyTotals             `json:"totals"`                           // The sums.
}

// CreateInvoiceBodyBillingReference: see the operation that has it.
type CreateInvoiceBodyBillingReference struct {
	Amount         json.Number                                `json:"amount,omitempty"`          // In the currency of the document, exact.
	BranchOffice   *int64                                     `json:"branch_office,omitempty"`   // Point of sale (Argentina) or branch; left out: 1.
	Currency       *CreateInvoiceBodyBillingReferenceCurrency `json:"currency,omitempty"`        // The currency, with its rate in local currency.
	Date           string                                     `json:"date,omitempty"`            // YYYY-MM-DD, local.
	DocumentNumber string                                     `json:"document_number,omitempty"` // Digits; punctuation is taken and dropped.
	InvoiceID      string                                     `json:"invoice_id,omitempty"`      // The id of a document of this company.
	Number         string                                     `json:"number,omitempty"`          // the number of the document that is named
	PeriodFrom     string                                     `json:"period_from,omitempty"`     // The first day of the period that a note corrects.
	PeriodTo       string                                     `json:"period_to,omitempty"`       // Its last day.
	ReasonCode     string                                     `json:"reason_code,omitempty"`     // Why a note corrects, by the country's codes.
	Series         string                                     `json:"series,omitempty"`          // The letter of the number (Uruguay).
	Type           string                                     `json:"type,omitempty"`            // the document type that is named
}

// CreateInvoiceBodyBillingReferenceCurrency: The currency, with its rate in local currency.
type CreateInvoiceBodyBillingReferenceCurrency struct {
	Code         string      `json:"code"`                    // ISO 4217, or the authority's code
	ExchangeRate json.Number `json:"exchange_rate,omitempty"` // Local currency for one unit.
}

// CreateInvoiceBodyCurrency: left out: the company's own currency at rate 1
type CreateInvoiceBodyCurrency struct {
	Code         string      `json:"code,omitempty"`          // ISO 4217, or the authority's code; left out: the company's own currency
	ExchangeRate json.Number `json:"exchange_rate,omitempty"` // Local currency for one unit.
}

// CreateInvoiceBodyGlobalTax: see the operation that has it.
type CreateInvoiceBodyGlobalTax struct {
	Amount      json.Number `json:"amount"`                // In the currency of the document, exact.
	BaseAmount  json.Number `json:"base_amount"`           // What the tax is a share of.
	Description string      `json:"description,omitempty"` // Free text.
	Rate        json.Number `json:"rate,omitempty"`        // In percent.
	Type        string      `json:"type"`                  // One of the catalogue's codes.
}

// CreateInvoiceBodyIssuer: Who issues; left out: the company.
type CreateInvoiceBodyIssuer struct {
	Address        *CreateInvoiceBodyIssuerAddress `json:"address,omitempty"`         // what is printed and signed; left out: the branch's or the profile's
	Branch         *int64                          `json:"branch,omitempty"`          // The establishment's number.
	DocumentNumber string                          `json:"document_number,omitempty"` // Digits; punctuation is taken and dropped.
	DocumentType   string                          `json:"document_type,omitempty"`   // Which kind of identifier it is, such as CUIT or RUT.
	LegalName      string                          `json:"legal_name,omitempty"`      // The name as it is registered.
}

// CreateInvoiceBodyIssuerAddress: what is printed and signed; left out: the branch's or the
// profile's
type CreateInvoiceBodyIssuerAddress struct {
	Address string `json:"address,omitempty"` // Street, number and town.
	Country string `json:"country,omitempty"` // ISO 3166-1, two letters.
	Phone   string `json:"phone,omitempty"`   // As it is printed.
	Region  string `json:"region,omitempty"`  // ISO 3166-2, such as AR-C.
}

// CreateInvoiceBodyItem: see the operation that has it.
type CreateInvoiceBodyItem struct {
	Code              *CreateInvoiceBodyItemCode `json:"code,omitempty"`                 // Stable, for machines.
	CodeUnitOfMeasure string                     `json:"code_unit_of_measure,omitempty"` // One of the catalogue's units.
	Description       string                     `json:"description"`                    // Free text.
	DiscountAmount    json.Number                `json:"discount_amount,omitempty"`      // On the line as a whole, not on one unit.
	Quantity          json.Number                `json:"quantity"`                       // How many units.
	Taxes             []CreateInvoiceBodyItemTax `json:"taxes,omitempty"`                // The taxes, each with its rate and amount.
	UnitPrice         json.Number                `json:"unit_price"`                     // Of one unit, before taxes.
}

// CreateInvoiceBodyItemCode: Stable, for machines.
type CreateInvoiceBodyItemCode struct {
	Type  string `json:"type"`  // One of the catalogue's codes.
	Value string `json:"value"` // The code itself.
}
