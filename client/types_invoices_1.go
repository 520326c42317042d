// Code generated from the OpenAPI document by apidoc/derive. DO NOT EDIT.

package client

import (
	"encoding/json"
)

// ListInvoicesQuery narrows ListInvoices; what is empty is left out.
type ListInvoicesQuery struct {
	// Which page, from 1.
	Page string `query:"page"`
	// How many records a page has.
	PerPage string `query:"per_page"`
	// Those that changed since, in the order in which they changed last: a position that an answer
	// gave (`updated_until`), or a time in RFC 3339 at which to begin. Walk by `cursor`.
	UpdatedSince string `query:"updated_since"`
	// `next_cursor` of the page before; not beside `page`.
	Cursor string `query:"cursor"`
	// Only those of this status.
	Status string `query:"status"`
	// Only those of this type.
	InvoiceType string `query:"invoice_type"`
	// From this day on, YYYY-MM-DD.
	DateFrom string `query:"date_from"`
	// Up to this day, YYYY-MM-DD.
	DateTo string `query:"date_to"`
	// Only those that you named so.
	ExternalReference string `query:"external_reference"`
	// Only the one of this number.
	Number string `query:"number"`
	// Only those of this recipient.
	RecipientDocument string `query:"recipient_document"`
	// Only notes that correct this invoice.
	References string `query:"references"`
	// As of then: a position of the log, or a time in RFC 3339.
	At string `query:"at"`
}

// ListInvoicesAnswer: see the operation that has it.
type ListInvoicesAnswer struct {
	// The records of this page.
	Data []Invoice `json:"data"`
	// The `cursor` of the next page; null at the end, and where a list has none.
	NextCursor *string `json:"next_cursor"`
	// The number of the page, from 1.
	Page int64 `json:"page"`
	// How many records a page has at most.
	PerPage int64 `json:"per_page"`
	// How many pages there are.
	TotalPages int64 `json:"total_pages"`
	// How many records there are.
	TotalResults int64 `json:"total_results"`
	// Beside `updated_since`: up to where the walk came. Give it as `updated_since` later on, to
	// hear of what changed since.
	UpdatedUntil string `json:"updated_until"`
}

// Invoice is the invoice record: every field of the specification is present, as null, [] or
// its value. Amounts are as they were given.
type Invoice struct {
	// What export documents of the country say besides.
	AdditionalExportInfo json.RawMessage `json:"additional_export_info"`
	// What documents of the country say besides; see the country's page.
	AdditionalHeaderInfo json.RawMessage `json:"additional_header_info"`
	// AuthorityReport is only of a document that was issued by contingency.
	AuthorityReport *AuthorityReport `json:"authority_report"`
	// The total with what accepted notes added and without what they took.
	Balance json.Number `json:"balance"`
	// The documents or the period that a note corrects.
	BillingReference []Reference `json:"billing_reference"`
	// Point of sale (Argentina) or branch; left out: 1.
	BranchOffice int64 `json:"branch_office"`
	// Always null: documents are corrected by notes.
	CancellationDate *string `json:"cancellation_date"`
	// 1 products, 2 services, 3 both.
	Concept string `json:"concept"`
	// RFC 3339, UTC.
	CreatedAt string `json:"created_at"`
	// What notes of the company have changed: CreditedTotal is what accepted credit notes took and
	// debit notes did not give back, Balance is the total with what accepted notes added and
	// without what they took.
	CreditedTotal json.Number `json:"credited_total"`
	// The currency, with its rate in local currency.
	Currency CurrencyRecord `json:"currency"`
	// Delivery is where the operator lets documents go out before the verdict (Chile, Uruguay).
	Delivery *HandingOver `json:"delivery"`
	// What the authority gave; null before acceptance.
	ElectronicAuthorization *Authorization `json:"electronic_authorization"`
	// Production or Testing.
	Environment *string `json:"environment"`
	// Your own name of the document; it can be searched for.
	ExternalReference string `json:"external_reference"`
	// Taxes on the document as a whole, such as perceptions (Argentina).
	GlobalTaxes []GlobalTax `json:"global_taxes"`
	// The record's id.
	ID string `json:"id"`
	// The company's id.
	IDCompany string `json:"id_company"`
	// The date only.
	InvoiceDate string `json:"invoice_date"`
	// One of GET /api/document-types, or the authority's code.
	InvoiceType string `json:"invoice_type"`
	// Who issues; left out: the company.
	Issuer Party `json:"issuer"`
	// The lines, 1 to 1,000.
	Items []Item `json:"items"`
	// NoFiscalValue is true for a document that an authority of trial accepted, the sandbox
	// included; it is absent from any other.
	NoFiscalValue bool `json:"no_fiscal_value"`
	// The notes that correct it.
	Notes []Note `json:"notes"`
	// The document's number; null before it has one.
	Number *string `json:"number"`
	// Free text, printed.
	Observations string `json:"observations"`
	// YYYY-MM-DD.
	PaymentDueDate *string `json:"payment_due_date"`
	// How the recipient pays.
	PaymentMethod *PaymentMethod `json:"payment_method"`
	// Why it waits; null when it does not.
	PendingReason *PendingReason `json:"pending_reason"`
	// always null: see billing_reference
	ReasonCode *string `json:"reason_code"`
	// Who buys.
	Recipient Party `json:"recipient"`
	// What the authority said, word for word.
	Rejection []Message `json:"rejection"`
	// The last day of the service.
	ServiceEndDate *string `json:"service_end_date"`
	// The first day of the service.
	ServiceStartDate *string `json:"service_start_date"`
	// Where it stands.
	Status string `json:"status"`
	// Which conditions and rates were applied.
	TaxInformation *TaxInformation `json:"tax_information"`
	// The sums.
	Totals Totals `json:"totals"`
}

// AuthorityReport is how far a document that was issued by contingency is reported to the
// authority: due, reported, observed or refused.
type AuthorityReport struct {
	// What the authority said, word for word.
	Codes []Message `json:"codes"`
	// YYYY-MM-DD, as the authority named it with the code.
	DueBy string `json:"due_by"`
	// due, reported, observed or refused
	State string `json:"state"`
}

// Reference is a document or period that a note corrects.
type Reference struct {
	// Amount is how much of the note corrects this document, where a note names several.
	Amount *json.Number `json:"amount"`
	// Point of sale (Argentina) or branch; left out: 1.
	BranchOffice *int64 `json:"branch_office"`
	// Where it was given.
	Currency *CurrencyRecord `json:"currency"`
	// YYYY-MM-DD, local.
	Date *string `json:"date"`
	// Digits; punctuation is taken and dropped.
	DocumentNumber *string `json:"document_number"`
	// The id of a document of this company.
	InvoiceID *string `json:"invoice_id"`
	// Int64, or the text that was given for one.
	Number json.RawMessage `json:"number"`
	// The first day of the period that a note corrects.
	PeriodFrom *string `json:"period_from"`
	// Its last day.
	PeriodTo *string `json:"period_to"`
	// Why a note corrects, by the country's codes.
	ReasonCode *string `json:"reason_code"`
	// Only where numbers have one.
	Series *string `json:"series"`
	// the document type that is named
	Type *string `json:"type"`
}

// CurrencyRecord: Currency is the currency with its rate in local currency.
type CurrencyRecord struct {
	// ISO 4217
	Code string `json:"code"`
	// Null until the authority's own is taken.
	ExchangeRate *json.Number `json:"exchange_rate"`
}

// HandingOver says whether a document may be handed over, whatever its status.
type HandingOver struct {
	// Now.
	Allowed bool `json:"allowed"`
	// Sent, contingency or report_only; null while it is not allowed.
	Basis *string `json:"basis"`
	// HandedOver is when the print was first given out before the verdict; null: it was not.
	HandedOverAt *string `json:"handed_over_at"`
	// NextStep is what to do about a document that was handed over and then rejected; null
	// otherwise.
	NextStep *string `json:"next_step"`
	// The authority's name of it: Chile's track id, Uruguay's IdReceptor.
	Receipt *string `json:"receipt"`
	// When the authority said that it has it; null: not known.
	SentAt *string `json:"sent_at"`
}

// Authorization is what the authority gave. QRURL equals QR: the specification's simplified
// example spells it so.
type Authorization struct {
	// The authority's remarks, and what only one country's authorization has.
	AdditionalInfo *AdditionalInfo `json:"additional_info"`
	// Stable, for machines.
	Code string `json:"code"`
	// Its last day, YYYY-MM-DD.
	ExpirationDate *string `json:"expiration_date"`
	// What the printed code says.
	QR *string `json:"qr"`
	// The same as qr.
	QRURL *string `json:"qr_url"`
	// CAE, CAF or CAE of DGI
	Type string `json:"type"`
}

// AdditionalInfo are the authority's remarks about an accepted document, and by name what only
// one country's authorization has: Uruguay's series and security code, Chile's track id, range
// and stamp, which whoever prints on paper of their own needs.
type AdditionalInfo struct {
	// What the authority remarked.
	Observations []Message `json:"observations"`
	// When the authority processed it.
	ProcessDate *string `json:"process_date"`
}

// GlobalTax is a tax on the whole document.
type GlobalTax struct {
	// In the currency of the document, exact.
	Amount json.Number `json:"amount"`
	// What the tax is a share of.
	BaseAmount json.Number `json:"base_amount"`
	// Free text.
	Description string `json:"description"`
	// In percent.
	Rate json.Number `json:"rate"`
	// One of the catalogue's codes.
	Type string `json:"type"`
}

// Party is the issuer or the recipient.
type Party struct {
	// where the party is
	Address Address `json:"address"`
	// Of the issuer's establishments, when the document is of one.
	Branch *int64 `json:"branch"`
	// Digits; punctuation is taken and dropped.
	DocumentNumber *string `json:"document_number"`
	// Which kind of identifier it is, such as CUIT or RUT.
	DocumentType *string `json:"document_type"`
	// The name as it is registered.
	LegalName string `json:"legal_name"`
	// One of the catalogue's conditions.
	TaxCondition *string `json:"tax_condition"`
}

// Item is one line.
type Item struct {
	// Stable, for machines.
	Code *ItemCode `json:"code"`
	// One of the catalogue's units.
	CodeUnitOfMeasure string `json:"code_unit_of_measure"`
	// The authority's code of the unit.
	CodeUnitOfMeasureOrganizationCode *string `json:"code_unit_of_measure_organization_code"`
	// Free text.
	Description string `json:"description"`
	// On the line as a whole, not on one unit.
	DiscountAmount json.Number `json:"discount_amount"`
	// How many units.
	Quantity json.Number `json:"quantity"`
	// The taxes, each with its rate and amount.
	Taxes []ItemTax `json:"taxes"`
	// The authority's code of the type.
	TypeOrganizationCode *string `json:"type_organization_code"`
	// Of one unit, before taxes.
	UnitPrice json.Number `json:"unit_price"`
}

// ItemCode is the issuer's code of the product.
type ItemCode struct {
	// One of the catalogue's codes.
	Type string `json:"type"`
	// The code itself.
	Value string `json:"value"`
}

// ItemTax is one tax of one line; Rate is in percent.
type ItemTax struct {
	// In the currency of the document, exact.
	Amount json.Number `json:"amount"`
	// In percent.
	Rate json.Number `json:"rate"`
	// One of the catalogue's codes.
	Type string `json:"type"`
}
