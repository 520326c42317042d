package submission

import (
	"context"
	"errors"
	"testing"

	"folio/authority"
	"folio/commands/numbering"
	"folio/events"
)

// counts answers the last number, and counts how often it was asked.
type counts struct {
	authority.Driver
	asked int
	err   error
}

func (c *counts) Last(context.Context, authority.Credential, authority.Series,
	authority.Recorder) (authority.Last, error) {
	c.asked++
	return authority.Last{Number: 250}, c.err
}

// settledAs is a series whose last settlement is that of a submission.
func settledAs(submission string) numbering.State {
	return numbering.State{Settled: &events.SubmissionSettled{Submission: submission}}
}

// What was asked for ahead counts once, and only if nobody else can have used numbers.
func TestANumberAskedForAheadCountsOnce(t *testing.T) {
	down := errors.New("away")
	for _, c := range []struct {
		name     string
		more     bool
		ranged   bool
		another  bool   // series of the taxpayer had its turn in between
		settled  string // is the last settlement then
		err      error
		wantAsks int // of two steps
	}{
		{name: "nothing in between", more: true, settled: "S1", wantAsks: 2},
		{name: "an answer that failed is an answer", more: true, settled: "S1", err: down, wantAsks: 2},
		{name: "another series of the taxpayer", more: true, another: true, settled: "S1", wantAsks: 3},
		{name: "another owner settled", more: true, settled: "S2", wantAsks: 3},
		{name: "the settlement failed", more: true, settled: "", wantAsks: 3},
		{name: "nobody waits", settled: "S1", wantAsks: 2},
		{name: "numbers from files", more: true, ranged: true, settled: "S1", wantAsks: 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			x, driver := &taxpayer{turn: make(chan struct{}, 1)}, &counts{err: c.err}
			s := &turn{ranged: c.ranged}
			d := session{driver: driver, calls: &authority.Calls{}}
			x.entered++
			s.enters(x)
			s.askAhead(t.Context(), d, job{Submission: numbering.Submission{
				SubmissionOpened: events.SubmissionOpened{Submission: "S1"}}, more: c.more})()
			if c.another {
				x.entered++
			}
			for range 2 {
				x.entered++
				s.enters(x)
				last, err := s.last(t.Context(), d, settledAs(c.settled))
				if !errors.Is(err, c.err) || last.Number != 250 {
					t.Errorf("last is %d, %v", last.Number, err)
				}
			}
			if driver.asked != c.wantAsks {
				t.Errorf("asked %d times, want %d", driver.asked, c.wantAsks)
			}
		})
	}
}
