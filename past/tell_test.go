package past_test

import (
	"strings"
	"testing"

	"folio/events"
	"folio/past"
)

func TestASentenceEndsWithOneFullStop(t *testing.T) {
	why := []events.AuthorityMessage{{Code: "10015", Text: "El CUIT no existe."}}
	for _, e := range []events.Event{
		events.InvoiceRefused{Reasons: why}, events.AuthorityRejected{Reasons: why},
		events.AuthorityAccepted{Authorization: events.Authorization{Type: "CAE"}, Observations: why},
		events.NumberVoided{Number: 7, Reasons: why}, events.SeriesHeld{Reason: "It was asked for."},
		events.SeriesReleased{}, events.SeriesReleased{Reason: "It was mended.", Next: 7, Range: "R1", Voids: "S1"},
		events.AuthorityReportChanged{State: events.ReportRefused},
		events.SubmissionSettled{Outcomes: []events.Outcome{{Invoice: "I1", Result: events.Rejected, Messages: why}}},
	} {
		if text := past.Tell(e, "I1"); strings.Contains(text, "..") || strings.Contains(text, ": .") ||
			!strings.HasSuffix(text, ".") {
			t.Errorf("%T: %q", e, text)
		}
	}
}

func TestOneNumberIsNoRange(t *testing.T) {
	for want, e := range map[string]events.Event{
		"used the number 6 of":       events.ForeignNumbersNoticed{From: 6, To: 6},
		"used the numbers 6 to 7 of": events.ForeignNumbersNoticed{From: 6, To: 7},
		"about to be sent.":          events.ContingencyReportOpened{First: 6, Invoices: []string{"I1"}},
		"of the numbers 6 to 7.":     events.ContingencyReportOpened{First: 6, Invoices: []string{"I1", "I2"}},
	} {
		if text := past.Tell(e, "I1"); !strings.Contains(text, want) {
			t.Errorf("%q does not say %q", text, want)
		}
	}
}
