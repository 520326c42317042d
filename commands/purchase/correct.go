package purchase

import (
	"cmp"

	"folio/country"
	"folio/events"
	"folio/money"
)

// firm says that somebody vouches for the fields: the authority, or the supplier's signature.
func firm(p events.PurchaseReceived) bool {
	return p.Verification == country.Confirmed || p.Verification == country.SignatureValid
}

// Corrects says that a document which was taken in comes with other fields, and that
// nobody vouches for the ones that are recorded.
func (s State) Corrects(now events.PurchaseReceived) bool {
	return s.Received != nil && !firm(*s.Received) && revised(*s.Received, now)
}

// Completed is a correction with what it leaves out as it was: a code may say no currency,
// and no name of the supplier.
func (s State) Completed(now events.PurchaseReceived) events.PurchaseReceived {
	before := s.Received
	now.Currency = cmp.Or(now.Currency, before.Currency)
	now.Authorization = cmp.Or(now.Authorization, before.Authorization)
	if now.Supplier.LegalName == "" {
		now.Supplier = before.Supplier
	}
	return now
}

// revised says that something stands there now that was not, or was other.
func revised(before, now events.PurchaseReceived) bool {
	other := func(a, b string) bool { return b != "" && a != b }
	return differs(before, now) || other(before.Currency, now.Currency) || other(before.Date, now.Date) ||
		other(before.Authorization, now.Authorization) || other(before.Supplier.LegalName, now.Supplier.LegalName)
}

// differs says that the amounts contradict each other.
func differs(a, b events.PurchaseReceived) bool {
	if a.Currency != "" && b.Currency != "" && a.Currency != b.Currency {
		return true
	}
	x, err := money.Parse(a.Total)
	y, err2 := money.Parse(b.Total)
	return err == nil && err2 == nil && !x.Equal(y)
}

func corrected(s State, now events.PurchaseReceived) events.PurchaseCorrected {
	now = s.Completed(now)
	return events.PurchaseCorrected{Purchase: s.Received.Purchase, Company: s.Received.Company, Date: now.Date,
		Supplier: now.Supplier,
		Currency: now.Currency, Total: now.Total, Authorization: now.Authorization, Verification: now.Verification,
		Verified: now.Verified,
		Source:   now.Source, DocumentSHA256: now.DocumentSHA256, Taxes: now.Taxes, Messages: now.Messages, Calls: now.Calls}
}
