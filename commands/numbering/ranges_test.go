package numbering_test

import (
	"slices"
	"testing"

	"folio/commands/commandtest"
	"folio/commands/numbering"
	"folio/events"
)

func uploaded(id string, from, to int64, expires string) events.NumberingRangeUploaded {
	return events.NumberingRangeUploaded{Range: id, Company: "c", OfficialCode: 33, From: from, To: to, ExpiresOn: expires,
		Fingerprint: id}
}

func TestRanges(t *testing.T) {
	type C = commandtest.Case[numbering.Command]
	a, b := uploaded("a", 1, 10, "2026-12-31"), uploaded("b", 11, 20, "")
	opened := func(id string, first int64, invoices ...string) events.SubmissionOpened {
		return events.SubmissionOpened{Submission: id, First: first, Invoices: invoices, SHA256: "h",
			AuthorityLast: first - 1}
	}
	in := func(r string, o events.SubmissionOpened) events.SubmissionOpened {
		o.Range = r
		return o
	}
	accepted := func(id string, n int64) events.Outcome {
		return events.Outcome{Invoice: id, Number: n, Result: events.Accepted,
			Authorization: &events.Authorization{Type: "CAF"}}
	}
	held := events.SeriesHeld{Reason: "restored"}
	refused := []events.AuthorityMessage{{Code: "RCH", Text: "rechazado"}}
	commandtest.Run(t, numbering.Decider,
		C{Name: "a range is added", When: numbering.UploadRange{Range: a}, Then: []events.Event{a}},
		C{Name: "the same file again is nothing new", Given: []events.Event{a}, When: numbering.UploadRange{Range: a}},
		C{Name: "a range that overlaps another is refused", Given: []events.Event{a},
			When: numbering.UploadRange{Range: uploaded("x", 10, 15, "")}, Err: numbering.ErrOverlap},
		C{Name: "as many ranges as a type may have", Given: []events.Event{a, b},
			When: numbering.UploadRange{Range: uploaded("x", 21, 30, ""), Most: 2, Day: "2026-12-31"},
			Err:  numbering.ErrTooMany},
		C{Name: "a range that has expired does not count", Given: []events.Event{a, b},
			When: numbering.UploadRange{Range: uploaded("x", 21, 30, ""), Most: 2, Day: "2027-01-01"},
			Then: []events.Event{uploaded("x", 21, 30, "")}},
		C{Name: "a range that is used up does not count",
			Given: []events.Event{uploaded("a", 1, 1, ""), b, in("a", opened("S1", 1, "i1"))},
			When:  numbering.UploadRange{Range: uploaded("x", 21, 30, ""), Most: 2, Day: "2026-12-31"},
			Then:  []events.Event{uploaded("x", 21, 30, "")}},
		C{Name: "the same file again is nothing new, however many there are", Given: []events.Event{a, b},
			When: numbering.UploadRange{Range: a, Most: 2, Day: "2026-12-31"}},
		C{Name: "the start is configured once", Given: []events.Event{a}, When: numbering.ConfigureStart{Range: "a", From: 5},
			Then: []events.Event{events.NumberingStartConfigured{Range: "a", From: 5}}},
		C{Name: "a second start is refused, a lower one too",
			Given: []events.Event{a, events.NumberingStartConfigured{Range: "a", From: 5}},
			When:  numbering.ConfigureStart{Range: "a", From: 3}, Err: numbering.ErrStarted},
		C{Name: "a start of an unknown range is refused", Given: []events.Event{a},
			When: numbering.ConfigureStart{Range: "z", From: 5}, Err: numbering.ErrNoRange},
		C{Name: "the first number is the configured one",
			Given: []events.Event{a, events.NumberingStartConfigured{Range: "a", From: 5}},
			When: numbering.OpenRanged{Submission: "s", Range: "a", First: 5, Invoices: []string{"i"}, SHA256: "h",
				Day: "2026-11-27"},
			Then: []events.Event{in("a", opened("s", 5, "i"))}},
		C{Name: "a number that is the next one, of another range than the documents were signed with, is refused",
			Given: []events.Event{a},
			When:  numbering.OpenRanged{Submission: "s", Range: "b", First: 1, Invoices: []string{"i"}, Day: "2026-11-27"},
			Err:   numbering.ErrMoved},
		C{Name: "a number that is not the next is refused", Given: []events.Event{a},
			When: numbering.OpenRanged{Submission: "s", Range: "a", First: 2, Invoices: []string{"i"}, Day: "2026-11-27"},
			Err:  numbering.ErrMoved},
		C{Name: "a batch does not run over the end of its range",
			Given: []events.Event{a, events.NumberingStartConfigured{Range: "a", From: 10}, b},
			When:  numbering.OpenRanged{Submission: "s", Range: "a", First: 10, Invoices: []string{"i", "j"}, Day: "2026-11-27"},
			Err:   numbering.ErrMoved},
		C{Name: "an expired range is passed over, the next one serves", Given: []events.Event{a, b},
			When: numbering.OpenRanged{Submission: "s", Range: "b", First: 11, Invoices: []string{"i"}, SHA256: "h",
				Day: "2027-01-01"},
			Then: []events.Event{in("b", opened("s", 11, "i"))}},
		C{Name: "on its last day a range still serves", Given: []events.Event{a},
			When: numbering.OpenRanged{Submission: "s", Range: "a", First: 1, Invoices: []string{"i"}, SHA256: "h",
				Day: "2026-12-31"},
			Then: []events.Event{in("a", opened("s", 1, "i"))}},
		C{Name: "without a number left nothing opens", Given: []events.Event{a},
			When: numbering.OpenRanged{Submission: "s", Range: "a", First: 1, Invoices: []string{"i"}, Day: "2027-01-01"},
			Err:  numbering.ErrExhausted},
		C{Name: "a held series goes on with the number that an operator names",
			Given: []events.Event{a, b, held, events.SeriesReleased{Range: "b", Next: 14}},
			When: numbering.OpenRanged{Submission: "s", Range: "b", First: 14, Invoices: []string{"i"}, SHA256: "h",
				Day: "2026-11-27"},
			Then: []events.Event{in("b", opened("s", 14, "i"))}},
		C{Name: "a rejected number is voided, it never leaves its invoice",
			Given: []events.Event{a, opened("s", 1, "i", "j")},
			When: numbering.SettleSubmission{Submission: "s",
				Outcomes: []events.Outcome{accepted("i", 1),
					{Invoice: "j", Number: 2, Result: events.Rejected, Messages: refused}}},
			Then: []events.Event{
				events.SubmissionSettled{Submission: "s",
					Outcomes: []events.Outcome{accepted("i", 1),
						{Invoice: "j", Number: 2, Result: events.Rejected, Messages: refused}}},
				events.NumberVoided{Number: 2, Invoice: "j", Reasons: refused}}},
		C{Name: "a number of a range cannot go back unprocessed", Given: []events.Event{a, opened("s", 1, "i")},
			When: numbering.SettleSubmission{Submission: "s",
				Outcomes: []events.Outcome{{Invoice: "i", Number: 1, Result: events.NotProcessed}}}, Err: numbering.ErrPartial},
		C{Name: "each notice is given once", Given: []events.Event{a,
			events.NumberingNoticed{Kind: "quantity", Notice: 1, Range: "a"}},
			When: numbering.Notice{Notice: events.NumberingNoticed{Kind: "quantity", Notice: 1, Range: "a", Remaining: 2}}},
	)
}

func TestTheLastNumberIsTheOneThatWasTakenLast(t *testing.T) {
	lettered := func(id, letter string, from, to int64) events.NumberingRangeUploaded {
		r := uploaded(id, from, to, "")
		r.Series = letter
		return r
	}
	opened := func(id, of string, first int64, invoices ...string) events.SubmissionOpened {
		return events.SubmissionOpened{Submission: id, Range: of, First: first, Invoices: invoices}
	}
	settled := func(id string, result events.Result, n int64) events.SubmissionSettled {
		return events.SubmissionSettled{Submission: id, Outcomes: []events.Outcome{{Invoice: "i", Number: n, Result: result}}}
	}
	aa, b := lettered("aa", "AA", 9_999_998, 9_999_999), lettered("b", "1B", 5, 50)
	spent := []events.Event{aa, b, opened("s", "aa", 9_999_999, "i"), settled("s", events.Accepted, 9_999_999)}
	for _, c := range []struct {
		name   string
		given  []events.Event
		letter string
		number int64
	}{
		{"none", []events.Event{aa, b}, "", 0},
		{"in the first range", spent, "AA", 9_999_999},
		{"lower, in the next range", append(spent[:4:4], opened("t", "b", 5, "i", "j")), "1B", 6},
		{"of a refused document", append(spent[:4:4], opened("t", "b", 5, "i"), settled("t", events.Rejected, 5)), "1B", 5},
		{"where the authority counts, accepted",
			[]events.Event{opened("s", "", 7, "i"), settled("s", events.Accepted, 7), opened("t", "", 8, "i")}, "", 7},
		{"of a contingency point, issued", []events.Event{issued(3, "i")}, "", 3},
	} {
		if letter, number := numbering.Decider.Fold(c.given...).LastTaken(); letter != c.letter || number != c.number {
			t.Errorf("%s: %q %d, want %q %d", c.name, letter, number, c.letter, c.number)
		}
	}
}

func TestRemainingCountsWhatStillServes(t *testing.T) {
	s := numbering.Decider.Fold(uploaded("a", 1, 10, "2026-12-31"), uploaded("b", 11, 20, ""),
		events.SubmissionOpened{Submission: "s", First: 1, Invoices: []string{"i", "j", "k"}})
	for _, c := range []struct {
		day         string
		left, total int64
	}{{"2026-12-31", 17, 20}, {"2027-01-01", 10, 10}} {
		if left, total := s.Remaining(c.day); left != c.left || total != c.total {
			t.Errorf("on %s: %d of %d, want %d of %d", c.day, left, total, c.left, c.total)
		}
	}
}

// cae is a range of Uruguay: its numbers belong to a series letter.
func cae(id, letter string, from, to int64) events.NumberingRangeUploaded {
	return events.NumberingRangeUploaded{Range: id, Company: "c", OfficialCode: 111, Series: letter, From: from, To: to,
		Authority: "NA " + id, Fingerprint: id}
}

func TestSeriesLetters(t *testing.T) {
	type C = commandtest.Case[numbering.Command]
	a, b := cae("a", "A", 1, 3), cae("b", "B", 1, 3)
	open := func(id, r string, first int64, invoices ...string) events.SubmissionOpened {
		return events.SubmissionOpened{Submission: id, Range: r, First: first, Invoices: invoices, SHA256: "h",
			AuthorityLast: first - 1}
	}
	rejected := func(invoice string, n int64) []events.Outcome {
		return []events.Outcome{{Invoice: invoice, Number: n, Result: events.Rejected}}
	}
	copied := a
	copied.Range, copied.Fingerprint = "x", "saved again with other spaces"
	caf := uploaded("a", 1, 10, "")
	caf.Authority, caf.IssuedOn = "300", "2026-10-05"
	cafCopied, cafOther := caf, caf
	cafCopied.Fingerprint, cafOther.Fingerprint, cafOther.IssuedOn = "saved with other line ends", "another day's",
		"2026-10-06"
	usedUp := []events.Event{a, b, open("s", "a", 1, "i", "j", "k"),
		events.SubmissionSettled{Submission: "s", Outcomes: []events.Outcome{{Invoice: "i"}, {Invoice: "j"}, {Invoice: "k"}}}}
	commandtest.Run(t, numbering.Decider,
		C{Name: "the same numbers in another series are another range", Given: []events.Event{a},
			When: numbering.UploadRange{Range: b}, Then: []events.Event{b}},
		C{Name: "the same numbers in the same series are refused", Given: []events.Event{a, b},
			When: numbering.UploadRange{Range: cae("x", "A", 3, 9)}, Err: numbering.ErrOverlap},
		C{Name: "the same authorisation in another copy of its file is nothing new", Given: []events.Event{a, b},
			When: numbering.UploadRange{Range: copied}},
		C{Name: "another copy of a file of Chile is nothing new", Given: []events.Event{caf},
			When: numbering.UploadRange{Range: cafCopied}},
		C{Name: "the same numbers of another day are refused", Given: []events.Event{caf},
			When: numbering.UploadRange{Range: cafOther}, Err: numbering.ErrOverlap},
		C{Name: "the second series begins at its own first number", Given: usedUp,
			When: numbering.OpenRanged{Submission: "t", Range: "b", First: 1, Invoices: []string{"l"}, SHA256: "h",
				Day: "2026-11-27", After: "s"},
			Then: []events.Event{open("t", "b", 1, "l")}},
		C{Name: "a rejected number is voided in its own series",
			Given: append(usedUp[:len(usedUp):len(usedUp)], open("t", "b", 2, "l")),
			When:  numbering.SettleSubmission{Submission: "t", After: "s", Outcomes: rejected("l", 2)},
			Then: []events.Event{events.SubmissionSettled{Submission: "t", Outcomes: rejected("l", 2)},
				events.NumberVoided{Number: 2, Series: "B", Invoice: "l"}}},
	)
	s := numbering.Decider.Fold(append(usedUp[:len(usedUp):len(usedUp)], open("t", "b", 1, "l"))...)
	if left, total := s.Remaining("2026-11-27"); left != 2 || total != 3 {
		t.Errorf("%d of %d left, want 2 of 3: series B's second number is the next", left, total)
	}
	if got := s.Letter(s.Open[0].SubmissionOpened); got != "B" {
		t.Errorf("the open submission is of series %q, want B", got)
	}
	old := numbering.Decider.Fold(uploaded("r", 1, 9, ""),
		events.SubmissionOpened{Submission: "s", First: 1, Invoices: []string{"i", "j"}})
	if r, ok := old.RangeOf(old.Open[0].SubmissionOpened, 2); !ok || r.Range != "r" || r.Next != 3 {
		t.Errorf("a submission that names no range goes by the number: %+v, %t", r, ok)
	}
}

func TestReleaseWithANextNumber(t *testing.T) {
	type C = commandtest.Case[numbering.Command]
	held := events.SeriesHeld{Reason: "restored"}
	a, b, other := uploaded("a", 1, 10, ""), uploaded("b", 11, 20, ""), uploaded("z", 1, 10, "")
	other.Series = "B"
	used := events.SubmissionOpened{Submission: "s", Range: "a", First: 1, Invoices: []string{"i", "j"}}
	commandtest.Run(t, numbering.Decider,
		C{Name: "in its range", Given: []events.Event{a, b, held}, When: numbering.Release{Reason: "looked", Next: 4},
			Then: []events.Event{events.SeriesReleased{Reason: "looked", Range: "a", Next: 4}}},
		C{Name: "in a later range", Given: []events.Event{a, b, held}, When: numbering.Release{Reason: "looked", Next: 20},
			Then: []events.Event{events.SeriesReleased{Reason: "looked", Range: "b", Next: 20}}},
		C{Name: "the one that comes next anyway", Given: []events.Event{a, used, held},
			When: numbering.Release{Reason: "looked", Next: 3},
			Then: []events.Event{events.SeriesReleased{Reason: "looked", Range: "a", Next: 3}}},
		C{Name: "a number that the log knows to be used", Given: []events.Event{a, used, held},
			When: numbering.Release{Next: 2}, Err: numbering.ErrTaken},
		C{Name: "a number of no range", Given: []events.Event{a, b, held}, When: numbering.Release{Next: 21},
			Err: numbering.ErrOutside},
		C{Name: "a number of another range than the one that is named", Given: []events.Event{a, b, held},
			When: numbering.Release{Next: 4, Range: "b"}, Err: numbering.ErrOutside},
		C{Name: "a number of two series letters", Given: []events.Event{a, other, held}, When: numbering.Release{Next: 4},
			Err: numbering.ErrAmbiguous},
		C{Name: "a number of two series letters and the range of one", Given: []events.Event{a, other, held},
			When: numbering.Release{Next: 4, Range: "z"},
			Then: []events.Event{events.SeriesReleased{Range: "z", Next: 4}}},
		C{Name: "where the authority's last number is the truth", Given: append(slices.Clone(done), held),
			When: numbering.Release{Next: 4}, Err: numbering.ErrNoRanges},
		C{Name: "a series that is not held", Given: []events.Event{a}, When: numbering.Release{Next: 4}},
	)
}
