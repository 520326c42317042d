package readapi_test

import (
	"fmt"
	"testing"

	"folio/events"
)

// Why a series is held is told in the reader's language, too.
func TestWhyASeriesIsHeldIsToldInSpanishToo(t *testing.T) {
	const reason = "the authority refused number 7 3 times although it calls it the next one"
	w := newWorld(t, company("A1", "C1"), given{Stream: "numbering-C1-Testing-1-5",
		Event: events.SeriesHeld{Reason: reason}})
	for language, want := range map[string]string{"en": reason,
		"es": "la autoridad rechazó el número 7 3 veces aunque dice que es el siguiente"} {
		var got struct {
			Data []struct{ Held struct{ Reason string } }
		}
		w.get("/api/companies/C1/numbering", key1, "Accept-Language: "+language).want(200).into(&got)
		if len(got.Data) != 1 || got.Data[0].Held.Reason != want {
			t.Errorf("%s: %+v", language, got.Data)
		}
	}
}

// Why a contingency opened and closed is told in the reader's language, and what a person wrote as it was written.
func TestWhyAContingencyOpenedIsToldInSpanishToo(t *testing.T) {
	on := func(e events.Event) given { return given{Stream: "contingency-C1-Production-1", Event: e} }
	opened := events.ContingencyOpened{Company: "C1", Environment: "Production", PointOfSale: 1, Point: 9001,
		Cause:    "the authority has been away for 30 minutes",
		Evidence: []string{"outage 01KJQ8R, by calls, since 2026-11-27T12:00:00Z"}}
	w := newWorld(t, company("A1", "C1"), on(opened), on(events.ContingencyClosed{Reason: "the line is mended"}))
	for language, want := range map[string]string{"en": opened.Cause + " [" + opened.Evidence[0] + "]",
		"es": "la autoridad lleva 30 minutos sin responder " +
			"[interrupción 01KJQ8R, por calls, desde 2026-11-27T12:00:00Z]"} {
		var got struct {
			Data []struct {
				Cause, Reason string
				Evidence      []string
			}
		}
		w.get("/api/companies/C1/contingency/windows", key1, "Accept-Language: "+language).want(200).into(&got)
		if len(got.Data) != 1 || fmt.Sprint(got.Data[0].Cause, " ", got.Data[0].Evidence) != want || got.Data[0].Reason != "the line is mended" {
			t.Errorf("%s: %+v", language, got.Data)
		}
	}
}
