package main

import (
	"context"
	"time"

	"folio/processors/submission"
	"folio/projections"
	"folio/waiting"
)

// seriesStates is what readyz tells of numbering series that stand. None of it makes the
// service unready: a series is one company's.
type seriesStates struct {
	Waiting int64         `json:"waiting"` // how many wait, the held ones with work among them
	Held    int64         `json:"held"`    // how many are held
	Some    []seriesState `json:"some"`
	// Standing are those of this process of which nothing was learnt for --stands-after.
	Standing []submission.Standing `json:"standing"`
	Fault    string                `json:"fault,omitempty"` // why that is not known
}

// seriesState is one series.
type seriesState struct {
	Series  string       `json:"series"`
	State   string       `json:"state"` // waiting or held
	Code    waiting.Code `json:"code,omitempty"`
	Reason  string       `json:"reason"`
	Since   time.Time    `json:"since"`
	NextTry *time.Time   `json:"next_try,omitempty"` // nil: with an event, or an operator
}

func (s *service) seriesStates(ctx context.Context) seriesStates {
	standing := s.submission.Standing()
	standing = standing[:min(len(standing), toldOf)]
	ctx, done := context.WithTimeout(ctx, soonOnly)
	defer done()
	held, err := projections.NewReader(s.tables, streams{s.log}).ListHeldSeries(ctx, toldOf)
	if err != nil {
		return seriesStates{Some: []seriesState{}, Standing: standing, Fault: err.Error()}
	}
	notes, waits, err := s.notes.List(ctx, toldOf)
	if err != nil {
		return seriesStates{Some: []seriesState{}, Standing: standing, Fault: err.Error()}
	}
	out := seriesStates{Waiting: waits, Held: held.Total, Some: []seriesState{}, Standing: standing}
	named := map[string]bool{}
	for _, d := range held.Documents {
		named[d.ID] = true
		out.Some = append(out.Some, seriesState{Series: d.ID, State: "held", Code: waiting.SeriesHeld, Reason: d.Held.Reason,
			Since: d.Held.Since})
	}
	for _, n := range notes {
		if !named[n.Series] {
			out.Some = append(out.Some, seriesState{Series: n.Series, State: "waiting", Code: n.Code, Reason: n.Text,
				Since: n.Since, NextTry: n.NextTry})
		}
	}
	return out
}
