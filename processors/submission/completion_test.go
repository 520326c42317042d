package submission

import (
	"testing"
	"time"

	"folio/commands/company"
	"folio/country/ar"
	"folio/events"
)

func TestAWaitingDocumentTakesTheConditionOfItsDate(t *testing.T) {
	for _, c := range []struct{ name, first, second, want string }{
		{"that in force then", "monotributo", "responsable_inscripto", "monotributo"},
		{"the first one told", "", "exento", "exento"},
		{"the present one, where the other does not issue the class", "responsable_inscripto", "monotributo", "monotributo"},
		{"neither issues it", "responsable_inscripto", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, day := company.State{}, time.Date(2026, 11, 2, 12, 0, 0, 0, time.UTC)
			for i, name := range []string{c.first, c.second} {
				e := events.FiscalProfileSet{Profile: events.FiscalProfile{TaxCondition: name}}
				s = company.Decider.Next(s, e, day.AddDate(0, 0, i))
			}
			d := session{rules: ar.Rules{}, company: s}
			waiting := events.InvoiceCreated{Document: events.Document{Type: "FCC", Date: "2026-11-02 10:00:00"}}
			if got := d.issuerOf(waiting).Profile.TaxCondition; got != c.want {
				t.Errorf("it is completed with %q, want %q", got, c.want)
			}
		})
	}
}
