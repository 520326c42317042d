package resource

import (
	"encoding/json"

	"folio/events"
	"folio/httpapi"
	"folio/money"
)

// Create is the body of a create, with only what it says.
type Create struct {
	InvoiceType      string            `json:"invoice_type"`
	BranchOffice     int               `json:"branch_office,omitzero"`
	InvoiceDate      string            `json:"invoice_date"`
	PaymentDueDate   string            `json:"payment_due_date,omitzero"`
	ServiceStartDate string            `json:"service_start_date,omitzero"`
	ServiceEndDate   string            `json:"service_end_date,omitzero"`
	Concept          string            `json:"concept,omitzero"`
	Issuer           *CreateIssuer     `json:"issuer,omitzero"`
	Recipient        *CreateParty      `json:"recipient,omitzero"`
	Currency         Currency          `json:"currency"`
	PaymentMethod    *PaymentMethod    `json:"payment_method,omitzero"`
	Items            []CreateItem      `json:"items"`
	GlobalTaxes      []GlobalTax       `json:"global_taxes,omitzero"`
	Totals           Totals            `json:"totals"`
	BillingReference []CreateReference `json:"billing_reference,omitzero"`
	HeaderInfo       json.RawMessage   `json:"additional_header_info,omitzero"`
	ExportInfo       json.RawMessage   `json:"additional_export_info,omitzero"`
}

// CreateIssuer names the company of a create, and the branch where it has one.
type CreateIssuer struct {
	DocumentType   string `json:"document_type"`
	DocumentNumber string `json:"document_number"`
	Branch         int    `json:"branch,omitzero"`
}

// CreateParty is the recipient of a create.
type CreateParty struct {
	LegalName      string        `json:"legal_name,omitzero"`
	DocumentType   string        `json:"document_type,omitzero"`
	DocumentNumber string        `json:"document_number,omitzero"`
	Address        CreateAddress `json:"address,omitzero"`
}

// CreateAddress is an address of a create.
type CreateAddress struct {
	Country string `json:"country,omitzero"`
	Region  string `json:"region,omitzero"`
	Address string `json:"address,omitzero"`
	Phone   string `json:"phone,omitzero"`
}

// CreateItem is a line of a create.
type CreateItem struct {
	Quantity       httpapi.Number  `json:"quantity"`
	UnitOfMeasure  string          `json:"code_unit_of_measure,omitzero"`
	UnitPrice      httpapi.Number  `json:"unit_price"`
	DiscountAmount *httpapi.Number `json:"discount_amount,omitzero"`
	Description    string          `json:"description"`
	Taxes          []ItemTax       `json:"taxes,omitzero"`
}

// CreateReference is a document that a create names.
type CreateReference struct {
	Invoice      string    `json:"invoice_id,omitzero"`
	Type         string    `json:"type,omitzero"`
	BranchOffice int       `json:"branch_office,omitzero"`
	Series       string    `json:"series,omitzero"`
	Number       int64     `json:"number,omitzero"`
	Date         string    `json:"date,omitzero"`
	ReasonCode   string    `json:"reason_code,omitzero"`
	Currency     *Currency `json:"currency,omitzero"`
}

// CreateOf is the body that asks for a document.
func CreateOf(d events.Document) Create {
	out := Create{InvoiceType: d.Type, BranchOffice: d.BranchOffice, InvoiceDate: d.Date, PaymentDueDate: d.PaymentDueDate,
		ServiceStartDate: d.ServiceStart, ServiceEndDate: d.ServiceEnd, Concept: d.Concept, Currency: currency(d.Currency),
		PaymentMethod: (*PaymentMethod)(d.PaymentMethod), Totals: totals(d.Totals), HeaderInfo: d.HeaderInfo,
		ExportInfo: d.ExportInfo}
	if p := d.Issuer; p.DocumentNumber != "" {
		out.Issuer = &CreateIssuer{p.DocumentType, p.DocumentNumber, d.Branch}
	}
	if p := d.Recipient; p != (events.Party{}) {
		out.Recipient = &CreateParty{p.LegalName, p.DocumentType, p.DocumentNumber, CreateAddress(p.Address)}
	}
	if len(d.GlobalTaxes) > 0 {
		out.GlobalTaxes = globalTaxes(d.GlobalTaxes)
	}
	for _, i := range d.Items {
		x := CreateItem{Quantity: number(i.Quantity), UnitOfMeasure: i.UnitOfMeasure, UnitPrice: number(i.UnitPrice),
			Description: i.Description}
		if !i.Discount.IsZero() {
			x.DiscountAmount = some(number(i.Discount))
		}
		for _, t := range i.Taxes {
			x.Taxes = append(x.Taxes, ItemTax{t.Type, number(t.Amount), number(t.Rate)})
		}
		out.Items = append(out.Items, x)
	}
	for _, r := range d.BillingReference {
		x := CreateReference{Invoice: r.Invoice, Type: r.Type, BranchOffice: r.BranchOffice, Series: r.Series,
			Number: r.Number, Date: r.Date,
			ReasonCode: r.ReasonCode}
		if r.Currency != "" {
			rate := money.FromInt(1)
			if r.Rate != nil {
				rate = *r.Rate
			}
			x.Currency = some(currency(events.Currency{Code: r.Currency, Rate: rate}))
		}
		out.BillingReference = append(out.BillingReference, x)
	}
	return out
}
