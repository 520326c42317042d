package numbering_test

import (
	"slices"
	"testing"

	"folio/commands/commandtest"
	"folio/commands/numbering"
	"folio/events"
)

func TestGivingUpOpenNumbers(t *testing.T) {
	held := events.SeriesHeld{Reason: "number 2 is another's"}
	file, open := uploaded("a", 1, 10, ""), opened("S1", 1, "i", "j")
	give := numbering.Release{Reason: "looked", Void: "S1"}
	given := events.SeriesReleased{Reason: "looked", Voids: "S1"}
	commandtest.Run(t, numbering.Decider,
		row{Name: "an operator gives up what is open", Given: []events.Event{file, open, held}, When: give,
			Then: []events.Event{given}},
		row{Name: "and names the next number at once", Given: []events.Event{file, open, held},
			When: numbering.Release{Reason: "looked", Void: "S1", Next: 7},
			Then: []events.Event{events.SeriesReleased{Reason: "looked", Voids: "S1", Range: "a", Next: 7}}},
		row{Name: "a series that is not held is held and released in one append", Given: []events.Event{file, open},
			When: give,
			Then: []events.Event{events.SeriesHeld{Reason: "looked"}, given}},
		row{Name: "one of several", Given: []events.Event{file, open, opened("S2", 3, "k")},
			When: numbering.Release{Reason: "looked", Void: "S2"},
			Then: []events.Event{events.SeriesHeld{Reason: "looked"}, events.SeriesReleased{Reason: "looked", Voids: "S2"}}},
		row{Name: "what ended meanwhile is not given up, and nothing is left held",
			Given: []events.Event{file, open, settled("S1", accepted("i", 1), accepted("j", 2))},
			When:  give, Err: numbering.ErrNotOpen},
		row{Name: "nothing of that name is open", Given: []events.Event{file, open, held},
			When: numbering.Release{Void: "S9"}, Err: numbering.ErrNotOpen},
		row{Name: "where the authority gives out the numbers there is nothing to void", Given: []events.Event{open, held},
			When: give, Err: numbering.ErrNothing},
	)
	given2 := events.SeriesReleased{Reason: "looked", Voids: "S2"}
	for _, c := range []struct {
		name  string
		facts []events.Event
		voids []string
	}{
		{"given up", []events.Event{file, open, held, given}, []string{"S1"}},
		{"a plain release after another look takes it back",
			[]events.Event{file, open, held, given, held, events.SeriesReleased{}}, nil},
		{"one of two", []events.Event{file, open, opened("S2", 3, "k"), held, given2}, []string{"S2"}},
		{"one after the other", []events.Event{file, open, opened("S2", 3, "k"), held, given2, held, given},
			[]string{"S1", "S2"}},
		{"a plain release takes back both", []events.Event{file, open, opened("S2", 3, "k"), held, given2, held, given, held,
			events.SeriesReleased{}}, nil},
		{"it ends with the submission that it was for",
			[]events.Event{file, open, held, given, settled("S1", accepted("i", 1), accepted("j", 2)), opened("S2", 3, "k")},
			nil},
		{"the word about another submission does not count",
			[]events.Event{file, open, held, events.SeriesReleased{Voids: "S0"}}, nil},
	} {
		s := numbering.Decider.Fold(c.facts...)
		var voids []string
		for _, o := range s.Open {
			if o.Voids != nil {
				voids = append(voids, o.Submission)
			}
		}
		if !slices.Equal(voids, c.voids) || s.Held != "" {
			t.Errorf("%s: %v are given up, want %v; held %q", c.name, voids, c.voids, s.Held)
		}
	}
}
