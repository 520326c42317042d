package readapi_test

import (
	"testing"

	"folio/events"
)

// Why a contingency opened and closed is told in the reader's language, and what a person wrote as it was written.
func TestWhyAContingencyOpenedIsToldInSpanishToo(t *testing.T) {
	on := func(e events.Event) given { return given{Stream: "contingency-C1-Production-1", Event: e} }
	opened := events.ContingencyOpened{Company: "C1", Environment: "Production", PointOfSale: 1, Point: 9001,
		Cause: "the authority has been away for 30 minutes"}
	w := newWorld(t, company("A1", "C1"), on(opened), on(events.ContingencyClosed{Reason: "the line is mended"}))
	for language, want := range map[string]string{"en": opened.Cause,
		"es": "la autoridad lleva 30 minutos sin responder"} {
		var got struct {
			Data []struct{ Cause, Reason string }
		}
		w.get("/api/companies/C1/contingency/windows", key1, "Accept-Language: "+language).want(200).into(&got)
		if len(got.Data) != 1 || got.Data[0].Cause != want || got.Data[0].Reason != "the line is mended" {
			t.Errorf("%s: %+v", language, got.Data)
		}
	}
}
