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
