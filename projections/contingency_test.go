package projections_test

import (
	"testing"

	"folio/events"
	"folio/projections"
	"folio/projections/projectiontest"
)

func TestCodesCountWhatIsIssuedAndReported(t *testing.T) {
	const code, series = "caea-C1-Testing-202612-1", "numbering-C1-Testing-6-9001"
	issued := func(number int64) given {
		return given{Stream: series, Event: events.ContingencyIssued{Number: number, Period: "202612-1"}}
	}
	projectiontest.Check(t, projections.Codes, []given{
		{Stream: code, Event: events.CAEARequested{Company: "C1", Environment: "Testing", Period: "202612", Order: 1}},
		{Stream: code, Event: events.CAEARefused{Reasons: []events.AuthorityMessage{{Code: "15016", Text: "no"}}}},
		{Stream: code, Event: events.CAEAGranted{Code: "36", From: "2026-12-01", To: "2026-12-15",
			ReportUntil: "2026-12-23"}},
		issued(1), issued(2),
		{Stream: series, Event: events.ContingencyReportSettled{Outcomes: []events.ReportOutcome{
			{Number: 1, Period: "202612-1", State: events.ReportObserved},
			{Number: 2, Period: "202612-1", State: events.ReportDue}}}},
		{Stream: code, Event: events.NoMovementRefused{Point: 9002}},
		{Stream: code, Event: events.NoMovementReported{Point: 9002}},
		{Stream: code, Event: events.CAEAWarned{Kind: "one_day_left", Left: 1}},
	}, projectiontest.Want{ID: "C1-Testing-202612-1", List: "C1", Ordinal: 1,
		JSON: `{"id":"C1-Testing-202612-1","company":"C1","environment":"Testing","period":"202612","order":1,"code":"36",
			"from":"2026-12-01","to":"2026-12-15","report_until":"2026-12-23","issued":2,"reported":1,"idle":[9002],"doubted":[],
			"warnings":["one_day_left"]}`})
}

func TestEachContingencyHasItsBeginningAndItsEnd(t *testing.T) {
	const stream = "contingency-C1-Testing-1"
	opened := given{Stream: stream, Event: events.ContingencyOpened{Company: "C1", Environment: "Testing", PointOfSale: 1,
		Point: 9001, Cause: "away", By: "A"}}
	projectiontest.Check(t, projections.Windows, []given{
		opened, {Stream: stream, Event: events.ContingencyClosed{Reason: "back", By: "B"}}, opened,
	}, projectiontest.Want{ID: "C1-Testing-1-0", List: "C1", Ordinal: 1,
		JSON: `{"id":"C1-Testing-1-0","company":"C1","environment":"Testing","point_of_sale":1,"point":9001,"cause":"away",
			"opened_by":"A","opened_at":"2026-03-02T15:00:00Z","closed_at":"2026-03-02T15:01:00Z","closed_by":"B","reason":"back"}`},
		projectiontest.Want{ID: "C1-Testing-1-2", List: "C1", Ordinal: 2,
			JSON: `{"id":"C1-Testing-1-2","company":"C1","environment":"Testing","point_of_sale":1,"point":9001,"cause":"away",
			"opened_by":"A","opened_at":"2026-03-02T15:02:00Z"}`})
}
