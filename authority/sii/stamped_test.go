package sii

import (
	"testing"
	"time"

	"folio/authority"
	"folio/events"
)

// A stamp is read in the zone in which it was written: in winter Santiago is an hour behind Magallanes and Aysén.
func TestAStampIsReadInTheTimeOfItsIssuer(t *testing.T) {
	winter, summer := time.Date(2026, 7, 2, 3, 30, 0, 0, time.UTC), time.Date(2026, 1, 2, 3, 30, 0, 0, time.UTC)
	for _, zone := range []string{"", "America/Santiago", "America/Punta_Arenas", "America/Coyhaique"} {
		header := `{}`
		if zone != "" {
			header = `{"issuer":{"time_zone":"` + zone + `"}}`
		}
		d := authority.Document{Document: events.Document{HeaderInfo: []byte(header)}}
		for _, at := range []time.Time{winter, summer} {
			text := moment(d, at)
			if got, ok := stampedAt([]byte("<DD><TSTED>"+text+"</TSTED></DD>"), d); !ok || !got.Equal(at) {
				t.Errorf("%q: a stamp of %s is read as %s", zone, at, got)
			}
		}
	}
	d := authority.Document{Document: events.Document{HeaderInfo: []byte(
		`{"issuer":{"time_zone":"America/Punta_Arenas"}}`)}}
	if got := moment(d, winter); got != "2026-07-02T00:30:00" {
		t.Errorf("Magallanes stamps %s", got)
	}
}
