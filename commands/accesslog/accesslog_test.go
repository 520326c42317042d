package accesslog_test

import (
	"testing"
	"time"

	"folio/commands/accesslog"
	"folio/commands/commandtest"
	"folio/events"
)

func TestEachReadIsALine(t *testing.T) {
	read := events.CompanyRead{Company: "C1", Account: "A1", Method: "GET", Path: "/api/invoices"}
	commandtest.Run(
		t,
		accesslog.Decider,
		commandtest.Case[accesslog.Record]{
			Name: "the first one",
			When: accesslog.Record{Read: read},
			Then: []events.Event{read},
		},
		commandtest.Case[accesslog.Record]{Name: "the same again is another line", Given: []events.Event{read},
			When: accesslog.Record{Read: read}, Then: []events.Event{read}},
	)
	if id := accesslog.ID(
		"C1",
		time.Date(2026, 11, 27, 23, 0, 0, 0, time.FixedZone("", -3*60*60)),
	); id != "C1-2026-11-28" {
		t.Errorf("%s", id)
	}
}
