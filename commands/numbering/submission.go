package numbering

import (
	"slices"

	"folio/events"
)

// Submission is one that was opened and not settled yet.
type Submission struct {
	events.SubmissionOpened
	// Split says that the authority refused it as a whole: its documents go alone, and it
	// may know some of them and others not.
	Split bool
	// Released says that an operator released the series since it opened: a document of
	// somebody else under one of its numbers is then taken as such.
	Released bool
	// Voids is the release that gives up its numbers, unless the authority has their
	// documents; nil for none.
	Voids *events.SeriesReleased
	// Renewals is how often its signed documents were put in a new envelope. SHA256 is that
	// of the last one.
	Renewals int
}

// End is the number of its last document.
func (o Submission) End() int64 { return o.First + int64(len(o.Invoices)) - 1 }

// MaxRenewals is how many new envelopes the documents of one submission may get. After
// them only the authority, or an operator, ends it.
const MaxRenewals = 3

// Limits of what may be open in a series with ranges at once. They bound the questions of
// one turn and the state of one series. In any other series one submission is open at a time.
const (
	maxOpen      = 200
	maxDocuments = 1000
)

// Full says that nothing may open before something was settled.
func (s State) Full() bool {
	if len(s.Ranges) == 0 {
		return len(s.Open) > 0
	}
	documents := 0
	for _, o := range s.Open {
		documents += len(o.Invoices)
	}
	return len(s.Open) >= maxOpen || documents >= maxDocuments
}

// Find is the open submission of an id; false when there is none.
func (s State) Find(submission string) (Submission, bool) {
	i := s.at(submission)
	if i < 0 {
		return Submission{}, false
	}
	return s.Open[i], true
}

func (s State) at(submission string) int {
	return slices.IndexFunc(s.Open, func(o Submission) bool { return o.Submission == submission })
}

// sends says whether an invoice is in an open submission.
func (s State) sends(invoice string) bool {
	return slices.ContainsFunc(s.Open, func(o Submission) bool { return slices.Contains(o.Invoices, invoice) })
}

// change returns the open submissions with one of them changed. It works on a copy of the
// list, because others may hold the state that this one is made from.
func (s State) change(submission string, f func(*Submission)) []Submission {
	i := s.at(submission)
	if i < 0 {
		return s.Open
	}
	open := slices.Clone(s.Open)
	f(&open[i])
	return open
}

// renew keeps the hash of the envelope that goes out from here on.
func (o *Submission) renew(e events.EnvelopeRenewed) { o.SHA256, o.Renewals = e.SHA256, o.Renewals+1 }

// settle takes a submission off the open ones and makes it the last settled one. The
// commands settle what is open; a log that settles anything else changes no open one.
func (s State) settle(e events.SubmissionSettled) State {
	s.Settled, s.Opened = &e, nil
	if i := s.at(e.Submission); i >= 0 {
		opened := s.Open[i].SubmissionOpened
		s.Opened, s.Open = &opened, slices.Delete(slices.Clone(s.Open), i, i+1)
	}
	s.Unprocessed = s.unprocessed(e.Outcomes)
	for _, o := range e.Outcomes {
		if o.Result == events.Accepted {
			s.Last, s.Known = max(s.Last, o.Number), max(s.Known, o.Number)
		}
	}
	return s
}

// release notes what an operator's release means for each open submission: one that it
// voids is given up, and one that names none takes back every earlier word of that kind.
func (s State) release(e events.SeriesReleased) []Submission {
	open := slices.Clone(s.Open)
	for i := range open {
		switch o := &open[i]; e.Voids {
		case o.Submission:
			o.Released, o.Voids = true, &e
		case "":
			o.Released, o.Voids = true, nil
		default:
			o.Released = true
		}
	}
	return open
}
