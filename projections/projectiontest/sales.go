package projectiontest

import (
	"fmt"

	"folio/events"
	"folio/money"
)

// Sale is one document in a history for a projection's test, in short: an invoice of
// Argentina in pesos with one rate of VAT.
type Sale struct {
	Company, Customer string
	Date              string // YYYY-MM-DD
	Net, Tax          string // decimal text
	Credit            bool   // a credit note
	Rejected          bool   // by the authority; otherwise it is accepted
}

// Sales are the events of documents, in their order; an amount that is none panics.
func Sales(all ...Sale) (out []Given) {
	for i, s := range all {
		id := fmt.Sprintf("I%d", i+1)
		code, kind := 1, "FCA"
		if s.Credit {
			code, kind = 3, "NCA"
		}
		net, tax := money.MustParse(s.Net), money.MustParse(s.Tax)
		add := func(e events.Event) { out = append(out, Given{Stream: "invoice-" + id, Event: e}) }
		add(events.InvoiceCreated{Invoice: id, Company: s.Company, Country: "AR", Environment: "Production",
			Document: events.Document{Type: kind, OfficialCode: code, BranchOffice: 1, Date: s.Date + " 10:00:00",
				Recipient: events.Party{LegalName: "Customer " + s.Customer, DocumentType: "CUIT", DocumentNumber: s.Customer},
				Currency:  events.Currency{Code: "ARS", Rate: money.FromInt(1)}},
			Taxes: events.TaxInformation{Rates: []events.AppliedRate{{Type: "iva21", Code: "5", Rate: money.FromInt(21),
				Base: net, Amount: tax}},
				Amounts: events.AppliedAmounts{Net: net, Tax: tax, Total: net.Add(tax)}}})
		add(events.SubmissionStarted{Submission: "S" + id, Environment: "Production", Number: int64(i + 1)})
		if s.Rejected {
			add(events.AuthorityRejected{Submission: "S" + id,
				Reasons: []events.AuthorityMessage{{Code: "10016", Text: "refused"}}})
			continue
		}
		add(events.NumberAssigned{BranchOffice: 1, Number: int64(i + 1)})
		add(events.AuthorityAccepted{Submission: "S" + id, Authorization: events.Authorization{Code: "A" + id}})
	}
	return out
}
