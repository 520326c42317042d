package projections_test

import (
	"fmt"
	"testing"

	"folio/events"
	"folio/money"
	"folio/projections"
	"folio/projections/projectiontest"
)

func TestThoseWhoAreNotIdentifiedShareNoName(t *testing.T) {
	var all []given
	for name, number := range map[string]string{"Ana": "", "Luis": "0", "Eva": "00", "Rut": "66666666-6"} {
		recipient := events.Party{LegalName: name, DocumentNumber: number}
		if number != "" {
			recipient.DocumentType = "99"
		}
		e := events.InvoiceCreated{Invoice: name, Company: "C", Country: "AR", Environment: "Production",
			Document: events.Document{OfficialCode: 6, Date: "2026-03-01 10:00:00",
				Currency: events.Currency{Code: "ARS", Rate: money.FromInt(1)}, Recipient: recipient},
			Taxes: events.TaxInformation{Amounts: events.AppliedAmounts{Total: money.FromInt(5)}}}
		all = append(all, given{Stream: "invoice-" + name, Event: e},
			given{Stream: "invoice-" + name, Event: events.AuthorityAccepted{}})
	}
	projectiontest.Check(t, projections.Receivables, all, projectiontest.Want{ID: "C/Production/-/ARS", List: "C",
		JSON: `{"company":"C","environment":"Production","customer":{"name":""},"currency":"ARS","documents":4,"billed":"20",
			"debit_notes":0,"debited":"0","credit_notes":0,"credited":"0","balance":"20","first":"2026-03-01","last":"2026-03-01"}`})
}

func TestReceivablesAreBillsAndNotes(t *testing.T) {
	doc := func(id string, code int, total string) []given {
		e := events.InvoiceCreated{Invoice: id, Company: "C", Country: "AR", Environment: "Production",
			Document: events.Document{OfficialCode: code, Date: "2026-03-0" + fmt.Sprint(len(id)) + " 10:00:00",
				Currency:  events.Currency{Code: "ARS", Rate: money.FromInt(1)},
				Recipient: events.Party{LegalName: "R", DocumentType: "CUIT", DocumentNumber: "30"}},
			Taxes: events.TaxInformation{Amounts: events.AppliedAmounts{Total: money.MustParse(total)}}}
		return []given{{Stream: "invoice-" + id, Event: e},
			{Stream: "invoice-" + id, Event: events.AuthorityAccepted{Sandbox: id == "bb"}}}
	}
	var all []given
	for _, one := range [][]given{doc("a", 1, "100.00"), doc("bb", 3, "30.00"), doc("ccc", 2, "5.50"),
		doc("dddd", 1, "1.00")} {
		all = append(all, one...)
	}
	projectiontest.Check(t, projections.Receivables, all, projectiontest.Want{ID: "C/Production/CUIT-30/ARS", List: "C",
		JSON: `{"company":"C","environment":"Production","customer":{"name":"R","document_type":"CUIT","document":"30"},"currency":"ARS",
			"documents":2,"billed":"101","debit_notes":1,"debited":"5.5","credit_notes":1,"credited":"30","balance":"76.5","first":"2026-03-01","last":"2026-03-04","sandbox":1}`,
		Attributes: map[string]string{"environment": "Production", "customer_document": "30", "currency": "ARS",
			"balance": "76.5", "last": "2026-03-04"}})
}
