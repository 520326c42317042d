package dailyreport_test

import (
	"testing"

	"folio/commands/commandtest"
	"folio/commands/dailyreport"
	"folio/events"
)

func TestDailyReport(t *testing.T) {
	type C = commandtest.Case[dailyreport.Command]
	sent := func(sending, sequence int, facts, bytes string) events.DailyReportSent {
		return events.DailyReportSent{Company: "c", Environment: "Production", Date: "2026-11-27", Sending: sending,
			Sequence: sequence, Facts: facts, SHA256: bytes}
	}
	accepted := events.DailyReportAccepted{Sending: 1, Receipt: "4711"}
	refused := events.DailyReportRejected{Sending: 1, Reasons: []events.AuthorityMessage{{Code: "R04", Text: "No cumple"}}}
	asked, insisted := events.DailyReportRequested{Company: "c"}, events.DailyReportRequested{Company: "c", Sequence: 2}
	first, changed := sent(1, 1, "f", "b"), sent(2, 2, "g", "c")
	send := func(e events.DailyReportSent) dailyreport.Command { return dailyreport.Send{Report: e} }
	done := []events.Event{first, accepted}
	bad := []events.Event{first, refused}
	commandtest.Run(t, dailyreport.Decider,
		C{Name: "the first report has sequence 1", When: send(first), Then: []events.Event{first}},
		C{Name: "a first report of another sequence is refused", When: send(changed), Err: dailyreport.ErrMoved},
		C{Name: "the same bytes again are nothing new", Given: []events.Event{first}, When: send(first)},
		C{Name: "while its verdict is not known nothing else is sent", Given: []events.Event{first}, When: send(changed),
			Err: dailyreport.ErrOpen},
		C{Name: "a day that did not change is not reported again", Given: done, When: send(sent(2, 2, "f", "signed again"))},
		C{Name: "a day that changed is reported under the next sequence", Given: done, When: send(changed),
			Then: []events.Event{changed}},
		C{Name: "a sequence is not left out", Given: done, When: send(sent(2, 3, "g", "c")), Err: dailyreport.ErrMoved},
		C{Name: "a refused report is not tried again by itself", Given: bad, When: send(sent(2, 1, "f", "c"))},
		C{Name: "it is when the day changes, and its sequence is still free", Given: bad, When: send(sent(2, 1, "g", "c")),
			Then: []events.Event{sent(2, 1, "g", "c")}},
		C{Name: "and when an operator asks for it", Given: append(bad[:2:2], asked),
			When: send(sent(2, 1, "f", "c")), Then: []events.Event{sent(2, 1, "f", "c")}},
		C{Name: "under the sequence that the operator says", Given: append(bad[:2:2], insisted),
			When: send(sent(2, 2, "f", "c")), Then: []events.Event{sent(2, 2, "f", "c")}},
		C{Name: "and under no other", Given: append(bad[:2:2], insisted), When: send(sent(2, 1, "f", "c")),
			Err: dailyreport.ErrMoved},
		C{Name: "the authority takes it", Given: []events.Event{first}, When: dailyreport.Accept{Verdict: accepted},
			Then: []events.Event{accepted}},
		C{Name: "the authority refuses it", Given: []events.Event{first}, When: dailyreport.Reject{Verdict: refused},
			Then: []events.Event{refused}},
		C{Name: "the first verdict counts", Given: done, When: dailyreport.Reject{Verdict: refused}},
		C{Name: "a verdict of a report that was not sent is refused", Given: done,
			When: dailyreport.Accept{Verdict: events.DailyReportAccepted{Sending: 2}}, Err: dailyreport.ErrNotOpen},
		C{Name: "a refused report can be asked for again", Given: bad, When: dailyreport.Request{Request: asked},
			Then: []events.Event{asked}},
		C{Name: "and once more with a sequence", Given: append(bad[:2:2], asked),
			When: dailyreport.Request{Request: insisted}, Then: []events.Event{insisted}},
		C{Name: "once", Given: append(bad[:2:2], asked), When: dailyreport.Request{Request: asked}},
		C{Name: "an accepted one cannot", Given: done, When: dailyreport.Request{Request: asked},
			Err: dailyreport.ErrNotRefused},
		C{Name: "nor one whose verdict is not known", Given: []events.Event{first}, When: dailyreport.Request{Request: asked},
			Err: dailyreport.ErrOpen},
	)
}
