package numbering_test

import (
	"fmt"
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
		row{Name: "what was refused together goes on alone", Given: []events.Event{file, open}, When: command,
			Then: []events.Event{split}},
		row{Name: "once", Given: []events.Event{file, open, split}, When: command},
		row{Name: "also while the series is held: the answer is in hand",
			Given: []events.Event{file, open, events.SeriesHeld{Reason: "looking"}},
			When:  command, Then: []events.Event{split}},
		row{Name: "not a single document", Given: []events.Event{file, opened("S1", 1, "i")}, When: command,
			Err: numbering.ErrWhole},
		row{Name: "not where the authority gives out the numbers", Given: []events.Event{open}, When: command,
			Err: numbering.ErrWhole},
		row{Name: "not another submission", Given: []events.Event{file, opened("S2", 1, "i", "j")}, When: command,
			Err: numbering.ErrNotOpen},
		row{Name: "not a settled one", Given: []events.Event{file, open, settled("S1", outcomes...)}, When: command,
			Err: numbering.ErrNotOpen},
		row{Name: "it is settled as any other, in one append", Given: []events.Event{file, open, split},
			When: numbering.SettleSubmission{Submission: "S1", Outcomes: outcomes},
			Then: []events.Event{settled("S1", outcomes...), events.NumberVoided{Number: 2, Invoice: "j", Reasons: said}}},
		row{Name: "its numbers can be given up",
			Given: []events.Event{file, open, split, events.SeriesHeld{Reason: "looking"}},
			When:  numbering.Release{Reason: "looked", Void: "S1"},
			Then:  []events.Event{events.SeriesReleased{Reason: "looked", Voids: "S1"}}},
	)
	for _, c := range []struct {
		name  string
		facts []events.Event
		split bool
	}{
		{"a log from before there were splits", []events.Event{file, open}, false},
		{"split", []events.Event{file, open, split}, true},
		{"held and released since", []events.Event{file, open, split, events.SeriesHeld{Reason: "r"},
			events.SeriesReleased{}}, true},
		{"settled since", []events.Event{file, open, split, settled("S1", outcomes...)}, false},
		{"another one is open by now", []events.Event{file, open, split, settled("S1", outcomes...),
			opened("S2", 3, "k", "l")}, false},
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

func TestRenewingAnEnvelope(t *testing.T) {
	file, open := uploaded("a", 1, 10, ""), opened("S1", 1, "i", "j")
	said := []events.AuthorityMessage{{Code: "RPT", Text: "Repetido"}}
	fact := func(hash string) events.Event {
		return events.EnvelopeRenewed{Submission: "S1", SHA256: hash, Messages: said}
	}
	renew := func(was, hash string) numbering.RenewEnvelope {
		return numbering.RenewEnvelope{Submission: "S1", Was: was, SHA256: hash, Messages: said}
	}
	held := events.SeriesHeld{Reason: "r"}
	commandtest.Run(t, numbering.Decider,
		row{Name: "what is denied goes out anew", Given: []events.Event{file, open}, When: renew("h", "h1"),
			Then: []events.Event{fact("h1")}},
		row{Name: "the same envelope again is nothing new", Given: []events.Event{file, open, fact("h1")},
			When: renew("h", "h1")},
		row{Name: "and again", Given: []events.Event{file, open, fact("h1")}, When: renew("h1", "h2"),
			Then: []events.Event{fact("h2")}},
		row{Name: "not on an old look", Given: []events.Event{file, open, fact("h1")}, When: renew("h", "h2"),
			Err: numbering.ErrRenewed},
		row{Name: "not for ever", Given: []events.Event{file, open, fact("h1"), fact("h2"), fact("h3")},
			When: renew("h3", "h4"), Err: numbering.ErrRenewed},
		row{Name: "not while its documents go alone",
			Given: []events.Event{file, open, events.SubmissionSplit{Submission: "S1"}}, When: renew("h", "h1"),
			Err: numbering.ErrRenewed},
		row{Name: "not once its numbers were given up",
			Given: []events.Event{file, open, held, events.SeriesReleased{Voids: "S1"}}, When: renew("h", "h1"),
			Err: numbering.ErrRenewed},
		row{Name: "not while the series is held", Given: []events.Event{file, open, held}, When: renew("h", "h1"),
			Err: numbering.ErrHeld},
		row{Name: "not what is settled", Given: []events.Event{file, open, settled("S1", accepted("i", 1), accepted("j", 2))},
			When: renew("h", "h1"), Err: numbering.ErrNotOpen},
		row{Name: "not where the authority gives out the numbers", Given: []events.Event{open}, When: renew("h", "h1"),
			Err: numbering.ErrRenewed},
	)
	if s := numbering.Decider.Fold(file, open, opened("S2", 3, "k"), fact("h1")); s.Open[0].SHA256 != "h1" ||
		s.Open[1].SHA256 != "h" {
		t.Errorf("%+v", s.Open)
	}
}

func TestSeveralSubmissionsAreOpenInASeriesWithRanges(t *testing.T) {
	file, one, two := uploaded("a", 1, 2000, ""), opened("S1", 1, "i"), opened("S2", 2, "j")
	one.Range, two.Range = "a", "a"
	open := func(submission string, first int64, after string, invoices ...string) numbering.OpenRanged {
		return numbering.OpenRanged{Submission: submission, Range: "a", First: first, Invoices: invoices, SHA256: "h",
			Day: "2026-11-27", After: after}
	}
	third := opened("S3", 3, "k")
	third.Range = "a"
	ok := func(i string, n int64) events.Outcome { return accepted(i, n) }
	var many []events.Event
	for n := range int64(200) {
		many = append(many, opened(fmt.Sprint("M", n), n+1, fmt.Sprint("m", n)))
	}
	large := opened("L", 1, make([]string, 1000)...)
	commandtest.Run(t, numbering.Decider,
		row{Name: "one more behind those that are open", Given: []events.Event{file, one, two}, When: open("S3", 3, "", "k"),
			Then: []events.Event{third}},
		row{Name: "an invoice is in one at a time", Given: []events.Event{file, one, two}, When: open("S3", 3, "", "i"),
			Err: numbering.ErrMoved},
		row{Name: "a number is taken once", Given: []events.Event{file, one, two}, When: open("S3", 2, "", "k"),
			Err: numbering.ErrMoved},
		row{Name: "in any order they are settled", Given: []events.Event{file, one, two},
			When: numbering.SettleSubmission{Submission: "S2", Outcomes: []events.Outcome{ok("j", 2)}},
			Then: []events.Event{settled("S2", ok("j", 2))}},
		row{Name: "one after the other is copied", Given: []events.Event{file, one, two, settled("S2", ok("j", 2))},
			When: numbering.SettleSubmission{Submission: "S1", Outcomes: []events.Outcome{ok("i", 1)}}, Err: numbering.ErrMoved},
		row{Name: "and the next settled then", Given: []events.Event{file, one, two, settled("S2", ok("j", 2))},
			When: numbering.SettleSubmission{Submission: "S1", After: "S2", Outcomes: []events.Outcome{ok("i", 1)}},
			Then: []events.Event{settled("S1", ok("i", 1))}},
		row{Name: "the first word counts", Given: []events.Event{file, one, two, settled("S2", ok("j", 2))},
			When: numbering.SettleSubmission{Submission: "S2", Outcomes: []events.Outcome{ok("j", 2)}}},
		row{Name: "a hold stops all of them", Given: []events.Event{file, one, events.SeriesHeld{Reason: "r"}},
			When: open("S2", 2, "", "j"), Err: numbering.ErrHeld},
		row{Name: "no more than the limit", Given: append([]events.Event{file}, many...), When: open("S3", 201, "", "k"),
			Err: numbering.ErrOpen},
		row{Name: "no more documents than the limit", Given: []events.Event{file, large}, When: open("S3", 1001, "", "k"),
			Err: numbering.ErrOpen},
	)
	s := numbering.Decider.Fold(file, one, two, settled("S1", ok("i", 1)))
	if _, last := s.LastTaken(); last != 2 || len(s.Open) != 1 || s.Opened.Submission != "S1" {
		t.Errorf("%+v", s)
	}
}
