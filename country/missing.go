package country

import (
	"slices"

	"folio/events"
)

// PerType is implemented by the rules of a country where it depends on the type of
// document what it waits for.
type PerType interface {
	// MissingFor names what an issuer lacks for documents of this type: a part of Missing,
	// or why what the profile says does not fit.
	MissingFor(invoiceType string, issuer Issuer) []string
}

// Lacking names what a document lacks about its issuer before it can take a number.
func Lacking(r Rules, e events.InvoiceCreated) []string {
	return lacking(r, e.Document.Type, IssuerOf(e))
}

func lacking(r Rules, invoiceType string, issuer Issuer) []string {
	if p, ok := r.(PerType); ok {
		return p.MissingFor(invoiceType, issuer)
	}
	return r.Missing(issuer)
}

// WaitFor are the types of document that wait for a member that Missing names; nil when
// all do.
func WaitFor(r Rules, member string, issuer Issuer) []string {
	var waiting []string
	types := r.DocumentTypes()
	for _, t := range types {
		if slices.Contains(lacking(r, t.InvoiceType, issuer), member) {
			waiting = append(waiting, t.InvoiceType)
		}
	}
	if len(waiting) == len(types) {
		return nil
	}
	return waiting
}

// Conditioned is implemented by the rules of a country whose documents state what their
// issuer is before VAT.
type Conditioned interface {
	// IssuerCondition is what the document prints of it, by its name in the catalogue: what
	// its profile says, or its class; "" where neither does.
	IssuerCondition(d events.Document, profile events.IssuerProfile, frozen events.TaxInformation) string
}

// IssuerCondition is the issuer's condition before VAT as a document prints it, "" for none.
func IssuerCondition(r Rules, e events.InvoiceCreated) string {
	if c, ok := r.(Conditioned); ok {
		return c.IssuerCondition(e.Document, e.Profile, e.Taxes)
	}
	return e.Taxes.IssuerCondition
}
