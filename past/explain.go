package past

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"time"

	"folio/commands/company"
	"folio/commands/invoice"
	"folio/events"
)

// Explanation is why an invoice is as it is at a moment.
type Explanation struct {
	Invoice   string
	Status    string
	Created   events.InvoiceCreated
	CreatedAt events.Position
	// Settings are what was known of the company when the invoice was created, and where
	// each was set.
	Settings Settings
	Attempts []Attempt
	Story    []Step
	// Cut says that the story has more steps than are told.
	Cut bool
}

// Settings are a company's at a point of the log.
type Settings struct {
	Profile   *events.FiscalProfile // nil: none was set
	ProfileAt events.Position
	Branch    *events.BranchSet // of the invoice; nil: its number is no branch
	BranchAt  events.Position
	Logo      string // SHA-256
	LogoAt    events.Position
}

// Attempt is one submission of the invoice.
type Attempt struct {
	Submission    string
	Opened        Step
	Environment   string // Production or Testing
	Number        int64  // of the invoice in it
	First         int64  // of the submission, and how many it has
	Documents     int
	Range         string // that the number is of; empty where the authority counts
	AuthorityLast int64  // the authority's last number when it was asked
	// Certificate is the newest one of the environment that was valid when the submission was
	// opened; nil: there was none.
	Certificate   *events.CertificateUploaded
	CertificateAt events.Position
	Outcome       *events.Outcome // nil: it is open
	OutcomeAt     events.Position
	Calls         []Call
	decided       time.Time // when it was opened, by the clock of whoever signed
}

// Step is one fact, told in words.
type Step struct {
	Position events.Position
	Time     time.Time // by the log's clock
	Stream   string
	Revision uint64
	Type     string
	Text     string
}

// maxSteps bounds a story: a series may hold and go on for as long as the invoice waits.
const maxSteps = 1000

// Explain tells why the invoice is as it is at a moment, from the facts alone. False says
// that it did not exist then.
func Explain(ctx context.Context, log Log, id string, m events.Moment) (x Explanation, found bool, err error) {
	x.Invoice = id
	var state invoice.State
	for r, err := range Invoice(ctx, log, id, events.Position{}, m) {
		if err != nil {
			return x, false, err
		}
		if r.Stream == invoice.Decider.Stream(id) {
			state = invoice.Decider.Next(state, r.Event, r.Meta.At)
		}
		if e, ok := r.Event.(events.InvoiceCreated); ok {
			x.Created, x.CreatedAt, found = e, r.Position, true
		}
		step := Step{r.Position, r.When(), r.Stream, r.Revision, r.Type, Tell(r.Event, id)}
		x.attempt(r, step)
		if len(x.Story) == maxSteps {
			x.Cut = true
			continue
		}
		x.Story = append(x.Story, step)
	}
	x.Status = string(state.Status)
	if !found {
		return x, false, nil
	}
	return x, true, x.settings(ctx, log)
}

// attempt keeps what a fact says of a submission of the invoice.
func (x *Explanation) attempt(r events.Recorded, step Step) {
	switch e := r.Event.(type) {
	case events.SubmissionOpened:
		a := Attempt{Submission: e.Submission, Opened: step, First: e.First, Documents: len(e.Invoices), Range: e.Range,
			AuthorityLast: e.AuthorityLast, decided: r.Meta.At}
		for i, id := range e.Invoices {
			if id == x.Invoice {
				a.Number = e.First + int64(i)
			}
		}
		x.Attempts = append(x.Attempts, a)
	case events.SubmissionSplit:
		x.of(e.Submission).called(r)
	case events.EnvelopeRenewed:
		x.of(e.Submission).called(r)
	case events.SubmissionSettled:
		a := x.of(e.Submission)
		a.called(r)
		a.OutcomeAt = r.Position
		for _, o := range e.Outcomes {
			if o.Invoice == x.Invoice {
				a.Outcome = &o
			}
		}
	case events.SubmissionStarted:
		x.of(e.Submission).Environment = e.Environment
	}
}

func (a *Attempt) called(r events.Recorded) { a.Calls = append(a.Calls, CallsIn(r)...) }

// of is the attempt of a submission.
func (x *Explanation) of(submission string) *Attempt {
	for i := range x.Attempts {
		if x.Attempts[i].Submission == submission {
			return &x.Attempts[i]
		}
	}
	return &Attempt{} // its opening was not among the facts
}

// settings reads the company's stream as far as it matters: what was in force when the
// invoice was created, and which certificate when each of its submissions was opened.
func (x *Explanation) settings(ctx context.Context, log Log) error {
	last := x.CreatedAt
	if n := len(x.Attempts); n > 0 {
		last = x.Attempts[n-1].Opened.Position
	}
	state, uploaded := company.State{}, map[string]events.Position{}
	next := 0
	for r, err := range Company(ctx, log, x.Created.Company, events.Position{}) {
		if err != nil {
			return fmt.Errorf("settings of invoice %s: %w", x.Invoice, err)
		}
		next = x.certify(state, uploaded, next, r.Position)
		if last.Before(r.Position) {
			break
		}
		state = company.Decider.Next(state, r.Event, r.Meta.At)
		if e, ok := r.Event.(events.CertificateUploaded); ok {
			uploaded[e.Certificate] = r.Position
		}
		if r.Position.Before(x.CreatedAt) {
			x.Settings.take(r, x.Created.Document.Branch)
		}
	}
	x.certify(state, uploaded, next, endOfTime)
	return nil
}

// endOfTime is after every position.
var endOfTime = events.Position{Commit: math.MaxUint64, Prepare: math.MaxUint64}

// certify names the certificate of each attempt from the next one on that was opened before
// a position, by the rule that signing goes by.
func (x *Explanation) certify(
	s company.State,
	uploaded map[string]events.Position,
	next int,
	before events.Position,
) int {
	for ; next < len(x.Attempts) && x.Attempts[next].Opened.Position.Before(before); next++ {
		a := &x.Attempts[next]
		if c, ok := s.Certificate(cmp.Or(a.Environment, x.Created.Environment), a.decided); ok {
			a.Certificate, a.CertificateAt = &c, uploaded[c.Certificate]
		}
	}
	return next
}

// take keeps what a fact of the company sets.
func (s *Settings) take(r events.Recorded, branch int) {
	switch e := r.Event.(type) {
	case events.FiscalProfileSet:
		s.Profile, s.ProfileAt = &e.Profile, r.Position
	case events.BranchSet:
		if e.Number == branch && branch != 0 {
			s.Branch, s.BranchAt = &e, r.Position
		}
	case events.LogoUploaded:
		s.Logo, s.LogoAt = e.SHA256, r.Position
	}
}
