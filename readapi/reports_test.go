package readapi_test

import (
	"testing"

	"folio/events"
)

func TestTheDailyReportsOfACompany(t *testing.T) {
	const stream = "dailyreport-C1-Production-2026-11-26"
	sent := func(sending int) given {
		return given{Stream: stream, Event: events.DailyReportSent{Company: "C1", Environment: "Production",
			Date: "2026-11-26", Sending: sending, Sequence: 1, Used: 5, Annulled: 1}}
	}
	w := newWorld(t, company("A1", "C1"), company("A2", "C2"), sent(1),
		given{Stream: stream, Event: events.DailyReportRejected{Sending: 1,
			Reasons: []events.AuthorityMessage{{Code: "R04", Text: "No cumple"}}}},
		sent(2), given{Stream: stream, Event: events.DailyReportAccepted{Sending: 2, Receipt: "77"}})
	var list struct {
		Total int `json:"total_results"`
		Data  []struct {
			Date, Environment, Status string
			Sequence                  int
			Issued, Annulled, Used    int64
			Receipt                   *string
			Reasons                   []struct{ Code, Message string }
		}
	}
	w.get("/api/companies/C1/daily-reports", key1).want(200).into(&list)
	if list.Total != 2 || len(list.Data) != 2 {
		t.Fatalf("list %+v", list)
	}
	last, first := list.Data[0], list.Data[1]
	if last.Status != "Accepted" || last.Receipt == nil || *last.Receipt != "77" || last.Issued != 4 ||
		last.Annulled != 1 || last.Used != 5 || last.Reasons == nil {
		t.Errorf("the last one is %+v", last)
	}
	if first.Status != "Rejected" || first.Date != "2026-11-26" || first.Sequence != 1 || first.Receipt != nil ||
		len(first.Reasons) != 1 || first.Reasons[0].Code != "R04" {
		t.Errorf("the first one is %+v", first)
	}
	w.get("/api/companies/C2/daily-reports", key2).want(200).into(&list)
	if list.Total != 0 || list.Data == nil {
		t.Errorf("a company without reports: %+v", list)
	}
	w.get("/api/companies/C1/daily-reports", key2).fails(403, "OTHER_COMPANY")
}
