package projections

// All are the projections that folio keeps. A new one is a file and a line here.
var All = []Projection{
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
	VATBook,
	VATTotals,
	Receivables,
	PurchaseBook,
	Facts,
}

// Named is the projection of that name among All.
func Named(name string) (Projection, bool) {
	for _, p := range All {
		if p.Name() == name {
			return p, true
		}
	}
	return Projection{}, false
}

// OfTable is the projection whose documents are kept in a table; false for no projection's.
func OfTable(table string) (Projection, bool) {
	for _, p := range All {
		if p.Keeps(table) {
			return p, true
		}
	}
	return Projection{}, false
}
