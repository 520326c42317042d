package verify_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"folio/events"
	"folio/verify"
)

// altered is a log in which the first event of a type is another one.
func altered[E events.Event](facts []fact, f func(E) E) []fact {
	facts = slices.Clone(facts)
	for i, one := range facts {
		if e, ok := one.event.(E); ok {
			facts[i].event = f(e)
			return facts
		}
	}
	panic("the log has no such event")
}

// refused is a submission of one invoice that the authority does not want.
func refused(reasons ...events.AuthorityMessage) []fact {
	out := submission(1, 1, 1, theFile())
	out = altered(out, func(e events.SubmissionSettled) events.SubmissionSettled {
		e.Outcomes = []events.Outcome{{Invoice: e.Outcomes[0].Invoice, Number: 1, Result: events.Rejected, Messages: reasons}}
		return e
	})
	stream := out[0].stream
	return append(out[:len(out)-2], fact{stream, events.AuthorityRejected{Submission: "S0000001", Reasons: reasons}})
}

// issuedAhead is an invoice that was issued by a code given ahead, at the contingency point 9.
func issuedAhead() []fact {
	given := events.Authorization{Type: events.CAEA, Code: "36000000000001"}
	c := created(1)
	invoice := c.event.(events.InvoiceCreated).Invoice
	return []fact{c, {strings.TrimSuffix(series, "-1") + "-9", events.ContingencyIssued{Invoice: invoice, Number: 1,
		Move: 1, Authorization: given}},
		{c.stream, events.NumberAssigned{BranchOffice: 9, Number: 1}},
		{c.stream, events.AuthorityAccepted{Authorization: given}},
		{c.stream, events.AuthorityReportChanged{State: events.ReportDue}}}
}

// What an invoice is told is a copy of what its series says. A copy that was changed, with every checksum right and no
// checkpoint to hold it against, is found where it stands.
func TestAnInvoiceIsToldWhatItsSeriesSays(t *testing.T) {
	good, no := submission(1, 1, 2, theFile()), refused(events.AuthorityMessage{Code: "10016", Text: "no"})
	for name, c := range map[string]struct {
		facts []fact
		place string // "" when nothing is wrong
		what  string
	}{
		"accepted": {facts: good}, "refused": {facts: no}, "issued by contingency": {facts: issuedAhead()},
		"told after the next settlement": {facts: slices.Concat(good[:len(good)-2],
			submission(2, 3, 1, theFile()), good[len(good)-2:])},
		"sent under another number": {altered(good, func(e events.SubmissionStarted) events.SubmissionStarted {
			e.Number = 11
			return e
		}), "revision 1", "its number is 11, and the series C1-Production-1-1 says 1"},
		"sent by a submission that is not there": {altered(good, func(e events.SubmissionStarted) events.SubmissionStarted {
			e.Submission = "S0000009"
			return e
		}), "revision 1", "does not say so"},
		"another number": {altered(good, func(e events.NumberAssigned) events.NumberAssigned {
			e.Number = 11
			return e
		}), "revision 2", "its number is 11, and the series C1-Production-1-1 says 1"},
		"another point of sale": {altered(good, func(e events.NumberAssigned) events.NumberAssigned {
			e.BranchOffice = 2
			return e
		}), "revision 2", "point of sale 2"},
		"another letter": {altered(good, func(e events.NumberAssigned) events.NumberAssigned {
			e.Series = "B"
			return e
		}), "revision 2", `series "B"`},
		"another CAE": {altered(good, func(e events.AuthorityAccepted) events.AuthorityAccepted {
			e.Authorization.Code = "76999999999999"
			return e
		}), "revision 3", "acceptance is not what the series C1-Production-1-1 says"},
		"an observation more": {altered(good, func(e events.AuthorityAccepted) events.AuthorityAccepted {
			e.Observations = []events.AuthorityMessage{{Code: "1", Text: "seen"}}
			return e
		}), "revision 3", "acceptance is not what"},
		"no fiscal value": {altered(good, func(e events.AuthorityAccepted) events.AuthorityAccepted {
			e.Sandbox = true
			return e
		}), "revision 3", "acceptance is not what"},
		"accepted by a submission that is not there": {altered(good,
			func(e events.AuthorityAccepted) events.AuthorityAccepted {
				e.Submission = "S0000009"
				return e
			}), "revision 3", "does not say so"},
		"a yes for a no": {slices.Concat(no[:len(no)-1], good[len(good)-4:len(good)-2]), "revision 3",
			"acceptance is not what the series C1-Production-1-1 says"},
		"another reason": {altered(no, func(e events.AuthorityRejected) events.AuthorityRejected {
			e.Reasons = []events.AuthorityMessage{{Code: "10016", Text: "yes"}}
			return e
		}), "revision 2", "refusal is not what the series C1-Production-1-1 says"},
		"another code given ahead": {altered(issuedAhead(), func(e events.AuthorityAccepted) events.AuthorityAccepted {
			e.Authorization.Code = "36000000000002"
			return e
		}), "revision 2", "acceptance is not what the series C1-Production-1-9 says"},
		"another number of the contingency point": {altered(issuedAhead(),
			func(e events.NumberAssigned) events.NumberAssigned {
				e.Number = 7
				return e
			}), "revision 2", "its number is 7, and the series C1-Production-1-9 says 1"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := verify.Run(t.Context(), newWorld(t, all(c.facts...)).config())
			var d *verify.Difference
			switch {
			case c.place == "" && err != nil:
				t.Fatal(err)
			case c.place != "" && (!errors.As(err, &d) || !strings.HasPrefix(d.Stream, "invoice-")):
				t.Fatalf("it says %v", err)
			case c.place != "" && (!strings.Contains(err.Error(), c.place) || !strings.Contains(err.Error(), c.what)):
				t.Errorf("it says %v", err)
			}
		})
	}
}
