package readapi_test

import (
	"fmt"

	"folio/commands/purchase"
	"folio/events"
)

func accepted(id string, number int64) []given {
	on := func(e events.Event) given { return given{Stream: "invoice-" + id, Event: e} }
	return []given{
		on(events.SubmissionStarted{Submission: "S-" + id, Environment: "Testing", Number: number}),
		on(events.NumberAssigned{BranchOffice: 5, Number: number}),
		on(events.AuthorityAccepted{Submission: "S-" + id, Sandbox: true,
			Authorization: events.Authorization{Type: "CAE", Code: "76123456789012", ExpiresOn: "2026-12-07",
				QR: "https://www.arca.gob.ar/fe/qr/?p=e30=", Processed: "20261127120000"},
			Observations: []events.AuthorityMessage{{Code: "10217", Text: "El crédito fiscal"}}}),
	}
}

func rejected(id string) []given {
	return []given{
		{Stream: "invoice-" + id, Event: events.SubmissionStarted{Submission: "S-" + id, Environment: "Testing", Number: 9}},
		{Stream: "invoice-" + id, Event: events.AuthorityRejected{Submission: "S-" + id,
			Reasons: []events.AuthorityMessage{{Code: "10015", Text: "DocNro <no> se encuentra"}}}},
	}
}

// numbered are ids I001, I002, ... of a company.
func numbered(company string, n int) (all []given) {
	for i := range n {
		all = append(all, created(company, fmt.Sprintf("I%03d", i+1), nil))
	}
	return all
}

// purchaseStream is where the facts about a purchase are.
func purchaseStream(p events.PurchaseReceived) string { return purchase.Decider.Stream(purchase.ID(p)) }
