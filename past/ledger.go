package past

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"folio/events"
)

// What happened to a number.
const (
	Uploaded   = "uploaded"    // it may be used: a numbering file has it
	PassedOver = "passed_over" // nobody will use it here: a start was set, or an operator named a later one
	Foreign    = "foreign"     // another system used it
	Opened     = "opened"      // an invoice is to be sent under it
	Sent       = "sent"        // the authority was called for the first time after that
	Accepted   = "accepted"
	Rejected   = "rejected"
	Freed      = "freed"  // the next invoice may have it
	Voided     = "voided" // it will never be a document
)

// Entry is one thing that happened to the numbers From to To.
type Entry struct {
	Position   events.Position // of the fact that says so
	Time       time.Time       // by the log's clock; of Sent, that of the call
	What       string
	Letter     string // of the series, Uruguay
	From, To   int64
	Invoice    string
	Submission string
	Range      string // id_enumeration
	Cause      string
}

// Ledger folds the facts of one series into what happened to its numbers. The zero value is
// before the first fact. A copy made with Clone goes on by itself.
type Ledger struct {
	ranges []ledgerRange
	open   []opening
	last   int64 // that a contingency point issued or passed over
}

// ledgerRange is an uploaded range, and the first number of it that nothing took.
type ledgerRange struct {
	id, letter     string
	from, to, next int64
}

// opening is a submission that is not settled.
type opening struct {
	events.SubmissionOpened
	letter string
	rng    string
	at     time.Time
	sent   bool
}

// Clone is the ledger as it is, whatever the original folds later.
func (l *Ledger) Clone() *Ledger {
	return &Ledger{slices.Clone(l.ranges), slices.Clone(l.open), l.last}
}

// Size is about how many bytes the ledger takes.
func (l *Ledger) Size() int {
	size := 128 * (1 + len(l.ranges))
	for _, o := range l.open {
		size += 256 + 48*len(o.Invoices)
	}
	return size
}

// Fold takes the next fact of the series and tells what happened to numbers with it.
func (l *Ledger) Fold(r events.Recorded) []Entry {
	var out []Entry
	switch e := r.Event.(type) {
	case events.NumberingRangeUploaded:
		l.ranges = append(l.ranges, ledgerRange{e.Range, e.Series, e.From, e.To, e.From})
		out = []Entry{{What: Uploaded, Letter: e.Series, From: e.From, To: e.To, Range: e.Range, Cause: uploadedBecause(e)}}
	case events.NumberingStartConfigured:
		out = l.pass(e.Range, e.From, "the company set the number to start with")
	case events.SeriesReleased:
		out = l.released(e)
	case events.ForeignNumbersNoticed:
		l.last = max(l.last, e.To)
		out = []Entry{
			{What: Foreign, From: e.From, To: e.To, Cause: foreignBecause},
		}
	case events.SubmissionOpened:
		out = l.opened(e, r.Meta.At)
	case events.SubmissionSplit:
		out = l.called(e.Submission, e.Calls)
	case events.EnvelopeRenewed:
		out = l.called(e.Submission, e.Calls)
	case events.SubmissionSettled:
		out = l.settled(e)
	case events.ContingencyIssued:
		l.last = max(l.last, e.Number)
		out = []Entry{{What: Accepted, From: e.Number, To: e.Number, Invoice: e.Invoice,
			Cause: coded(e.Authorization)}}
	case events.NumberVoided:
		out = []Entry{
			{What: Voided, Letter: e.Series, From: e.Number, To: e.Number, Invoice: e.Invoice, Cause: events.Words(e.Reasons)},
		}
	}
	for i := range out {
		out[i].Position = r.Position
		if out[i].Time.IsZero() {
			out[i].Time = r.When()
		}
	}
	return out
}

// foreignBecause is all that the authority's last number tells: it counts by tax identifier.
const foreignBecause = "another system, or another company with this tax identifier, used it: " +
	"the authority's last number was higher"

func uploadedBecause(e events.NumberingRangeUploaded) string {
	text := "a numbering file"
	if e.Authority != "" {
		text += ", authorisation " + e.Authority
	}
	if e.ExpiresOn != "" {
		text += ", good until " + e.ExpiresOn
	}
	return text
}

// pass moves a range on to its next number: those before it are passed over.
func (l *Ledger) pass(id string, next int64, because string) []Entry {
	for i := range l.ranges {
		r := &l.ranges[i]
		if r.id != id || next <= r.next {
			continue
		}
		e := Entry{What: PassedOver, Letter: r.letter, From: r.next, To: min(next-1, r.to), Range: id, Cause: because}
		r.next = next
		if e.From <= e.To {
			return []Entry{e}
		}
	}
	return nil
}

// released passes over what an operator names as used, and the ranges before it.
func (l *Ledger) released(e events.SeriesReleased) (out []Entry) {
	because := fmt.Sprintf("an operator named %d as the next number", e.Next)
	if e.Reason != "" {
		because += ": " + e.Reason
	}
	if e.Range == "" && e.Next > l.last+1 {
		out = []Entry{{What: PassedOver, From: l.last + 1, To: e.Next - 1, Cause: because}}
		l.last = e.Next - 1
		return out
	}
	named := slices.IndexFunc(l.ranges, func(r ledgerRange) bool { return r.id == e.Range })
	if e.Next == 0 || named < 0 {
		return nil
	}
	for _, r := range l.ranges[:named] {
		out = append(out, l.pass(r.id, r.to+1, because)...)
	}
	return append(out, l.pass(e.Range, e.Next, because)...)
}

func (l *Ledger) opened(e events.SubmissionOpened, at time.Time) []Entry {
	o := opening{SubmissionOpened: e, at: at}
	because := fmt.Sprintf("the authority's last number was %d", e.AuthorityLast)
	for i := range l.ranges {
		r := &l.ranges[i]
		if r.from <= e.First && e.First <= r.to && (e.Range == "" || e.Range == r.id) {
			o.rng, o.letter, because = r.id, r.letter, "the next free number of its range"
			r.next = max(r.next, e.First+int64(len(e.Invoices)))
			break
		}
	}
	l.open = append(l.open, o)
	return o.each(Opened, because)
}

// each is an entry for every document of the submission.
func (o opening) each(what, because string) []Entry {
	out := make([]Entry, len(o.Invoices))
	for i, id := range o.Invoices {
		n := o.First + int64(i)
		out[i] = Entry{
			What:       what,
			Letter:     o.letter,
			From:       n,
			To:         n,
			Invoice:    id,
			Submission: o.Submission,
			Range:      o.rng,
			Cause:      because,
		}
	}
	return out
}

// called tells of the first call after a submission was opened.
func (l *Ledger) called(submission string, calls []events.Call) []Entry {
	for i := range l.open {
		o := &l.open[i]
		if o.Submission != submission || o.sent {
			continue
		}
		for _, c := range calls {
			if c.Request == "" || c.At.Before(o.at) {
				continue
			}
			o.sent = true
			out := o.each(Sent, c.Operation)
			for n := range out {
				out[n].Time = c.At
			}
			return out
		}
	}
	return nil
}

func (l *Ledger) settled(e events.SubmissionSettled) []Entry {
	out := l.called(e.Submission, e.Calls)
	var o opening
	if i := slices.IndexFunc(l.open, func(o opening) bool { return o.Submission == e.Submission }); i >= 0 {
		o = l.open[i]
		l.open = slices.Delete(l.open, i, i+1)
	}
	for _, x := range e.Outcomes {
		entry := Entry{
			Letter:     o.letter,
			From:       x.Number,
			To:         x.Number,
			Invoice:    x.Invoice,
			Submission: e.Submission,
			Range:      o.rng,
			Cause:      events.Words(x.Messages),
		}
		switch x.Result {
		case events.Accepted:
			entry.What = Accepted
			if a := x.Authorization; a != nil {
				entry.Cause = coded(*a)
			}
		case events.Rejected:
			entry.What = Rejected
		default:
			entry.What, entry.Cause = Freed, cmp.Or(entry.Cause, freedBecause(x))
		}
		out = append(out, entry)
		if entry.What == Rejected && len(l.ranges) == 0 {
			entry.What, entry.Cause = Freed, "the authority counts: a rejected document takes no number"
			out = append(out, entry)
		}
	}
	return out
}

// freedBecause says why a number is free again where the authority gave no words for it.
func freedBecause(o events.Outcome) string {
	if o.Found {
		return "the authority has a document under it that is not ours"
	}
	return "the authority did not process the document"
}
