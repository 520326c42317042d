package numbering_test

import (
	"testing"

	"folio/commands/commandtest"
	"folio/commands/numbering"
	"folio/events"
)

type row = commandtest.Case[numbering.Command]

func opened(submission string, first int64, invoices ...string) events.SubmissionOpened {
	return events.SubmissionOpened{Submission: submission, First: first, Invoices: invoices, SHA256: "h",
		AuthorityLast: first - 1}
}

func accepted(invoice string, number int64) events.Outcome {
	return events.Outcome{Invoice: invoice, Number: number, Result: events.Accepted,
		Authorization: &events.Authorization{Type: "CAE", Code: "1"}}
}

func result(invoice string, number int64, r events.Result) events.Outcome {
	return events.Outcome{Invoice: invoice, Number: number, Result: r}
}

func settled(submission string, outcomes ...events.Outcome) events.SubmissionSettled {
	return events.SubmissionSettled{Submission: submission, Outcomes: outcomes}
}

func open(submission, after string, last int64, invoices ...string) numbering.OpenSubmission {
	return numbering.OpenSubmission{Submission: submission, After: after, Invoices: invoices, SHA256: "h",
		AuthorityLast: last}
}

// done is a series whose number 1 was accepted.
var done = []events.Event{opened("S1", 1, "a"), settled("S1", accepted("a", 1))}

func after(more ...events.Event) []events.Event {
	return append(append([]events.Event(nil), done...), more...)
}

func TestOpening(t *testing.T) {
	empty := numbering.OpenSubmission{Submission: "S1", SHA256: "h"}
	if _, err := numbering.Decider.Decide(empty, numbering.State{}); err == nil {
		t.Error("a submission of nothing was opened")
	}
	commandtest.Run(t, numbering.Decider,
		row{Name: "the first submission takes the numbers from 1", When: open("S1", "", 0, "a", "b"),
			Then: []events.Event{opened("S1", 1, "a", "b")}},
		row{Name: "numbers follow the authority's last one", Given: after(), When: open("S2", "S1", 1, "b"),
			Then: []events.Event{opened("S2", 2, "b")}},
		row{Name: "numbers of another system are noticed in the same append", Given: after(), When: open("S2", "S1", 4, "b"),
			Then: []events.Event{events.ForeignNumbersNoticed{From: 2, To: 4}, opened("S2", 5, "b")}},
		row{Name: "numbers from before Folio are noticed once",
			Given: []events.Event{events.ForeignNumbersNoticed{From: 1, To: 50}},
			When:  open("S1", "", 50, "a"), Then: []events.Event{opened("S1", 51, "a")}},
		row{Name: "a freed number is taken again",
			Given: []events.Event{opened("S1", 1, "a"), settled("S1", result("a", 1, events.Rejected))},
			When:  open("S2", "S1", 0, "b"), Then: []events.Event{opened("S2", 1, "b")}},
		row{Name: "an authority that knows less than it accepted holds the series", Given: after(),
			When: open("S2", "S1", 0, "b"),
			Then: []events.Event{events.SeriesHeld{Reason: "the authority says that the last number is 0, but it accepted " +
				"number 1 from us"}}},
		row{Name: "opening the same submission again is nothing new", Given: []events.Event{opened("S1", 1, "a")},
			When: open("S1", "", 0, "a")},
		row{Name: "one submission at a time", Given: []events.Event{opened("S1", 1, "a")}, When: open("S2", "", 0, "b"),
			Err: numbering.ErrOpen},
		row{Name: "a held series opens nothing", Given: []events.Event{events.SeriesHeld{Reason: "r"}},
			When: open("S1", "", 0, "a"), Err: numbering.ErrHeld},
		row{Name: "a released series goes on", Given: []events.Event{events.SeriesHeld{Reason: "r"}, events.SeriesReleased{}},
			When: open("S1", "", 0, "a"), Then: []events.Event{opened("S1", 1, "a")}},
		row{Name: "who read the queue before another owner settled must read it again", Given: after(),
			When: open("S2", "", 0, "a"), Err: numbering.ErrMoved},
	)
}

func TestSettling(t *testing.T) {
	given := []events.Event{opened("S1", 5, "a", "b")}
	good := []events.Outcome{accepted("a", 5), result("b", 6, events.NotProcessed)}
	settle := func(submission string, outcomes ...events.Outcome) numbering.SettleSubmission {
		return numbering.SettleSubmission{Submission: submission, Outcomes: outcomes}
	}
	naked := accepted("a", 5)
	naked.Authorization = nil
	dressed := accepted("b", 6)
	dressed.Result = events.Rejected
	commandtest.Run(t, numbering.Decider,
		row{Name: "every document has its outcome", Given: given, When: settle("S1", good...),
			Then: []events.Event{settled("S1", good...)}},
		row{Name: "the first word counts", Given: append(given, settled("S1", good...)),
			When: settle("S1", result("a", 5, events.Rejected), accepted("b", 6))},
		row{Name: "a submission of old is not settled again",
			Given: append(given, settled("S1", good...), opened("S2", 6, "b"), settled("S2", accepted("b", 6))),
			When:  settle("S1", good...), Err: numbering.ErrNotOpen},
		row{Name: "what is not open is not settled", Given: given, When: settle("S9", good...), Err: numbering.ErrNotOpen},
		row{Name: "nothing is not settled", When: settle("S1", good...), Err: numbering.ErrNotOpen},
		row{Name: "an outcome is missing", Given: given, When: settle("S1", good[0]), Err: numbering.ErrPartial},
		row{Name: "outcomes in another order", Given: given, When: settle("S1", good[1], good[0]), Err: numbering.ErrPartial},
		row{Name: "an outcome under another number", Given: given, When: settle("S1", accepted("a", 6), good[1]),
			Err: numbering.ErrPartial},
		row{Name: "acceptance without an authorization", Given: given, When: settle("S1", naked, good[1]),
			Err: numbering.ErrPartial},
		row{Name: "rejection with an authorization", Given: given, When: settle("S1", good[0], dressed),
			Err: numbering.ErrPartial},
		row{Name: "a held series still settles what is open", Given: append(given, events.SeriesHeld{Reason: "r"}),
			When: settle("S1", good...),
			Then: []events.Event{settled("S1", good...)}},
	)
}

func TestHoldingAndReleasing(t *testing.T) {
	held := events.SeriesHeld{Reason: "r"}
	commandtest.Run(t, numbering.Decider,
		row{Name: "a series is held for a reason", When: numbering.Hold{Reason: "r"}, Then: []events.Event{held}},
		row{Name: "the first reason stands", Given: []events.Event{held}, When: numbering.Hold{Reason: "other"}},
		row{Name: "held for what became of the open submission", Given: []events.Event{opened("S1", 1, "a")},
			When: numbering.Hold{Submission: "S1", Reason: "r"}, Then: []events.Event{held}},
		row{Name: "a settled submission is no reason any more", Given: after(),
			When: numbering.Hold{Submission: "S1", Reason: "r"}, Err: numbering.ErrNotOpen},
		row{Name: "nor one that another followed", Given: after(opened("S2", 2, "b")),
			When: numbering.Hold{Submission: "S1", Reason: "r"}, Err: numbering.ErrNotOpen},
		row{Name: "an operator releases", Given: []events.Event{held}, When: numbering.Release{Reason: "looked"},
			Then: []events.Event{events.SeriesReleased{Reason: "looked"}}},
		row{Name: "what is not held needs no release", When: numbering.Release{}},
	)
}

func TestWhatASeriesRemembers(t *testing.T) {
	s := numbering.Decider.Fold(after(events.ForeignNumbersNoticed{From: 2, To: 4}, opened("S2", 5, "b", "c"),
		settled("S2", accepted("b", 5), result("c", 6, events.Rejected)))...)
	if s.Last != 5 || s.Known != 5 || len(s.Open) > 0 || s.Opened.Submission != "S2" || s.Settled.Submission != "S2" {
		t.Errorf("%+v", s)
	}
	s = numbering.Decider.Fold(opened("S1", 1, "a"), events.SeriesHeld{Reason: "r"}, events.SeriesReleased{})
	if !s.Open[0].Released || s.Held != "" {
		t.Errorf("released with an open submission: %+v", s)
	}
	if s = numbering.Decider.Fold(opened("S1", 1, "a"), events.SeriesHeld{Reason: "r"}, events.SeriesReleased{},
		settled("S1", result("a", 1, events.NotProcessed)), opened("S2", 1, "a")); s.Open[0].Released {
		t.Error("a release outlived the submission that it was for")
	}
}

func TestSeriesNames(t *testing.T) {
	for _, s := range []numbering.Series{
		{Company: "01JABC", Environment: "Testing", OfficialCode: 1, BranchOffice: 1},
		{Company: "01JABC", Environment: "Production", OfficialCode: 211, BranchOffice: 99998},
		{Company: "01JABC", Environment: "Testing", OfficialCode: 33},
	} {
		if got, err := numbering.ParseSeries(s.ID()); err != nil || got != s {
			t.Errorf("%s: %+v, %v", s.ID(), got, err)
		}
	}
	for _, bad := range []string{"", "a-b-c", "a-b-1-x", "a-b-01-1", "a-b-1-1-1", "a/unassigned", "a-b--1-1",
		"a-b-99999999999999999999-1"} {
		if s, err := numbering.ParseSeries(bad); err == nil {
			t.Errorf("%q was taken for %+v", bad, s)
		}
	}
}

func FuzzParseSeries(f *testing.F) {
	f.Add("01J-Testing-1-2")
	f.Add("a-b--1-1")
	f.Fuzz(func(t *testing.T, id string) {
		if s, err := numbering.ParseSeries(id); err == nil && s.ID() != id {
			t.Errorf("%q became %q", id, s.ID())
		}
	})
}
