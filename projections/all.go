// Package projections is what readers ask for: one file for each read model, which says how
// events change its documents, and how it is read. Package engine does the rest. None of it
// is a source of truth.
package projections

import "folio/projections/engine"

// All are the projections that folio keeps. A new one is a file and a line here.
var All = []engine.Projection{
	Invoices,
	Companies,
	APIKeys,
	Memberships,
	AccessLog,
	Certificates,
	Numbering,
	Submissions,
	Enumerations,
	Purchases,
	Webhooks,
	Deliveries,
	WebhookReplays,
	DailyReports,
	Outages,
	VATBook,
	VATTotals,
	Receivables,
	PurchaseBook,
	Codes,
	Windows,
	Facts,
}

// Named is the projection of that name among All.
func Named(name string) (engine.Projection, bool) {
	for _, p := range All {
		if p.Name() == name {
			return p, true
		}
	}
	return engine.Projection{}, false
}

// OfTable is the projection whose documents are kept in a table; false for no projection's.
func OfTable(table string) (engine.Projection, bool) {
	for _, p := range All {
		if p.Keeps(table) {
			return p, true
		}
	}
	return engine.Projection{}, false
}
