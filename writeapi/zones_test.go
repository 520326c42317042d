package writeapi_test

import (
	"strings"
	"testing"
	"time"

	"folio/commands/numbering"
	"folio/country/cl"
	"folio/events"
)

// magallanes is a company there, half an hour into 15 July, when it is the 14th in Santiago.
func magallanes(t *testing.T) (*world, shop) {
	w := newWorldOf(t, cl.Rules{})
	w.at = time.Date(2027, 7, 15, 3, 30, 0, 0, time.UTC)
	s := w.owned("77111222-6")
	w.call("PUT", "/api/companies/"+s.id+"/fiscal-profile",
		`{"address":{"country":"CL","region":"CL-MA","address":"Av. Bulnes 100"},"comuna":"Punta Arenas"}`, s.key).want(200)
	return w, s
}

// In winter the day begins in Magallanes an hour before it does in Santiago. The note of an
// invoice of that hour is of its day, and not of the one before it.
func TestACreditNoteIsOfTheCompanysOwnDay(t *testing.T) {
	w, s := magallanes(t)
	body := strings.Replace(plain("FAC", chileanBuyer, "CLP", ""), "2026-11-27", "2027-07-15", 1)
	note := w.credit(s, w.issuedAs(s, "A", 1, body), "").want(201)
	if got := note.object()["invoice_date"]; got != "2027-07-15" {
		t.Errorf("the note is of %v", got)
	}
}

// A range whose last day was yesterday there takes no more documents, as it says.
func TestARangeIsSpentOnTheCompanysOwnDay(t *testing.T) {
	w, s := magallanes(t)
	w.certified(nil)
	w.upload("/api/companies/"+s.id+"/certificates", certificateForm("environment", "Testing"), s.key).want(201)
	w.numbers(s, "FAC", 0, numbering.UploadRange{Range: events.NumberingRangeUploaded{Range: "R1", Company: s.id,
		Environment: "Testing", OfficialCode: 33, From: 1, To: 10, Fingerprint: "R1", ExpiresOn: "2027-07-14"},
		Most: 9, Day: "2027-07-14"})
	body := strings.Replace(plain("FAC", chileanBuyer, "CLP", ""), "2026-11-27", "2027-07-15", 1)
	said := w.call("POST", "/api/invoices/validate", body, s.key).want(200).Body.String()
	if !strings.Contains(said, "NUMBERING_RANGE_EXHAUSTED") {
		t.Error(said)
	}
}
