package events_test

import "folio/events"

var caea = events.Authorization{Type: "CAEA", Code: "36440000000017", ExpiresOn: "2026-12-15",
	QR: "https://www.arca.gob.ar/fe/qr/?p=eyJ2ZXIiOjF9", Date: "2026-12-03", Processed: "20261203120405",
	Extra: map[string]string{"ambiente": "homologation"}}

var contingencyExamples = []example{
	{companyStream, events.ContingencyConfigured{PointOfSale: 3, Contingency: events.Contingency{PointOfSale: 9003,
		Mode: events.ContingencyManual, AfterMinutes: 30, MaxHours: 12}}},
	{caeaStream, events.CAEARequested{Company: exampleCompany, Environment: "Production", Period: "202612", Order: 1}},
	{caeaStream, events.CAEAGranted{Company: exampleCompany, Environment: "Production", Code: "36440000000017",
		From: "2026-12-01", To: "2026-12-15", ReportUntil: "2026-12-23", Sandbox: true,
		Remarks: []events.AuthorityMessage{message}, Calls: exampleCalls}},
	{caeaStream, events.CAEARefused{Reasons: []events.AuthorityMessage{message}, Calls: exampleCalls}},
	{caeaStream, events.NoMovementReported{Point: 9003, Known: true, Calls: exampleCalls}},
	{caeaStream, events.NoMovementRefused{Point: 9003, Reasons: []events.AuthorityMessage{message},
		Calls: exampleCalls}},
	{caeaStream, events.CAEAWarned{Kind: "three_days_left", Left: 17}},
	{caeaStream, events.CAEAClosed{Reported: 214}},
	{windowStream, events.ContingencyOpened{Company: exampleCompany, Environment: "Production", PointOfSale: 3,
		Point: 9003, Cause: "ARCA has not answered for an hour", Evidence: []string{"FECAESolicitar: timeout"},
		By: "01KJQ8J0000000000000000000"}},
	{windowStream, events.ContingencyClosed{Reason: "ARCA answers again", By: "01KJQ8J0000000000000000000"}},
	{seriesStream, events.InvoiceWithdrawn{Invoice: exampleInvoice, Point: 9003, Move: 4}},
	{seriesStream, events.InvoiceReturned{Invoice: exampleInvoice, Move: 4, Reason: "no code is held for its date"}},
	{seriesStream, events.ContingencyIssued{Number: 17, Invoice: exampleInvoice, Move: 4, Period: "202612-1",
		Authorization: caea, GeneratedAt: at, SHA256: exampleHash, ReportFrom: "2026-12-02", DueBy: "2026-12-23",
		Sandbox: true}},
	{seriesStream, events.ContingencyReportOpened{Report: "01KJQ8P1111111111111111111", First: 17,
		Invoices: []string{exampleInvoice}}},
	{seriesStream, events.ContingencyReportSettled{Report: "01KJQ8P1111111111111111111",
		Outcomes: []events.ReportOutcome{{Invoice: exampleInvoice, Number: 17, Period: "202612-1",
			State:    events.ReportObserved,
			Messages: []events.AuthorityMessage{message}, Found: true}},
		Calls: exampleCalls}},
	{invoiceStream, events.AuthorityReportChanged{State: events.ReportObserved, DueBy: "2026-12-23",
		Messages: []events.AuthorityMessage{message}}},
}
