package numbering_test

import (
	"slices"
	"testing"

	"folio/commands/commandtest"
	"folio/commands/numbering"
	"folio/events"
)

func withdrawn(invoice string) events.InvoiceWithdrawn {
	return events.InvoiceWithdrawn{Invoice: invoice, Point: 9003, Move: 1}
}

func withdraw(invoice, after string) numbering.Withdraw {
	return numbering.Withdraw{Invoice: invoice, Point: 9003, After: after}
}

func TestAnInvoiceMovesOnlyIfItsNumberWasNeverSent(t *testing.T) {
	ranged := events.NumberingRangeUploaded{Range: "R1", From: 1, To: 9}
	freed := []events.Event{opened("S1", 1, "a"), settled("S1", result("a", 1, events.NotProcessed))}
	commandtest.Run(t, numbering.Decider,
		row{Name: "one that no submission named", When: withdraw("a", ""), Then: []events.Event{withdrawn("a")}},
		row{Name: "beside one in limbo", Given: []events.Event{opened("S1", 1, "a")}, When: withdraw("b", ""),
			Then: []events.Event{withdrawn("b")}},
		row{Name: "again is nothing new", Given: []events.Event{withdrawn("a")}, When: withdraw("a", "")},
		row{Name: "not to two points", Given: []events.Event{withdrawn("a")},
			When: numbering.Withdraw{Invoice: "a", Point: 9004}, Err: numbering.ErrWithdrawn},
		row{Name: "one in limbo waits", Given: []events.Event{opened("S1", 1, "a", "b")}, When: withdraw("b", ""),
			Err: numbering.ErrNamed},
		row{Name: "one of the last settled submission has a verdict", Given: done, When: withdraw("a", "S1"),
			Err: numbering.ErrNamed},
		row{Name: "one that was sent and not processed keeps its series", Given: freed, When: withdraw("a", "S1"),
			Err: numbering.ErrNamed},
		row{Name: "for as long as it has no verdict",
			Given: append(freed, opened("S2", 1, "b"), settled("S2", accepted("b", 1))), When: withdraw("a", "S2"),
			Err: numbering.ErrNamed},
		row{Name: "who looked before another settlement looks again", Given: done, When: withdraw("b", ""),
			Err: numbering.ErrMoved},
		row{Name: "a held series lets go", Given: []events.Event{events.SeriesHeld{Reason: "r"}}, When: withdraw("a", ""),
			Then: []events.Event{withdrawn("a")}},
		row{Name: "numbers from files have no contingency", Given: []events.Event{ranged}, When: withdraw("a", ""),
			Err: numbering.ErrNoContingency},
	)
}

func TestASubmissionRefusesAWithdrawnInvoice(t *testing.T) {
	returned := events.InvoiceReturned{Invoice: "a", Move: 1, Reason: "no code"}
	back := numbering.Return{Invoice: "a", Move: 1, Reason: "no code"}
	second := events.InvoiceWithdrawn{Invoice: "a", Point: 9003, Move: 2}
	commandtest.Run(t, numbering.Decider,
		row{Name: "it is refused", Given: []events.Event{withdrawn("a")}, When: open("S1", "", 0, "b", "a"),
			Err: numbering.ErrWithdrawn},
		row{Name: "others go", Given: []events.Event{withdrawn("a")}, When: open("S1", "", 0, "b"),
			Then: []events.Event{opened("S1", 1, "b")}},
		row{Name: "one that came back goes", Given: []events.Event{withdrawn("a"), returned}, When: open("S1", "", 0, "a"),
			Then: []events.Event{opened("S1", 1, "a")}},
		row{Name: "it comes back", Given: []events.Event{withdrawn("a")},
			When: back, Then: []events.Event{returned}},
		row{Name: "once", Given: []events.Event{withdrawn("a"), returned},
			When: back},
		row{Name: "it may leave again", Given: []events.Event{withdrawn("a"), returned}, When: withdraw("a", ""),
			Then: []events.Event{second}},
		row{Name: "an old return does not undo a later move", Given: []events.Event{withdrawn("a"), returned, second},
			When: back},
		row{Name: "a contingency point submits nothing", Given: []events.Event{issued(1, "a")}, When: open("S1", "", 0, "b"),
			Err: numbering.ErrContingencyPoint},
	)
}

func issued(number int64, invoice string) events.ContingencyIssued {
	return events.ContingencyIssued{Number: number, Invoice: invoice, Move: 1, Period: "202612-1", SHA256: "h",
		Authorization: events.Authorization{Type: "CAEA", Code: "36"}, ReportFrom: "2026-12-02", DueBy: "2026-12-23"}
}

func TestNumbersOfAContingencyPointHaveNoGapAndNoDouble(t *testing.T) {
	issue := func(number int64, invoice string) numbering.IssueContingency {
		return numbering.IssueContingency{Issued: issued(number, invoice)}
	}
	declined := events.InvoiceReturned{Invoice: "a", Move: 1, Reason: "no code"}
	decline := func(next int64) numbering.Decline {
		return numbering.Decline{Invoice: "a", Move: 1, Next: next, Reason: "no code"}
	}
	again := issued(1, "a")
	again.Move = 2
	foreign := []events.Event{events.ForeignNumbersNoticed{From: 1, To: 4}, events.SeriesHeld{Reason: "r"},
		events.SeriesReleased{}}
	commandtest.Run(t, numbering.Decider,
		row{Name: "the first is 1", When: issue(1, "a"), Then: []events.Event{issued(1, "a")}},
		row{Name: "the next one follows", Given: []events.Event{issued(1, "a")}, When: issue(2, "b"),
			Then: []events.Event{issued(2, "b")}},
		row{Name: "an invoice is issued once", Given: []events.Event{issued(1, "a")}, When: issue(2, "a")},
		row{Name: "a number is taken once", Given: []events.Event{issued(1, "a")}, When: issue(1, "b"),
			Err: numbering.ErrMoved},
		row{Name: "none is left out", Given: []events.Event{issued(1, "a")}, When: issue(3, "b"), Err: numbering.ErrMoved},
		row{Name: "numbers of before Folio are passed over, once an operator has looked", Given: foreign,
			When: issue(5, "a"), Then: []events.Event{issued(5, "a")}},
		row{Name: "a held series issues nothing", Given: []events.Event{events.SeriesHeld{Reason: "r"}},
			When: issue(1, "a"), Err: numbering.ErrHeld},
		row{Name: "a declined move is not issued", Given: []events.Event{declined}, When: issue(1, "a"),
			Err: numbering.ErrDeclined},
		row{Name: "another move of the invoice is", Given: []events.Event{declined},
			When: numbering.IssueContingency{Issued: again}, Then: []events.Event{again}},
		row{Name: "a move is declined", When: decline(1), Then: []events.Event{declined}},
		row{Name: "once", Given: []events.Event{declined}, When: decline(1)},
		row{Name: "not after a document came in between", Given: []events.Event{issued(1, "a")}, When: decline(1),
			Err: numbering.ErrMoved},
		row{Name: "an ordinary point issues nothing by contingency", Given: done, When: issue(2, "b"),
			Err: numbering.ErrOrdinary},
	)
}

func TestAForeignNumberHoldsAContingencyPoint(t *testing.T) {
	held := events.SeriesHeld{Reason: "the authority's last number of the contingency point is 3, and ours is 1: " +
		"another system uses the point of sale"}
	commandtest.Run(t, numbering.Decider,
		row{Name: "above ours", Given: []events.Event{issued(1, "a")}, When: numbering.NoticeForeign{AuthorityLast: 3},
			Then: []events.Event{events.ForeignNumbersNoticed{From: 2, To: 3}, held}},
		row{Name: "below ours is only not reported yet", Given: []events.Event{issued(1, "a"), issued(2, "b")},
			When: numbering.NoticeForeign{AuthorityLast: 1}},
		row{Name: "none", When: numbering.NoticeForeign{}},
	)
}

func reported(states ...events.ReportState) events.ContingencyReportSettled {
	e := events.ContingencyReportSettled{Report: "R1"}
	for i, s := range states {
		e.Outcomes = append(e.Outcomes, events.ReportOutcome{Invoice: string(rune('a' + i)), Number: int64(i + 1),
			Period: "202612-1", State: s})
	}
	return e
}

func TestReportsGoInOrderOfTheirNumbers(t *testing.T) {
	due := []events.Event{issued(1, "a"), issued(2, "b"), issued(3, "c")}
	report := events.ContingencyReportOpened{Report: "R1", First: 1, Invoices: []string{"a", "b"}}
	under := append(append([]events.Event(nil), due...), report)
	settle := func(states ...events.ReportState) numbering.SettleReport {
		return numbering.SettleReport{Report: "R1", Outcomes: reported(states...).Outcomes}
	}
	refused := reported(events.ReportRefused, events.ReportDue)
	refused.Outcomes[0].Messages = []events.AuthorityMessage{{Code: "704", Text: "no"}}
	commandtest.Run(t, numbering.Decider,
		row{Name: "the first ones that are due", Given: due,
			When: numbering.OpenReport{Report: "R1", Invoices: []string{"a", "b"}}, Then: []events.Event{report}},
		row{Name: "not others", Given: due, When: numbering.OpenReport{Report: "R1", Invoices: []string{"b"}},
			Err: numbering.ErrNotDue},
		row{Name: "one at a time", Given: under, When: numbering.OpenReport{Report: "R2", Invoices: []string{"c"}},
			Err: numbering.ErrReportOpen},
		row{Name: "the same again is nothing new", Given: under,
			When: numbering.OpenReport{Report: "R1", Invoices: []string{"a", "b"}}},
		row{Name: "a held series reports nothing", Given: append(due, events.SeriesHeld{Reason: "r"}),
			When: numbering.OpenReport{Report: "R1", Invoices: []string{"a"}}, Err: numbering.ErrHeld},
		row{Name: "all are reported", Given: under, When: settle(events.ReportDone, events.ReportObserved),
			Then: []events.Event{reported(events.ReportDone, events.ReportObserved)}},
		row{Name: "what was not processed is still due", Given: under, When: settle(events.ReportDone, events.ReportDue),
			Then: []events.Event{reported(events.ReportDone, events.ReportDue)}},
		row{Name: "the first refusal holds the series", Given: under,
			When: numbering.SettleReport{Report: "R1", Outcomes: refused.Outcomes},
			Then: []events.Event{refused, events.SeriesHeld{Reason: "the authority refused the report of number 1: 704: no"}}},
		row{Name: "nothing behind a refusal is reported", Given: under,
			When: settle(events.ReportRefused, events.ReportDone), Err: numbering.ErrPartial},
		row{Name: "the first word counts", Given: append(under, reported(events.ReportDone, events.ReportDone)),
			When: settle(events.ReportRefused, events.ReportDue)},
		row{Name: "what is next is what was not reported",
			Given: append(under, reported(events.ReportDone, events.ReportDue)),
			When:  numbering.OpenReport{Report: "R2", Invoices: []string{"b", "c"}, After: "R1"},
			Then:  []events.Event{events.ContingencyReportOpened{Report: "R2", First: 2, Invoices: []string{"b", "c"}}}},
		row{Name: "who looked before another settlement looks again",
			Given: append(under, reported(events.ReportDone, events.ReportDue)),
			When:  numbering.OpenReport{Report: "R2", Invoices: []string{"b"}}, Err: numbering.ErrMoved},
	)
	s := numbering.Decider.Fold(append(under, reported(events.ReportDone, events.ReportDue))...)
	if s.Contingent.Issued["202612-1"] != 3 || s.Contingent.Reported["202612-1"] != 1 || len(s.Contingent.Due) != 2 {
		t.Errorf("%+v", s.Contingent)
	}
}

// After a restore nobody else knows which numbers were given out: the authority hears of them with the reports.
func TestAReleaseNamesTheNextNumberOfAContingencyPoint(t *testing.T) {
	held := events.SeriesHeld{Reason: "restored"}
	release := func(next int64) numbering.Release { return numbering.Release{Reason: "looked", Next: next} }
	released := func(next int64) events.SeriesReleased { return events.SeriesReleased{Reason: "looked", Next: next} }
	used := []events.Event{issued(1, "a"), issued(2, "b"), held}
	on := append(slices.Clone(used), released(5))
	issue := func(number int64) numbering.IssueContingency {
		return numbering.IssueContingency{Issued: issued(number, "c")}
	}
	commandtest.Run(t, numbering.Decider,
		row{Name: "after what the log knows", Given: used, When: release(5), Then: []events.Event{released(5)}},
		row{Name: "the one that comes next anyway", Given: used, When: release(3), Then: []events.Event{released(3)}},
		row{Name: "one that the log knows to be used", Given: used, When: release(2), Err: numbering.ErrTaken},
		row{Name: "never back", Given: append(slices.Clone(on), held), When: release(4), Err: numbering.ErrTaken},
		row{Name: "of a series without documents", Given: []events.Event{held}, When: release(4),
			Then: []events.Event{released(4)}},
		row{Name: "of no range", Given: used, When: numbering.Release{Next: 5, Range: "R1"}, Err: numbering.ErrOutside},
		row{Name: "a held series issues nothing", Given: used, When: issue(3), Err: numbering.ErrHeld},
		row{Name: "it goes on there", Given: on, When: issue(5), Then: []events.Event{issued(5, "c")}},
		row{Name: "and nowhere before", Given: on, When: issue(3), Err: numbering.ErrMoved},
		row{Name: "what was given out before is nothing foreign", Given: on, When: numbering.NoticeForeign{AuthorityLast: 4}},
		row{Name: "the first ones of a series without documents", Given: []events.Event{held, released(4)}, When: issue(4),
			Then: []events.Event{issued(4, "c")}},
	)
	if got := numbering.Decider.Fold(on...).LastContingency(); got != 4 {
		t.Errorf("the last number is %d, 5 was named as the next one", got)
	}
}
