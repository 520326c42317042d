package numbering_test

import (
	"testing"

	"folio/commands/commandtest"
	"folio/commands/numbering"
	"folio/events"
)

func TestGivingUpOpenNumbers(t *testing.T) {
	held := events.SeriesHeld{Reason: "number 2 is another's"}
	file, open := uploaded("a", 1, 10, ""), opened("S1", 1, "i", "j")
	give := numbering.Release{Reason: "looked", VoidOpen: true}
	given := events.SeriesReleased{Reason: "looked", Voids: "S1"}
	commandtest.Run(t, numbering.Decider,
		row{Name: "an operator gives up what is open", Given: []events.Event{file, open, held}, When: give, Then: []events.Event{given}},
		row{Name: "and names the next number at once", Given: []events.Event{file, open, held},
			When: numbering.Release{Reason: "looked", VoidOpen: true, Next: 7},
			Then: []events.Event{events.SeriesReleased{Reason: "looked", Voids: "S1", Range: "a", Next: 7}}},
		row{Name: "not while documents may be on their way", Given: []events.Event{file, open}, When: give, Err: numbering.ErrNotHeld},
		row{Name: "nothing is open", Given: []events.Event{file, held}, When: give, Err: numbering.ErrNoneOpen},
		row{Name: "where the authority gives out the numbers there is nothing to void", Given: []events.Event{open, held}, When: give, Err: numbering.ErrNothing},
	)
	if s := numbering.Decider.Fold(file, open, held, given); s.Voids == nil || s.Held != "" {
		t.Errorf("%+v: the numbers are not given up", s)
	}
	if s := numbering.Decider.Fold(file, open, held, given, held, events.SeriesReleased{}); s.Voids != nil {
		t.Error("a plain release after another look did not take it back")
	}
	if s := numbering.Decider.Fold(file, open, held, given, settled("S1", accepted("i", 1), accepted("j", 2))); s.Voids != nil {
		t.Error("it outlived the submission that it was for")
	}
	if s := numbering.Decider.Fold(file, open, held, events.SeriesReleased{Voids: "S0"}); s.Voids != nil {
		t.Error("the word about another submission counted")
	}
}
