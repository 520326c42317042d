// Package resource holds the records of the API as they are written in JSON. Both
// sides answer with them: writeapi from the fact it just recorded, readapi from its
// read models, so that a create and a read can never disagree in shape.
package resource

import (
	"cmp"
	"encoding/json"
	"fmt"
	"time"

	"folio/country"
	"folio/events"
	"folio/httpapi"
	"folio/money"
)

// Invoice is the invoice record: every field of the specification is present, as
// null, [] or its value. Amounts are as they were given.
type Invoice struct {
	ID                string          `json:"id"`
	Company           string          `json:"id_company"`
	Number            *string         `json:"number"`
	BranchOffice      int             `json:"branch_office"`
	InvoiceType       string          `json:"invoice_type"`
	InvoiceDate       string          `json:"invoice_date"` // the date only
	PaymentDueDate    *string         `json:"payment_due_date"`
	ServiceStartDate  *string         `json:"service_start_date"`
	ServiceEndDate    *string         `json:"service_end_date"`
	Concept           string          `json:"concept"`
	ReasonCode        *string         `json:"reason_code"`
	CancellationDate  *string         `json:"cancellation_date"`
	Observations      string          `json:"observations"`
	ExternalReference string          `json:"external_reference"`
	Status            string          `json:"status"`
	PendingReason     *PendingReason  `json:"pending_reason"`
	Rejection         []Message       `json:"rejection"` // what the authority said, word for word
	Environment       *string         `json:"environment"`
	CreatedAt         time.Time       `json:"created_at"` // RFC 3339, UTC
	Issuer            Party           `json:"issuer"`
	Recipient         Party           `json:"recipient"`
	TaxInformation    *TaxInformation `json:"tax_information"`
	Currency          Currency        `json:"currency"`
	PaymentMethod     *PaymentMethod  `json:"payment_method"`
	Items             []Item          `json:"items"`
	GlobalTaxes       []GlobalTax     `json:"global_taxes"`
	Totals            Totals          `json:"totals"`
	HeaderInfo        json.RawMessage `json:"additional_header_info"`
	ExportInfo        json.RawMessage `json:"additional_export_info"`
	Authorization     *Authorization  `json:"electronic_authorization"`
	// NoFiscalValue is true for a document that an authority of trial accepted, the sandbox included; it is absent from
	// any other.
	NoFiscalValue    bool        `json:"no_fiscal_value,omitzero"`
	BillingReference []Reference `json:"billing_reference"`
	// AuthorityReport is only of a document that was issued by contingency.
	AuthorityReport *AuthorityReport `json:"authority_report,omitempty"`

	// Delivery is where the operator lets documents go out before the verdict (Chile, Uruguay).
	Delivery *HandingOver `json:"delivery,omitempty"`

	// What notes of the company have changed: CreditedTotal is what accepted credit notes
	// took and debit notes did not give back, Balance is the total with what accepted notes
	// added and without what they took.
	CreditedTotal httpapi.Number `json:"credited_total"`
	Balance       httpapi.Number `json:"balance"`
	Notes         []Note         `json:"notes"`
}

// HandingOver says whether a document may be handed over, whatever its status.
type HandingOver struct {
	Allowed bool       `json:"allowed"` // now
	Basis   *string    `json:"basis"`   // sent, contingency or report_only; null while it is not allowed
	SentAt  *time.Time `json:"sent_at"` // when the authority said that it has it; null: not known
	Receipt *string    `json:"receipt"` // the authority's name of it: Chile's track id, Uruguay's IdReceptor
	// HandedOver is when the print was first given out before the verdict; null: it was not.
	HandedOver *time.Time `json:"handed_over_at"`
	// NextStep is what to do about a document that was handed over and then rejected; null otherwise.
	NextStep *string `json:"next_step"`
}

// Note is a note that corrects the invoice. One that the authority has not answered keeps
// its amount from other notes; one that is Accepted counts.
type Note struct {
	ID          string         `json:"invoice_id"`
	InvoiceType string         `json:"invoice_type"` // empty for one that an old version counted
	Amount      httpapi.Number `json:"amount"`       // below 0: the invoice has so much more
	Status      string         `json:"status"`       // Reserved or Accepted
	Date        *string        `json:"date"`         // of an accepted note
	// Unsure is what an old note that names several documents may have taken besides.
	Unsure *httpapi.Number `json:"at_most,omitempty"`
}

// PendingReason is why an invoice waits, and when it goes on by itself.
type PendingReason struct {
	Code    string     `json:"code"`
	Message string     `json:"message"`
	NextTry *time.Time `json:"next_try"`
	// Outage is open for the company, as GET .../outages tells it; absent while none is.
	Outage *OpenOutage `json:"outage,omitempty"`
}

// Message is a code and text of the authority.
type Message struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// Party is the issuer or the recipient.
type Party struct {
	LegalName      string  `json:"legal_name"`
	DocumentType   *string `json:"document_type"`
	DocumentNumber *string `json:"document_number"`
	TaxCondition   *string `json:"tax_condition"`
	Branch         *int    `json:"branch,omitempty"` // of the issuer's establishments, when the document is of one
	Address        Address `json:"address"`
}

// Address is a postal address.
type Address struct {
	Country string `json:"country"`
	Region  string `json:"region"`
	Address string `json:"address"`
	Phone   string `json:"phone"`
}

// Currency is the currency with its rate in local currency.
type Currency struct {
	Code         string          `json:"code"`
	ExchangeRate *httpapi.Number `json:"exchange_rate"` // null until the authority's own is taken
}

// PaymentMethod is how the recipient pays.
type PaymentMethod struct {
	Code        string `json:"code"`
	Description string `json:"description"`
}

// Item is one line.
type Item struct {
	Quantity         httpapi.Number `json:"quantity"`
	UnitOfMeasure    string         `json:"code_unit_of_measure"`
	UnitPrice        httpapi.Number `json:"unit_price"`
	DiscountAmount   httpapi.Number `json:"discount_amount"`
	Description      string         `json:"description"`
	Code             *ItemCode      `json:"code"`
	Taxes            []ItemTax      `json:"taxes"`
	OrganizationType *string        `json:"type_organization_code"`
	OrganizationUnit *string        `json:"code_unit_of_measure_organization_code"`
}

// ItemCode is the issuer's code of the product.
type ItemCode struct {
	Type  string `json:"type"`
	Value string `json:"value"`
}

// ItemTax is one tax of one line; Rate is in percent.
type ItemTax struct {
	Type   string         `json:"type"`
	Amount httpapi.Number `json:"amount"`
	Rate   httpapi.Number `json:"rate"`
}

// GlobalTax is a tax on the whole document.
type GlobalTax struct {
	Type        string         `json:"type"`
	Description string         `json:"description"`
	Rate        httpapi.Number `json:"rate"`
	BaseAmount  httpapi.Number `json:"base_amount"`
	Amount      httpapi.Number `json:"amount"`
}

// Totals are the sums of the document.
type Totals struct {
	SubTotal httpapi.Number `json:"sub_total"`
	Discount httpapi.Number `json:"discount"`
	Taxes    []TotalTax     `json:"taxes"`
	Total    httpapi.Number `json:"total"`
}

// TotalTax is the sum of one kind of tax.
type TotalTax struct {
	Type       string         `json:"type"`
	Amount     httpapi.Number `json:"amount"`
	BaseAmount httpapi.Number `json:"base_amount"`
}

// TaxInformation tells which conditions and rates were applied.
type TaxInformation struct {
	IssuerCondition         *string       `json:"issuer_condition"`
	RecipientCondition      *string       `json:"recipient_condition"`
	RecipientConditionID    *int          `json:"recipient_condition_id"`
	RecipientConditionGiven bool          `json:"recipient_condition_given"` // false: Folio's default for the class
	Rates                   []AppliedRate `json:"rates"`
}

// AppliedRate is one rate as the authority is told.
type AppliedRate struct {
	Type   string         `json:"type"`
	Code   string         `json:"organization_code"`
	Rate   httpapi.Number `json:"rate"`
	Base   httpapi.Number `json:"base_amount"`
	Amount httpapi.Number `json:"amount"`
}

// Authorization is what the authority gave. QRURL equals QR: the specification's
// simplified example spells it so.
type Authorization struct {
	Type           string          `json:"type"`
	Code           string          `json:"code"`
	ExpirationDate *string         `json:"expiration_date"`
	QR             *string         `json:"qr"`
	QRURL          *string         `json:"qr_url"`
	AdditionalInfo *AdditionalInfo `json:"additional_info"`
}

// AdditionalInfo are the authority's remarks about an accepted document, and by name what
// only one country's authorization has: Uruguay's series and security code, Chile's track
// id, range and stamp, which whoever prints on paper of their own needs.
type AdditionalInfo struct {
	Observations []Message
	ProcessDate  *string
	Extra        map[string]string
}

// MarshalJSON is one object: observations, process_date, and the texts beside them.
func (a AdditionalInfo) MarshalJSON() ([]byte, error) {
	out := map[string]any{}
	for name, text := range a.Extra {
		out[name] = text
	}
	out["observations"], out["process_date"] = a.Observations, a.ProcessDate
	return json.Marshal(out)
}

// Reference is a document or period that a note corrects.
type Reference struct {
	Invoice        *string   `json:"invoice_id"`
	Type           *string   `json:"type"`
	BranchOffice   *int      `json:"branch_office"`
	Series         *string   `json:"series,omitempty"` // only where numbers have one
	Number         any       `json:"number"`           // int64, or the text that was given for one
	Date           *string   `json:"date"`
	DocumentNumber *string   `json:"document_number"`
	PeriodFrom     *string   `json:"period_from"`
	PeriodTo       *string   `json:"period_to"`
	ReasonCode     *string   `json:"reason_code"`
	Currency       *Currency `json:"currency,omitempty"` // where it was given
	// Amount is how much of the note corrects this document, where a note names several.
	Amount *httpapi.Number `json:"amount,omitempty"`
}

// Number is a document's number as it is shown: four digits of the point of sale (five
// where the authority gives five), hyphen, eight digits.
func Number(branchOffice int, number int64) string {
	return fmt.Sprintf("%04d-%08d", branchOffice, number)
}

// Lettered is an additional_header_info with the series letter of the number beside what
// the caller gave; without a letter it is what the caller gave.
func Lettered(info json.RawMessage, series string) json.RawMessage {
	if series == "" {
		return info
	}
	return country.SetMember(info, "series", series)
}

// Pending is the record of an invoice that was just created: a fact and its time are
// all it takes, so that a replayed answer is the first one, byte for byte.
func Pending(e events.InvoiceCreated, createdAt time.Time, rules country.Rules) Invoice {
	d := e.Document
	return Invoice{
		ID: e.Invoice, Company: e.Company, BranchOffice: cmp.Or(d.BranchOffice, d.Branch), InvoiceType: d.Type,
		InvoiceDate: head(d.Date, len(time.DateOnly)), PaymentDueDate: text(d.PaymentDueDate),
		ServiceStartDate: text(d.ServiceStart), ServiceEndDate: text(d.ServiceEnd), Concept: d.Concept,
		Observations: d.Observations, ExternalReference: d.ExternalReference,
		Status: "Pending", Rejection: []Message{}, Environment: text(e.Environment), CreatedAt: createdAt.UTC(),
		Issuer: issuer(e), Recipient: party(d.Recipient), TaxInformation: taxInformation(e, rules),
		Currency:      currency(d.Currency),
		PaymentMethod: (*PaymentMethod)(d.PaymentMethod),
		Items:         items(d.Items, rules.Catalogue()), GlobalTaxes: globalTaxes(d.GlobalTaxes), Totals: totals(d.Totals),
		HeaderInfo: null(d.HeaderInfo), ExportInfo: null(d.ExportInfo),
		BillingReference: references(d.BillingReference),
		CreditedTotal:    number(money.Zero), Balance: number(d.Totals.Total), Notes: []Note{},
	}
}

// Authorized is the authorization record.
func Authorized(a events.Authorization, observations []events.AuthorityMessage) *Authorization {
	out := &Authorization{Type: a.Type, Code: a.Code, ExpirationDate: text(a.ExpiresOn), QR: text(a.QR), QRURL: text(a.QR)}
	if len(observations) > 0 || a.Processed != "" || len(a.Extra) > 0 {
		out.AdditionalInfo = &AdditionalInfo{Observations: Messages(observations), ProcessDate: text(a.Processed),
			Extra: a.Extra}
	}
	return out
}

// Messages are the authority's words, [] for none.
func Messages(ms []events.AuthorityMessage) []Message {
	return country.Collect(ms, func(m events.AuthorityMessage) Message { return Message{m.Code, m.Text} })
}

// number is shorthand for amounts.
func number(d money.Decimal) httpapi.Number { return httpapi.Num(d) }

// text is null for what is empty.
func text(s string) *string { return some(s) }

func some[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}

func head(s string, n int) string { return s[:min(n, len(s))] }

func null(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return json.RawMessage("null")
	}
	return raw
}
