package numbering

import (
	"slices"

	"folio/events"
)

// OpenSubmission takes consecutive numbers for Invoices, in order, and fixes what
// will be sent under them. The first number follows the authority's last one.
type OpenSubmission struct {
	Submission    string
	Invoices      []string
	SHA256        string
	AuthorityLast int64
	// After is the last settled submission when the queue was read and the authority
	// asked, empty for none. If another owner settled one since, both may be old news.
	After string
}

// decide opens, and in the same append notices numbers that another system used. An
// authority that knows less than it accepted from us holds the series instead: a
// number would be issued twice.
func (c OpenSubmission) decide(s State) ([]events.Event, error) {
	switch {
	case s.Held != "":
		return nil, ErrHeld
	case s.at(c.Submission) >= 0:
		return nil, nil
	case len(s.Open) > 0:
		return nil, ErrOpen
	case len(c.Invoices) == 0:
		return nil, errEmpty
	case s.Contingent.Last > 0:
		return nil, ErrContingencyPoint
	case s.settled() != c.After:
		return nil, ErrMoved
	case slices.ContainsFunc(c.Invoices, func(id string) bool { return s.WithdrawnTo(id) != 0 }):
		return nil, ErrWithdrawn
	case c.AuthorityLast < s.Last:
		return []events.Event{events.SeriesHeld{Reason: events.Because(
			"the authority says that the last number is %d, but it accepted number %d from us", c.AuthorityLast, s.Last)}}, nil
	}
	var out []events.Event
	if c.AuthorityLast > s.Known {
		out = append(out, events.ForeignNumbersNoticed{From: s.Known + 1, To: c.AuthorityLast})
	}
	return append(out, events.SubmissionOpened{
		Submission: c.Submission, First: c.AuthorityLast + 1, Invoices: c.Invoices,
		SHA256: c.SHA256, AuthorityLast: c.AuthorityLast,
	}), nil
}

// SplitSubmission has each document of the open submission go alone from here on, under its
// number and as it was signed: the authority refused them together, with Messages, and
// received none. It is for series with ranges, whose numbers never leave their documents;
// the authority counts those of other series. Calls are those until then.
type SplitSubmission struct {
	Submission string
	Messages   []events.AuthorityMessage
	Calls      []events.Call
}

func (c SplitSubmission) decide(s State) ([]events.Event, error) {
	o, open := s.Find(c.Submission)
	switch {
	case !open:
		return nil, ErrNotOpen
	case o.Split:
		return nil, nil
	case len(s.Ranges) == 0 || len(o.Invoices) == 1:
		return nil, ErrWhole
	}
	return []events.Event{events.SubmissionSplit{Submission: c.Submission, Messages: c.Messages, Calls: c.Calls}}, nil
}

// RenewEnvelope puts the signed documents of an open submission, as they are, in a new
// envelope: the authority says again and again that it had the one that went out, and
// denies the documents. From here on only SHA256 is sent. Was is the hash of what went out
// until then, Messages what the authority said. It is for series with ranges: the authority
// takes a number of theirs once, whatever envelope it comes in.
type RenewEnvelope struct {
	Submission, Was, SHA256 string
	Messages                []events.AuthorityMessage
	Calls                   []events.Call
}

func (c RenewEnvelope) decide(s State) ([]events.Event, error) {
	o, open := s.Find(c.Submission)
	switch {
	case s.Held != "":
		return nil, ErrHeld
	case !open:
		return nil, ErrNotOpen
	case o.SHA256 == c.SHA256:
		return nil, nil
	case len(s.Ranges) == 0 || o.SHA256 != c.Was || o.Split || o.Voids != nil || o.Renewals >= MaxRenewals:
		return nil, ErrRenewed
	}
	return []events.Event{events.EnvelopeRenewed{Submission: c.Submission, SHA256: c.SHA256, Messages: c.Messages,
		Calls: c.Calls}}, nil
}

// SettleSubmission closes an open submission with what came of each document.
// Settling it again with whatever outcome is nothing new: the first word counts. In a
// series with ranges a number never leaves its invoice, so none can be NotProcessed,
// and a rejected number is voided.
//
// After is the last settled submission whose outcomes were copied into the invoices, empty
// for none. If another owner settled one since, those copies come first: only the last
// settled one is looked at again.
type SettleSubmission struct {
	Submission string
	After      string
	Outcomes   []events.Outcome
	Calls      []events.Call
}

func (c SettleSubmission) decide(s State) ([]events.Event, error) {
	o, open := s.Find(c.Submission)
	switch {
	case s.settled() == c.Submission:
		return nil, nil
	case !open:
		return nil, ErrNotOpen
	case s.settled() != c.After:
		return nil, ErrMoved
	case len(c.Outcomes) != len(o.Invoices):
		return nil, ErrPartial
	}
	for i, out := range c.Outcomes {
		if out.Invoice != o.Invoices[i] || out.Number != o.First+int64(i) ||
			(out.Result == events.Accepted) != (out.Authorization != nil) ||
			out.Result == events.NotProcessed && len(s.Ranges) > 0 {
			return nil, ErrPartial
		}
	}
	settled := events.SubmissionSettled{Submission: c.Submission, Outcomes: c.Outcomes, Calls: c.Calls}
	return append([]events.Event{settled}, s.voided(o, c.Outcomes)...), nil
}

// Hold stops the whole series until Release: nothing of it is opened or sent, and no open
// submission of it is asked about. With a Submission it is for that one's sake: once
// somebody has settled it, the reason is old news. Calls are what led to it.
type Hold struct {
	Submission, Reason string
	Calls              []events.Call
}

func (c Hold) decide(s State) ([]events.Event, error) {
	switch {
	case s.Held != "":
		return nil, nil
	case c.Submission != "" && s.at(c.Submission) < 0:
		return nil, ErrNotOpen
	}
	return []events.Event{events.SeriesHeld{Reason: c.Reason, Calls: c.Calls}}, nil
}
