package projections_test

import (
	"testing"

	"folio/events"
	"folio/projections"
	"folio/projections/projectiontest"
)

func TestOutagesShowEachFromItsEdges(t *testing.T) {
	const stream = "outage-C1-Production-sii"
	at := projectiontest.Start
	projectiontest.Check(t, projections.Outages, []given{
		{Stream: stream, Event: events.AuthorityOutageOpened{Outage: "O1", Company: "C1", Environment: "Production",
			Authority: "sii", Cause: "calls", Since: at, Calls: 3,
			Evidence: []events.FailingCall{{At: at, Operation: "upload", Fault: "timeout"}}}},
		{Stream: stream, Event: events.AuthorityOutageClosed{Outage: "O1", Company: "C1", Environment: "Production",
			Authority: "sii", Cause: "call", Operation: "upload", Since: at, Until: at, Seconds: 60}},
		{Stream: stream, Event: events.AuthorityOutageOpened{Outage: "O2", Company: "C1", Environment: "Production",
			Authority: "sii", Cause: "operator", Reason: "cut", Since: at}},
	},
		projectiontest.Want{ID: "O1",
			Attributes: map[string]string{"state": "closed", "company": "C1"},
			JSON: `{"id":"O1","company":"C1","environment":"Production","authority":"sii","state":"closed",
			"since":"2026-03-02T15:00:00Z","opened":{"cause":"calls","at":"2026-03-02T15:00:00Z","actor":"test"},"calls":3,
			"evidence":[{"at":"2026-03-02T15:00:00Z","operation":"upload","fault":"timeout","spared":false}],
			"until":"2026-03-02T15:00:00Z","seconds":60,
			"closed":{"cause":"call","operation":"upload","at":"2026-03-02T15:01:00Z","actor":"test"}}`},
		projectiontest.Want{ID: "O2",
			Attributes: map[string]string{"state": "open", "company": "C1"},
			JSON: `{"id":"O2","company":"C1","environment":"Production","authority":"sii","state":"open",
			"since":"2026-03-02T15:00:00Z",
			"opened":{"cause":"operator","reason":"cut","at":"2026-03-02T15:02:00Z","actor":"test"}}`},
	)
}
