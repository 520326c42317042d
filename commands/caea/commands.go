package caea

import (
	"reflect"
	"slices"

	"folio/events"
)

// Request says that the authority is asked for the code. Asking again is nothing new: it
// gives one code a fortnight.
type Request struct{ Requested events.CAEARequested }

func (c Request) decide(s State) ([]events.Event, error) {
	if s.Company != "" {
		return nil, nil
	}
	return []events.Event{c.Requested}, nil
}

// Grant keeps the code that the authority gave. The same again is nothing new, another one is refused.
type Grant struct{ Granted events.CAEAGranted }

func (c Grant) decide(s State) ([]events.Event, error) {
	switch {
	case s.Granted != nil && s.Granted.Code == c.Granted.Code:
		return nil, nil
	case s.Granted != nil:
		return nil, ErrOther
	}
	return []events.Event{c.Granted}, nil
}

// Refuse keeps why the authority gives no code. The same reasons again are nothing new.
type Refuse struct{ Refused events.CAEARefused }

func (c Refuse) decide(s State) ([]events.Event, error) {
	if s.Granted != nil || s.Refused != nil && reflect.DeepEqual(s.Refused.Reasons, c.Refused.Reasons) {
		return nil, nil
	}
	return []events.Event{c.Refused}, nil
}

// ReportNoMovement records that the authority was told that a point issued nothing.
type ReportNoMovement struct{ Reported events.NoMovementReported }

func (c ReportNoMovement) decide(s State) ([]events.Event, error) {
	switch {
	case s.Granted == nil:
		return nil, ErrNotHeld
	case s.Idle[c.Reported.Point]:
		return nil, nil
	case s.Closed:
		return nil, ErrClosed
	}
	return []events.Event{c.Reported}, nil
}

// DoubtNoMovement records that the authority knows of documents of a point that issued none here.
type DoubtNoMovement struct{ Refused events.NoMovementRefused }

func (c DoubtNoMovement) decide(s State) ([]events.Event, error) {
	switch _, again := s.Doubted[c.Refused.Point]; {
	case s.Granted == nil:
		return nil, ErrNotHeld
	case again || s.Idle[c.Refused.Point] || s.Closed:
		return nil, nil
	}
	return []events.Event{c.Refused}, nil
}

// Warn records a notice, once for each kind.
type Warn struct{ Warned events.CAEAWarned }

func (c Warn) decide(s State) ([]events.Event, error) {
	if s.Closed || slices.Contains(s.Warned, c.Warned.Kind) {
		return nil, nil
	}
	return []events.Event{c.Warned}, nil
}

// Point is what one contingency point did with a code: documents issued and reported, and
// whether somebody else's number is there.
type Point struct {
	Number           int
	Issued, Reported int64
	Foreign          bool
}

// Close ends the code when every point's documents are reported, and every point without any
// is reported as such. Points are all contingency points of the company.
type Close struct{ Points []Point }

func (c Close) decide(s State) ([]events.Event, error) {
	switch {
	case s.Granted == nil:
		return nil, ErrNotHeld
	case s.Closed:
		return nil, nil
	}
	var reported int64
	for _, p := range c.Points {
		if p.Foreign || p.Issued != p.Reported || p.Issued == 0 && !s.Idle[p.Number] {
			return nil, ErrOwed
		}
		reported += p.Reported
	}
	return []events.Event{events.CAEAClosed{Reported: reported}}, nil
}
