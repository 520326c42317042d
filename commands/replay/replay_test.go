package replay_test

import (
	"testing"

	"folio/commands/commandtest"
	"folio/commands/replay"
	"folio/events"
)

type row = commandtest.Case[replay.Command]

func at(n uint64) events.Position { return events.Position{Commit: n, Prepare: n} }

func TestAReplay(t *testing.T) {
	started := events.ReplayStarted{Replay: "R", Company: "C1", Webhook: 7, Since: at(5), Planned: 9}
	progressed := events.ReplayProgressed{Done: 4, Reached: at(20)}
	commandtest.Run(t, replay.Decider,
		row{Name: "it starts", When: replay.Start{Replay: started}, Then: []events.Event{started}},
		row{Name: "it starts once", Given: []events.Event{started}, When: replay.Start{Replay: started},
			Err: replay.ErrExists},
		row{Name: "it says how far it came", Given: []events.Event{started}, When: replay.Progress{Done: 4, Reached: at(20)},
			Then: []events.Event{progressed}},
		row{Name: "it never goes back", Given: []events.Event{started, progressed},
			When: replay.Progress{Done: 4, Reached: at(20)}},
		row{Name: "it ends", Given: []events.Event{started, progressed}, When: replay.Finish{Done: 9},
			Then: []events.Event{events.ReplayFinished{Done: 9}}},
		row{Name: "it is cancelled", Given: []events.Event{started}, When: replay.Cancel{Company: "C1"},
			Then: []events.Event{events.ReplayCancelled{}}},
		row{Name: "cancelled twice is cancelled", Given: []events.Event{started, events.ReplayCancelled{}},
			When: replay.Cancel{Company: "C1"}},
		row{Name: "a cancelled one does not end", Given: []events.Event{started, events.ReplayCancelled{}},
			When: replay.Finish{Done: 9}},
		row{Name: "a finished one cannot be cancelled", Given: []events.Event{started, events.ReplayFinished{}},
			When: replay.Cancel{Company: "C1"}, Err: replay.ErrOver},
		row{Name: "another company's is unknown", Given: []events.Event{started}, When: replay.Cancel{Company: "C2"},
			Err: replay.ErrUnknown},
	)
}
