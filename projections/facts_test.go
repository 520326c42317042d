package projections_test

import (
	"testing"

	"folio/events"
	"folio/projections"
	"folio/projections/projectiontest"
)

func TestFactsAreOfTheCompanyThatTheyAreAbout(t *testing.T) {
	projectiontest.Check(t, projections.Facts, []given{
		{Stream: "company-C1", Event: events.CompanyRegistered{Company: "C1"}},
		created("C1", "I1", 1),
		{Stream: "invoice-I1", Event: events.NoteReleased{Note: "N"}},
		{Stream: "invoice-I2", Event: events.CreationAbandoned{}},
		{Stream: "numbering-C2-Testing-001-0005", Event: events.NumberVoided{}},
		{Stream: "certificate-X", Event: events.CertificateExpiryNoticed{Company: "C2", Certificate: "X"}},
	},
		projectiontest.Want{ID: "00000000000000000100-00000000000000000100", List: "C1",
			JSON: `{"company":"C1","type":"CompanyRegistered","stream":"company-C1","revision":0,"position":"C:100/P:100","time":"2026-03-02T15:00:00Z"}`},
		projectiontest.Want{ID: "00000000000000000110-00000000000000000110", List: "C1",
			JSON: `{"company":"C1","type":"InvoiceCreated","stream":"invoice-I1","revision":0,"position":"C:110/P:110","time":"2026-03-02T15:01:00Z"}`},
		projectiontest.Want{ID: "00000000000000000120-00000000000000000120", List: "C1",
			JSON: `{"company":"C1","type":"NoteReleased","stream":"invoice-I1","revision":1,"position":"C:120/P:120","time":"2026-03-02T15:02:00Z"}`},
		projectiontest.Want{ID: "00000000000000000140-00000000000000000140", List: "C2",
			JSON: `{"company":"C2","type":"NumberVoided","stream":"numbering-C2-Testing-001-0005","revision":0,"position":"C:140/P:140","time":"2026-03-02T15:04:00Z"}`},
		projectiontest.Want{ID: "00000000000000000150-00000000000000000150", List: "C2",
			JSON: `{"company":"C2","type":"CertificateExpiryNoticed","stream":"certificate-X","revision":0,"position":"C:150/P:150","time":"2026-03-02T15:05:00Z"}`})
}
