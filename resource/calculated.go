package resource

import (
	"folio/country"
	"folio/events"
)

// Calculated are the members of a create that follow from its items, as a create takes them.
type Calculated struct {
	InvoiceType string      `json:"invoice_type"`
	Currency    Currency    `json:"currency"`
	Items       []Item      `json:"items"`
	GlobalTaxes []GlobalTax `json:"global_taxes"`
	Totals      Totals      `json:"totals"`
}

// CalculatedOf are those of a document.
func CalculatedOf(d events.Document) Calculated {
	// The authority's codes of units and product codes are the service's to set.
	return Calculated{d.Type, currency(d.Currency), items(d.Items, country.Catalogue{}), globalTaxes(d.GlobalTaxes),
		totals(d.Totals)}
}

// Validated says what a create would answer. Nothing is stored, so the record has no id.
type Validated struct {
	Valid    bool            `json:"valid"`    // always true: what is not valid is answered as a create would
	Warnings []PendingReason `json:"warnings"` // why the invoice would stay Pending for now
	Invoice  Invoice         `json:"invoice"`  // as the create would answer, without an id
}
