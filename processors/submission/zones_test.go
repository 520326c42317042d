package submission_test

import (
	"testing"
	"time"

	"folio/authority/drivertest"
	"folio/commands/numbering"
	"folio/events"
	"folio/waiting"
)

// In winter the day begins in Magallanes an hour before it does in Santiago, and what is
// signed is dated so. A range whose last day was yesterday there is not used any more: SII
// compares that day with the date of the signature, and the folio would be void.
func TestARangeEndsOnTheCompanysOwnDay(t *testing.T) {
	n := chile()
	held := drivertest.Issue(signedCA(), n.as, n.holder, n.issuer.TaxIdentifier, 300)
	inWorld(t, func(w *world) {
		w.began = w.began.Add(w.Now().Sub(time.Date(2027, 7, 15, 3, 30, 0, 0, time.UTC)))
		authorities, err := n.open(w.t.TempDir(), w.Now)
		if err != nil {
			w.t.Fatal(err)
		}
		w.t.Cleanup(func() { authorities.Close() })
		file, letter, err := n.file(33)
		if err != nil {
			w.t.Fatal(err)
		}
		series := numbering.Series{Company: "C1", Environment: "Testing", OfficialCode: 33}.ID()
		if err := w.tickets.Seal(w.t.Context(), "range/last", file); err != nil {
			w.t.Fatal(err)
		}
		w.record("numbering-"+series, events.NumberingRangeUploaded{Range: "R", Company: "C1", Environment: "Testing",
			OfficialCode: 33, Series: letter, From: 1, To: 1000, Authority: "9026", Fingerprint: "A", Secret: "range/last",
			ExpiresOn: "2027-07-14"})
		w.settleBare(n, held, authorities)
		profile := n.profile()
		profile.Address.Region = "CL-MA"
		w.record("company-C1", events.FiscalProfileSet{Profile: profile})
		w.start()
		w.create(n, "FAC")
		w.until("the invoice waits for a range", time.Hour, w.waits(series, waiting.RangeExhausted))
	})
}
