package numbering

import (
	"fmt"

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
	case s.Open != nil && s.Open.Submission == c.Submission:
		return nil, nil
	case s.Open != nil:
		return nil, ErrOpen
	case len(c.Invoices) == 0:
		return nil, errEmpty
	case s.settled() != c.After:
		return nil, ErrMoved
	case c.AuthorityLast < s.Last:
		return []events.Event{events.SeriesHeld{Reason: fmt.Sprintf(
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
	switch {
	case s.Open == nil || s.Open.Submission != c.Submission:
		return nil, ErrNotOpen
	case s.Split:
		return nil, nil
	case len(s.Ranges) == 0 || len(s.Open.Invoices) == 1:
		return nil, ErrWhole
	}
	return []events.Event{events.SubmissionSplit{Submission: c.Submission, Messages: c.Messages, Calls: c.Calls}}, nil
}

// SettleSubmission closes the open submission with what came of each document.
// Settling it again with whatever outcome is nothing new: the first word counts. In a
// series with ranges a number never leaves its invoice, so none can be NotProcessed,
// and a rejected number is voided.
type SettleSubmission struct {
	Submission string
	Outcomes   []events.Outcome
	Calls      []events.Call
}

func (c SettleSubmission) decide(s State) ([]events.Event, error) {
	switch {
	case s.Settled != nil && s.Settled.Submission == c.Submission:
		return nil, nil
	case s.Open == nil || s.Open.Submission != c.Submission:
		return nil, ErrNotOpen
	case len(c.Outcomes) != len(s.Open.Invoices):
		return nil, ErrPartial
	}
	for i, o := range c.Outcomes {
		if o.Invoice != s.Open.Invoices[i] || o.Number != s.Open.First+int64(i) ||
			(o.Result == events.Accepted) != (o.Authorization != nil) ||
			o.Result == events.NotProcessed && len(s.Ranges) > 0 {
			return nil, ErrPartial
		}
	}
	settled := events.SubmissionSettled{Submission: c.Submission, Outcomes: c.Outcomes, Calls: c.Calls}
	return append([]events.Event{settled}, s.voided(c.Outcomes)...), nil
}

// Hold stops the series until Release. With a Submission it is about that one alone:
// once somebody has settled it, the reason is old news. Calls are what led to it.
type Hold struct {
	Submission, Reason string
	Calls              []events.Call
}

func (c Hold) decide(s State) ([]events.Event, error) {
	switch {
	case s.Held != "":
		return nil, nil
	case c.Submission != "" && (s.Open == nil || s.Open.Submission != c.Submission):
		return nil, ErrNotOpen
	}
	return []events.Event{events.SeriesHeld{Reason: c.Reason, Calls: c.Calls}}, nil
}
