package invoice_test

import (
	"strings"
	"testing"

	"folio/commands/commandtest"
	"folio/commands/invoice"
	"folio/events"
	"folio/money"
)

// worth is an accepted invoice of 242.
func worth(es ...events.Event) []events.Event {
	first := created
	first.Document.Totals.Total, first.Document.Currency.Code = money.FromInt(242), "ARS"
	return append([]events.Event{first, started, numbered, accepted}, es...)
}

func taking(n int64) []events.Portion {
	return []events.Portion{{Takes: true, Amount: money.FromInt(n)}}
}
func adding(n int64) []events.Portion { return []events.Portion{{Amount: money.FromInt(n)}} }

func back(via string, n int64) []events.Portion {
	return []events.Portion{{Via: via, Amount: money.FromInt(n)}}
}

func reserving(note string, attempt int, p []events.Portion) invoice.ReserveNote {
	return invoice.ReserveNote{Company: "C1", Note: note, Type: "NCA", Credit: p[0].Takes, Attempt: attempt, Portions: p}
}

func reserved(note string, attempt int, p []events.Portion) events.NoteReserved {
	return events.NoteReserved{Note: note, Type: "NCA", Attempt: attempt, Portions: p}
}

func counting(note string, p []events.Portion) invoice.CountNote {
	return invoice.CountNote{Note: note, Type: "NCA", Date: "2026-12-20", ReasonCode: "1", Portions: p}
}

func counted(note string, p []events.Portion) events.NoteCounted {
	return events.NoteCounted{Note: note, Type: "NCA", Date: "2026-12-20", Portions: p}
}

func TestANoteReservesBeforeItIsCreated(t *testing.T) {
	gone := events.InvoiceCancelled{CreditNote: "N1", Date: "2026-12-20", ReasonCode: "1"}
	commandtest.Run(t, invoice.Decider,
		row{Name: "all of it", Given: worth(), When: reserving("N1", 0, taking(242)),
			Then: []events.Event{reserved("N1", 0, taking(242))}},
		row{Name: "the same again is nothing new", Given: worth(reserved("N1", 0, taking(242))),
			When: reserving("N1", 0, taking(242))},
		row{Name: "a cent too much", Given: worth(),
			When: reserving("N1", 0, []events.Portion{{Takes: true, Amount: money.MustParse("242.01")}}),
			Err:  invoice.ErrExceeds},
		row{Name: "an open note keeps its part", Given: worth(reserved("N1", 0, taking(142))),
			When: reserving("N2", 0, taking(101)), Err: invoice.ErrExceeds},
		row{Name: "the rest", Given: worth(reserved("N1", 0, taking(142))), When: reserving("N2", 0, taking(100)),
			Then: []events.Event{reserved("N2", 0, taking(100))}},
		row{Name: "what a rejected note gave back",
			Given: worth(reserved("N1", 0, taking(242)), events.NoteReleased{Note: "N1"}), When: reserving("N2", 0, taking(242)),
			Then: []events.Event{reserved("N2", 0, taking(242))}},
		row{Name: "an accepted note counts", Given: worth(reserved("N1", 0, taking(142)), counted("N1", taking(142))),
			When: reserving("N2", 0, taking(101)), Err: invoice.ErrExceeds},
		row{Name: "a whole one is cancelled", Given: worth(counted("N1", taking(242)), gone),
			When: reserving("N2", 0, taking(1)), Err: invoice.ErrAlreadyCancelled},
		row{Name: "also for an old note", Given: worth(gone), When: reserving("N2", 0, taking(1)),
			Err: invoice.ErrAlreadyCancelled},
		row{Name: "a note of nothing, too", Given: worth(gone), When: reserving("N2", 0, taking(0)),
			Err: invoice.ErrAlreadyCancelled},
		row{Name: "a debit note adds once it is accepted", Given: worth(reserved("D1", 0, adding(100))),
			When: reserving("N1", 0, taking(243)), Err: invoice.ErrExceeds},
		row{Name: "accepted", Given: worth(counted("D1", adding(100))), When: reserving("N1", 0, taking(342)),
			Then: []events.Event{reserved("N1", 0, taking(342))}},
		row{Name: "a debit note to a cancelled one", Given: worth(gone), When: reserving("D1", 0, adding(5)),
			Then: []events.Event{reserved("D1", 0, adding(5))}},
		row{Name: "a debit note gives back what a credit note took", Given: worth(counted("N1", taking(242)), gone),
			When: reserving("D1", 0, back("N1", 242)),
			Then: []events.Event{reserved("D1", 0, back("N1", 242))}},
		row{Name: "no more than that", Given: worth(counted("N1", taking(42))), When: reserving("D1", 0, back("N1", 43)),
			Err: invoice.ErrExceeds},
		row{Name: "no more than that together", Given: worth(counted("N1", taking(42)), reserved("D1", 0, back("N1", 40))),
			When: reserving("D2", 0, back("N1", 3)), Err: invoice.ErrExceeds},
		row{Name: "given back is left again", Given: worth(counted("N1", taking(242)), gone, counted("D1", back("N1", 242))),
			When: reserving("N2", 0, taking(242)),
			Then: []events.Event{reserved("N2", 0, taking(242))}},
		row{Name: "a later attempt takes the place of the first", Given: worth(reserved("N1", 0, taking(242))),
			When: reserving("N1", 1, taking(242)),
			Then: []events.Event{reserved("N1", 1, taking(242))}},
		row{Name: "an attempt that is over", Given: worth(reserved("N1", 1, taking(242))),
			When: reserving("N1", 0, taking(242)), Err: invoice.ErrAbandoned},
		row{Name: "of an invoice that is not accepted", Given: history(), When: reserving("N1", 0, taking(1)),
			Err: invoice.ErrNotOpen},
		row{Name: "of another company's", Given: worth(),
			When: invoice.ReserveNote{Company: "C2", Note: "N1", Portions: taking(1)}, Err: invoice.ErrUnknown},
	)
}

func TestANoteCountsOrGivesBack(t *testing.T) {
	gone := events.InvoiceCancelled{CreditNote: "N1", Date: "2026-12-20", ReasonCode: "1"}
	commandtest.Run(t, invoice.Decider,
		row{Name: "a part", Given: worth(reserved("N1", 0, taking(100))), When: counting("N1", taking(100)),
			Then: []events.Event{counted("N1", taking(100))}},
		row{Name: "the whole cancels", Given: worth(reserved("N1", 0, taking(242))), When: counting("N1", nil),
			Then: []events.Event{counted("N1", taking(242)), gone}},
		row{Name: "two halves cancel", Given: worth(counted("N0", taking(121)), reserved("N1", 0, taking(121))),
			When: counting("N1", nil), Then: []events.Event{counted("N1", taking(121)), gone}},
		row{Name: "again is nothing new", Given: worth(counted("N1", taking(242)), gone), When: counting("N1", taking(242))},
		row{Name: "an old note is counted once", Given: worth(gone), When: counting("N1", taking(242))},
		row{Name: "one without a reservation counts", Given: worth(), When: counting("N1", taking(242)),
			Then: []events.Event{counted("N1", taking(242)), gone}},
		row{Name: "in what is not accepted", Given: history(), When: counting("N1", taking(1)), Err: invoice.ErrNotOpen},
		row{Name: "in nothing", When: counting("N1", taking(1)), Err: invoice.ErrUnknown},
		row{Name: "a rejected one gives back", Given: worth(reserved("N1", 0, taking(1))),
			When: invoice.ReleaseNote{Note: "N1"}, Then: []events.Event{events.NoteReleased{Note: "N1"}}},
		row{Name: "once", Given: worth(), When: invoice.ReleaseNote{Note: "N1"}},
		row{Name: "not that of a later attempt", Given: worth(reserved("N1", 1, taking(1))),
			When: invoice.ReleaseNote{Note: "N1"}},
		row{Name: "not when it counts", Given: worth(counted("N1", taking(1))), When: invoice.ReleaseNote{Note: "N1"}},
	)
	s := invoice.Decider.Fold(worth(counted("N1", taking(242)), gone, counted("D1", back("N1", 242)))...)
	if s.Cancelled != "" || s.Balance().String() != "242" || !s.Notes.Credited().IsZero() {
		t.Errorf("given back as a whole: cancelled by %q, balance %s, credited %s", s.Cancelled, s.Balance(),
			s.Notes.Credited())
	}
}

func TestANoteThatIsGivenUpIsNotRecordedLater(t *testing.T) {
	gaveUp := events.CreationAbandoned{}
	again := invoice.Create{Invoice: created, Attempt: 1}
	commandtest.Run(t, invoice.Decider,
		row{Name: "what is not there is given up", When: invoice.AbandonCreation{}, Then: []events.Event{gaveUp}},
		row{Name: "once", Given: []events.Event{gaveUp}, When: invoice.AbandonCreation{}},
		row{Name: "not what is there", Given: history(), When: invoice.AbandonCreation{}, Err: invoice.ErrExists},
		row{Name: "the first attempt comes too late", Given: []events.Event{gaveUp}, When: invoice.Create{Invoice: created},
			Err: invoice.ErrAbandoned},
		row{Name: "the second is recorded", Given: []events.Event{gaveUp}, When: again, Then: []events.Event{created}},
	)
}

func TestARefusalSaysWhatIsLeftAndWhoTookIt(t *testing.T) {
	s := invoice.Decider.Fold(worth(counted("N1", taking(142)), reserved("N2", 0, taking(70)))...)
	_, err := invoice.Decider.Decide(reserving("N3", 0, taking(31)), s)
	for _, want := range []string{"30.00 ARS are left", "of 242", "notes that were accepted took N1 (142.00)",
		"not answered yet take N2 (70.00)"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v lacks %q", err, want)
		}
	}
	s = invoice.Decider.Fold(worth(events.InvoiceCancelled{CreditNote: "N1"})...)
	if _, err = invoice.Decider.Decide(reserving("N3", 0, taking(1)), s); err == nil ||
		!strings.Contains(err.Error(), "N1") {
		t.Errorf("%v does not name the note", err)
	}
}
