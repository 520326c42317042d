package numbering_test

import (
	"testing"

	"folio/commands/commandtest"
	"folio/commands/numbering"
	"folio/events"
)

func TestSplitting(t *testing.T) {
	file, open := uploaded("a", 1, 10, ""), opened("S1", 1, "i", "j")
	said := []events.AuthorityMessage{{Code: "S04", Text: "No cumple"}}
	split := events.SubmissionSplit{Submission: "S1", Messages: said}
	command := numbering.SplitSubmission{Submission: "S1", Messages: said}
	outcomes := []events.Outcome{accepted("i", 1), {Invoice: "j", Number: 2, Result: events.Rejected, Messages: said}}
	commandtest.Run(t, numbering.Decider,
		row{Name: "what was refused together goes on alone", Given: []events.Event{file, open}, When: command, Then: []events.Event{split}},
		row{Name: "once", Given: []events.Event{file, open, split}, When: command},
		row{Name: "also while the series is held: the answer is in hand", Given: []events.Event{file, open, events.SeriesHeld{Reason: "looking"}},
			When: command, Then: []events.Event{split}},
		row{Name: "not a single document", Given: []events.Event{file, opened("S1", 1, "i")}, When: command, Err: numbering.ErrWhole},
		row{Name: "not where the authority gives out the numbers", Given: []events.Event{open}, When: command, Err: numbering.ErrWhole},
		row{Name: "not another submission", Given: []events.Event{file, opened("S2", 1, "i", "j")}, When: command, Err: numbering.ErrNotOpen},
		row{Name: "not a settled one", Given: []events.Event{file, open, settled("S1", outcomes...)}, When: command, Err: numbering.ErrNotOpen},
		row{Name: "it is settled as any other, in one append", Given: []events.Event{file, open, split},
			When: numbering.SettleSubmission{Submission: "S1", Outcomes: outcomes},
			Then: []events.Event{settled("S1", outcomes...), events.NumberVoided{Number: 2, Invoice: "j", Reasons: said}}},
		row{Name: "its numbers can be given up", Given: []events.Event{file, open, split, events.SeriesHeld{Reason: "looking"}},
			When: numbering.Release{Reason: "looked", Void: "S1"}, Then: []events.Event{events.SeriesReleased{Reason: "looked", Voids: "S1"}}},
	)
	for _, c := range []struct {
		name  string
		facts []events.Event
		split bool
	}{
		{"a log from before there were splits", []events.Event{file, open}, false},
		{"split", []events.Event{file, open, split}, true},
		{"held and released since", []events.Event{file, open, split, events.SeriesHeld{Reason: "r"}, events.SeriesReleased{}}, true},
		{"settled since", []events.Event{file, open, split, settled("S1", outcomes...)}, false},
		{"another one is open by now", []events.Event{file, open, split, settled("S1", outcomes...), opened("S2", 3, "k", "l")}, false},
	} {
		split := false
		for _, o := range numbering.Decider.Fold(c.facts...).Open {
			split = split || o.Split
		}
		if split != c.split {
			t.Errorf("%s: split is %v", c.name, split)
		}
	}
}
