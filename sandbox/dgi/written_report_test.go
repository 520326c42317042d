package dgi

import (
	"crypto"
	"math/rand/v2"
	"testing"
	"time"

	"folio/country"
	"folio/country/uy"
	"folio/events"
)

// What Folio reports of documents of every kind is in the order of DGI's schema.
func TestTheDailyReportThatFolioWritesIsAccepted(t *testing.T) {
	h := newHouse(t)
	h.now.Add(86400)
	report := uy.Rules{}.NewDailyReport(country.ReportHead{TaxIdentifier: company, Day: "2026-11-27"})
	r := rand.New(rand.NewPCG(1, 2))
	kinds := uy.Rules{}.DocumentTypes()
	for _, k := range kinds {
		for n := int64(1); n <= 3; n++ {
			if err := report.Issued(country.Issued{Document: written(t, k, r).Document, Series: "A", Number: n}); err != nil {
				t.Fatal(err)
			}
		}
		report.Refused(k.Code, "A", 5, []events.AuthorityMessage{{Code: "E05"}})
	}
	text, err := report.Content(1, noon.Add(24*time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	if got := h.sendReport(h.sign(t, string(text), "Reporte", crypto.SHA256)); got != "AR" {
		t.Fatalf("%s: %s\n%s", got, h.server.Calls()[0].Verdict, text)
	}
	list, err := h.server.Reports(t.Context(), company, 1)
	if err != nil || len(list[0].Summaries) != len(kinds) {
		t.Fatalf("%+v, %v", list, err)
	}
	for _, s := range list[0].Summaries {
		if s.Used != 4 || s.Annulled != 1 || len(s.Numbers) != 2 || s.Voided[0] != (Range{"A", 5, 5}) {
			t.Errorf("%+v", s)
		}
	}
}
