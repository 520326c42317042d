package numbering_test

import (
	"testing"

	"folio/commands/commandtest"
	"folio/commands/numbering"
	"folio/events"
)

func uploaded(id string, from, to int64, expires string) events.NumberingRangeUploaded {
	return events.NumberingRangeUploaded{Range: id, Company: "c", OfficialCode: 33, From: from, To: to, ExpiresOn: expires, Fingerprint: id}
}

func TestRanges(t *testing.T) {
	type C = commandtest.Case[numbering.Command]
	a, b := uploaded("a", 1, 10, "2026-12-31"), uploaded("b", 11, 20, "")
	opened := func(id string, first int64, invoices ...string) events.SubmissionOpened {
		return events.SubmissionOpened{Submission: id, First: first, Invoices: invoices, SHA256: "h", AuthorityLast: first - 1}
	}
	accepted := func(id string, n int64) events.Outcome {
		return events.Outcome{Invoice: id, Number: n, Result: events.Accepted, Authorization: &events.Authorization{Type: "CAF"}}
	}
	refused := []events.AuthorityMessage{{Code: "RCH", Text: "rechazado"}}
	commandtest.Run(t, numbering.Decider,
		C{Name: "a range is added", When: numbering.UploadRange{Range: a}, Then: []events.Event{a}},
		C{Name: "the same file again is nothing new", Given: []events.Event{a}, When: numbering.UploadRange{Range: a}},
		C{Name: "a range that overlaps another is refused", Given: []events.Event{a},
			When: numbering.UploadRange{Range: uploaded("x", 10, 15, "")}, Err: numbering.ErrOverlap},
		C{Name: "the start is configured once", Given: []events.Event{a}, When: numbering.ConfigureStart{Range: "a", From: 5},
			Then: []events.Event{events.NumberingStartConfigured{Range: "a", From: 5}}},
		C{Name: "a second start is refused, a lower one too", Given: []events.Event{a, events.NumberingStartConfigured{Range: "a", From: 5}},
			When: numbering.ConfigureStart{Range: "a", From: 3}, Err: numbering.ErrStarted},
		C{Name: "a start of an unknown range is refused", Given: []events.Event{a}, When: numbering.ConfigureStart{Range: "z", From: 5}, Err: numbering.ErrNoRange},
		C{Name: "the first number is the configured one", Given: []events.Event{a, events.NumberingStartConfigured{Range: "a", From: 5}},
			When: numbering.OpenRanged{Submission: "s", First: 5, Invoices: []string{"i"}, SHA256: "h", Day: "2026-11-27"},
			Then: []events.Event{opened("s", 5, "i")}},
		C{Name: "a number that is not the next is refused", Given: []events.Event{a},
			When: numbering.OpenRanged{Submission: "s", First: 2, Invoices: []string{"i"}, Day: "2026-11-27"}, Err: numbering.ErrMoved},
		C{Name: "a batch does not run over the end of its range", Given: []events.Event{a, events.NumberingStartConfigured{Range: "a", From: 10}, b},
			When: numbering.OpenRanged{Submission: "s", First: 10, Invoices: []string{"i", "j"}, Day: "2026-11-27"}, Err: numbering.ErrMoved},
		C{Name: "an expired range is passed over, the next one serves", Given: []events.Event{a, b},
			When: numbering.OpenRanged{Submission: "s", First: 11, Invoices: []string{"i"}, SHA256: "h", Day: "2027-01-01"},
			Then: []events.Event{opened("s", 11, "i")}},
		C{Name: "on its last day a range still serves", Given: []events.Event{a},
			When: numbering.OpenRanged{Submission: "s", First: 1, Invoices: []string{"i"}, SHA256: "h", Day: "2026-12-31"},
			Then: []events.Event{opened("s", 1, "i")}},
		C{Name: "without a number left nothing opens", Given: []events.Event{a},
			When: numbering.OpenRanged{Submission: "s", First: 1, Invoices: []string{"i"}, Day: "2027-01-01"}, Err: numbering.ErrExhausted},
		C{Name: "a rejected number is voided, it never leaves its invoice", Given: []events.Event{a, opened("s", 1, "i", "j")},
			When: numbering.SettleSubmission{Submission: "s", Outcomes: []events.Outcome{accepted("i", 1), {Invoice: "j", Number: 2, Result: events.Rejected, Messages: refused}}},
			Then: []events.Event{
				events.SubmissionSettled{Submission: "s", Outcomes: []events.Outcome{accepted("i", 1), {Invoice: "j", Number: 2, Result: events.Rejected, Messages: refused}}},
				events.NumberVoided{Number: 2, Invoice: "j", Reasons: refused}}},
		C{Name: "a number of a range cannot go back unprocessed", Given: []events.Event{a, opened("s", 1, "i")},
			When: numbering.SettleSubmission{Submission: "s", Outcomes: []events.Outcome{{Invoice: "i", Number: 1, Result: events.NotProcessed}}}, Err: numbering.ErrPartial},
		C{Name: "each notice is given once", Given: []events.Event{a, events.NumberingNoticed{Kind: "quantity", Notice: 1, Range: "a"}},
			When: numbering.Notice{Notice: events.NumberingNoticed{Kind: "quantity", Notice: 1, Range: "a", Remaining: 2}}},
	)
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
