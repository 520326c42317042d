package invoice

import (
	"slices"

	"folio/events"
	"folio/money"
)

func evolveNotes(s State, e events.Event) State {
	s.Notes = s.Notes.Evolve(e, s.Total)
	switch e := e.(type) {
	case events.NoteCounted:
		if s.Balance().Sign() > 0 {
			s.Cancelled = ""
		}
	case events.InvoiceCancelled:
		s.Cancelled = e.CreditNote
	case events.CreationAbandoned:
		s.Abandoned = e.Attempt + 1
	}
	return s
}

// Balance is the total with what accepted notes changed.
func (s State) Balance() money.Decimal { return s.Notes.Balance(s.Total) }

// Ceiling is the most that notes together could take of it.
func (s State) Ceiling() money.Decimal { return s.Notes.Ceiling(s.Total) }

// Left is what a note may still take of it; what the note except reserves is counted as left.
func (s State) Left(except string) money.Decimal { return s.Notes.Left(s.Total, except) }

// ReserveNote keeps what a note will take, before the note is created. Doing it again
// changes nothing.
type ReserveNote struct {
	Company  string
	Note     string
	Type     string
	Credit   bool // it is a credit note
	Attempt  int  // of creating it
	Portions []events.Portion
}

func (c ReserveNote) decide(s State) ([]events.Event, error) {
	switch n := s.Notes.Find(c.Note); {
	case s.Status == None || s.Company != c.Company:
		return nil, ErrUnknown
	case s.Status != Accepted:
		return nil, ErrNotOpen
	case n != nil && (n.Counted || n.Attempt > c.Attempt):
		return nil, ErrAbandoned // that attempt is over
	case n != nil && n.Attempt == c.Attempt && slices.EqualFunc(n.Portions, c.Portions, samePortion):
		return nil, nil
	}
	if err := c.fits(s); err != nil {
		return nil, err
	}
	return []events.Event{events.NoteReserved{Note: c.Note, Type: c.Type, Attempt: c.Attempt, Portions: c.Portions}}, nil
}

func samePortion(a, b events.Portion) bool {
	return a.Takes == b.Takes && a.Via == b.Via && a.Amount.Equal(b.Amount)
}

func (c ReserveNote) fits(s State) error {
	taken, undone := money.Zero, map[string]money.Decimal{}
	for _, p := range c.Portions {
		if p.Takes {
			taken = taken.Add(p.Amount)
		}
		if p.Via == "" {
			continue
		}
		undone[p.Via] = undone[p.Via].Add(p.Amount)
		if reach := s.Notes.Reach(p.Via, c.Note, p.Takes, undone[p.Via]); reach.Less(undone[p.Via]) {
			return exceeds(s, c.Note, reach)
		}
	}
	takes := slices.ContainsFunc(c.Portions, func(p events.Portion) bool { return p.Takes })
	switch left := s.Left(c.Note); {
	case !takes:
	case c.Credit && s.Cancelled != "" && s.Balance().Sign() <= 0:
		return cancelled(s)
	case left.Less(taken):
		return exceeds(s, c.Note, left)
	}
	return nil
}

// CountNote records that a note was accepted: what it reserved counts, or Portions where
// it reserved nothing.
type CountNote struct {
	Note, Type, Date string
	ReasonCode       string
	Portions         []events.Portion
}

func (c CountNote) decide(s State) ([]events.Event, error) {
	n := s.Notes.Find(c.Note)
	switch {
	case s.Status == None:
		return nil, ErrUnknown
	case s.Status != Accepted:
		return nil, ErrNotOpen
	case n != nil && n.Counted:
		return nil, nil
	}
	counted := events.NoteCounted{Note: c.Note, Type: c.Type, Date: c.Date, Portions: c.Portions}
	if n != nil {
		counted.Portions = n.Portions
	}
	facts := []events.Event{counted}
	if after := evolve(s, counted); s.Cancelled == "" && s.Total.Sign() > 0 && after.Balance().Sign() <= 0 {
		facts = append(facts, events.InvoiceCancelled{CreditNote: c.Note, Date: c.Date, ReasonCode: c.ReasonCode})
	}
	return facts, nil
}

// ReleaseNote gives back what a note reserved that was rejected, or was never created in
// that attempt.
type ReleaseNote struct {
	Note    string
	Attempt int
}

func (c ReleaseNote) decide(s State) ([]events.Event, error) {
	if n := s.Notes.Find(c.Note); n == nil || n.Counted || n.Attempt != c.Attempt {
		return nil, nil
	}
	return []events.Event{events.NoteReleased{Note: c.Note, Attempt: c.Attempt}}, nil
}

// AbandonCreation makes sure that a document which was not recorded is not recorded later
// on the reservations of that attempt.
type AbandonCreation struct{ Attempt int }

func (c AbandonCreation) decide(s State) ([]events.Event, error) {
	switch {
	case s.Status != None:
		return nil, ErrExists
	case s.Abandoned > c.Attempt:
		return nil, nil
	}
	return []events.Event{events.CreationAbandoned{Attempt: c.Attempt}}, nil
}
