package outage_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"folio/commands/commandtest"
	"folio/commands/outage"
	"folio/events"
)

var (
	place = outage.Place{Company: "C", Environment: "Production", Authority: "sii"}
	noon  = time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)
	limit = outage.Threshold{Calls: 3, After: 5 * time.Minute}
)

func minute(n int) time.Time { return noon.Add(time.Duration(n) * time.Minute) }

func failing(n int) events.FailingCall {
	return events.FailingCall{At: minute(n), Operation: "upload", Fault: "timeout"}
}

func tally(minutes ...int) (t outage.Tally) {
	for _, n := range minutes {
		t = t.With(failing(n))
	}
	return t
}

func opened(cause string, since, calls int, evidence ...events.FailingCall) events.AuthorityOutageOpened {
	return events.AuthorityOutageOpened{Outage: "O", Company: "C", Environment: "Production", Authority: "sii",
		Cause: cause, Since: minute(since), Calls: calls, Evidence: evidence}
}

func closed(cause string, since, until int) events.AuthorityOutageClosed {
	return events.AuthorityOutageClosed{Outage: "O", Company: "C", Environment: "Production", Authority: "sii",
		Cause: cause, Since: minute(since), Until: minute(until), Seconds: int64(until-since) * 60}
}

func with[E any](e E, change func(*E)) E {
	change(&e)
	return e
}

func TestFailingCallsOpen(t *testing.T) {
	type C = commandtest.Case[outage.Command]
	failed := func(minutes ...int) outage.Failed {
		return outage.Failed{Place: place, Outage: "O", Tally: tally(minutes...), Threshold: limit}
	}
	commandtest.Run(t, outage.Decider,
		C{Name: "enough calls over enough time", When: failed(0, 1, 5),
			Then: []events.Event{opened(outage.ByCalls, 0, 3, failing(0), failing(1), failing(5))}},
		C{Name: "too few calls", When: failed(0, 5)},
		C{Name: "too little time", When: failed(0, 1, 2, 3, 4)},
		C{Name: "no call", When: failed()},
		C{Name: "it is open: another process has told", When: failed(0, 1, 5),
			Given: []events.Event{opened(outage.ByCalls, 0, 3)}},
		C{Name: "calls of before the last outage was closed tell nothing", When: failed(0, 1, 9),
			Given: []events.Event{opened(outage.ByCalls, -9, 3), closed(outage.ByOperator, -9, 1)}},
		C{Name: "calls that failed after it open the next one", When: failed(2, 3, 9),
			Given: []events.Event{opened(outage.ByCalls, -9, 3), closed(outage.ByCall, -9, 1)},
			Then:  []events.Event{opened(outage.ByCalls, 2, 3, failing(2), failing(3), failing(9))}},
		C{Name: "of many calls the first and the last ones are evidence", When: failed(0, 1, 2, 3, 4, 5, 6, 7, 8, 9),
			Then: []events.Event{opened(outage.ByCalls, 0, 10, failing(0), failing(1), failing(2), failing(5), failing(6),
				failing(7), failing(8), failing(9))}},
		C{Name: "calls that end in another order than they began", When: failed(5, 0, 1),
			Then: []events.Event{opened(outage.ByCalls, 0, 3, failing(5), failing(0), failing(1))}},
	)
}

func TestACallThatGetsThroughCloses(t *testing.T) {
	type C = commandtest.Case[outage.Command]
	answered := outage.Answered{Place: place, At: minute(90), Operation: "upload"}
	commandtest.Run(t, outage.Decider,
		C{Name: "what failing calls opened", When: answered, Given: []events.Event{opened(outage.ByCalls, 0, 3)},
			Then: []events.Event{with(closed(outage.ByCall, 0, 90),
				func(e *events.AuthorityOutageClosed) { e.Operation = "upload" })}},
		C{Name: "not what a person opened", When: answered, Given: []events.Event{opened(outage.ByOperator, 0, 0)}},
		C{Name: "nothing is open", When: answered},
		C{Name: "it is closed", When: answered,
			Given: []events.Event{opened(outage.ByCalls, 0, 3), closed(outage.ByCall, 0, 60)}},
		C{Name: "a clock that is behind ends nothing before it began",
			When:  outage.Answered{Place: place, At: minute(-1), Operation: "upload"},
			Given: []events.Event{opened(outage.ByCalls, 0, 3)},
			Then: []events.Event{with(closed(outage.ByCall, 0, 0),
				func(e *events.AuthorityOutageClosed) { e.Operation = "upload" })}},
	)
}

func TestAPersonOpensAndCloses(t *testing.T) {
	type C = commandtest.Case[outage.Command]
	open := outage.Open{Place: place, Outage: "O", Reason: "our line is cut", Since: minute(0)}
	end := outage.Close{Place: place, Outage: "O", Reason: "it is back", At: minute(30)}
	byHand := with(opened(outage.ByOperator, 0, 0),
		func(e *events.AuthorityOutageOpened) { e.Reason = "our line is cut" })
	over := func(e *events.AuthorityOutageClosed) { e.Reason = "it is back" }
	commandtest.Run(t, outage.Decider,
		C{Name: "opens", When: open, Then: []events.Event{byHand}},
		C{Name: "not twice", When: open, Given: []events.Event{opened(outage.ByCalls, 0, 3)}, Err: outage.ErrOpen},
		C{Name: "not before the last one ended", When: open,
			Given: []events.Event{opened(outage.ByCalls, -9, 3), closed(outage.ByCall, -9, 1)}, Err: outage.ErrBefore},
		C{Name: "closes it", When: end, Given: []events.Event{byHand},
			Then: []events.Event{with(closed(outage.ByOperator, 0, 30), over)}},
		C{Name: "closes what failing calls opened", When: end, Given: []events.Event{opened(outage.ByCalls, 0, 3)},
			Then: []events.Event{with(closed(outage.ByOperator, 0, 30), over)}},
		C{Name: "not one that is closed", When: end,
			Given: []events.Event{byHand, closed(outage.ByOperator, 0, 1)}, Err: outage.ErrNotOpen},
		C{Name: "not another one", When: outage.Close{Place: place, Outage: "P", At: minute(30)},
			Given: []events.Event{byHand}, Err: outage.ErrNotOpen},
		C{Name: "not one that never was", When: end, Err: outage.ErrNotOpen},
	)
}

func TestTheStateSaysSinceWhen(t *testing.T) {
	for _, c := range []struct {
		name  string
		given []events.Event
		want  outage.State
	}{
		{"never", nil, outage.State{}},
		{"open", []events.Event{opened(outage.ByCalls, 2, 3)},
			outage.State{Outage: "O", Cause: outage.ByCalls, Since: minute(2)}},
		{"closed", []events.Event{opened(outage.ByCalls, 2, 3), closed(outage.ByCall, 2, 7)},
			outage.State{Until: minute(7)}},
	} {
		got := outage.Decider.Fold(c.given...)
		if diff := cmp.Diff(c.want, got); diff != "" || got.Open() != (c.name == "open") {
			t.Errorf("%s: (-want +got)\n%s", c.name, diff)
		}
	}
}

func TestATallyKeepsWhatEarlierOnesHad(t *testing.T) {
	before := tally(0, 1, 2, 3, 4)
	kept := before.Evidence()
	_, _ = before.With(failing(8)), before.With(failing(9))
	if diff := cmp.Diff(kept, before.Evidence()); diff != "" {
		t.Error(diff)
	}
}

func TestPlacesAreReadAsTheyAreWritten(t *testing.T) {
	if got, err := outage.ParseID(place.ID()); err != nil || got != place {
		t.Errorf("%v, %v", got, err)
	}
	for _, id := range []string{"", "C-Production", "C-Production-sii-1"} {
		if _, err := outage.ParseID(id); err == nil {
			t.Errorf("%q is read", id)
		}
	}
}
