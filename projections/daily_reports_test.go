package projections_test

import (
	"testing"

	"folio/events"
	"folio/projections"
	"folio/projections/projectiontest"
)

func TestDailyReportsShowEachSendingOfADay(t *testing.T) {
	const stream = "dailyreport-C1-Production-2026-03-01"
	sent := func(sequence int, used int64) given {
		return given{Stream: stream, Event: events.DailyReportSent{Company: "C1", Environment: "Production",
			Date: "2026-03-01", Sending: sequence, Sequence: sequence, Used: used, Annulled: 1}}
	}
	projectiontest.Check(t, projections.DailyReports, []given{
		sent(1, 10),
		{Stream: stream, Event: events.DailyReportRejected{Sending: 1,
			Reasons: []events.AuthorityMessage{{Code: "R04", Text: "No cumple"}}}},
		sent(2, 11),
		{Stream: stream, Event: events.DailyReportAccepted{Sending: 2, Receipt: "77", Sandbox: true}},
		sent(3, 12),
	},
		projectiontest.Want{ID: "C1-Production-2026-03-01-1", List: "C1", Ordinal: 1,
			JSON: `{"id":"C1-Production-2026-03-01-1","company":"C1","environment":"Production","date":"2026-03-01","sequence":1,"status":"Rejected","used":10,"annulled":1,
			"reasons":[{"code":"R04","text":"No cumple"}],"sent_at":"2026-03-02T15:00:00Z","decided_at":"2026-03-02T15:01:00Z"}`},
		projectiontest.Want{ID: "C1-Production-2026-03-01-2", List: "C1", Ordinal: 2,
			JSON: `{"id":"C1-Production-2026-03-01-2","company":"C1","environment":"Production","date":"2026-03-01","sequence":2,"status":"Accepted","used":11,"annulled":1,
			"receipt":"77","sandbox":true,"sent_at":"2026-03-02T15:02:00Z","decided_at":"2026-03-02T15:03:00Z"}`},
		projectiontest.Want{ID: "C1-Production-2026-03-01-3", List: "C1", Ordinal: 3,
			JSON: `{"id":"C1-Production-2026-03-01-3","company":"C1","environment":"Production","date":"2026-03-01","sequence":3,"status":"In process","used":12,"annulled":1,
			"sent_at":"2026-03-02T15:04:00Z"}`},
	)
}
