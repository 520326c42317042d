package desk

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// Duration is written as text in JSON: "1m30s".
type Duration time.Duration

// MarshalText writes it as time.Duration does.
func (d Duration) MarshalText() ([]byte, error) { return []byte(time.Duration(d).String()), nil }

// UnmarshalText reads what time.ParseDuration reads.
func (d *Duration) UnmarshalText(text []byte) error {
	v, err := time.ParseDuration(string(text))
	*d = Duration(v)
	return err
}

// String writes it as time.Duration does.
func (d Duration) String() string { return time.Duration(d).String() }

// Effect is what a Fault does.
type Effect string

// Effects before anything is processed.
const (
	Down    Effect = "down"    // HTTP 503
	HTTP500 Effect = "http500" // HTTP 500 without SOAP
	HTML    Effect = "html"    // HTTP 200 with a page
	Reset   Effect = "reset"   // connection cut
	Hang    Effect = "hang"    // no answer for Delay, then the connection is cut
	Slow    Effect = "slow"    // Delay before it is processed all the same
)

// Effects once everything is kept.
const (
	Lose     Effect = "lose"     // the connection cut instead of an answer
	Stall    Effect = "stall"    // no answer for Delay, then the connection is cut
	Truncate Effect = "truncate" // half of the answer sent
)

// Common are the effects that every authority has.
var Common = []Effect{Down, HTTP500, HTML, Reset, Hang, Slow, Lose, Stall, Truncate}

// Fault happens to each call that it matches; empty fields match anything.
type Fault struct {
	Environment string `json:"environment,omitempty"`
	Company     string `json:"rut,omitempty"` // calls of SII's login have none
	Operation   string `json:"operation,omitempty"`
	Effect      Effect `json:"effect"`
	Code        string `json:"code,omitempty"`
	Text        string `json:"text,omitempty"`
	// Document is the one of an envelope, from 0, that a verdict concerns.
	Document int      `json:"document,omitempty"`
	Delay    Duration `json:"delay,omitempty"`
	// Times is how many calls it happens to; 0 is all of them.
	Times int `json:"times,omitempty"`
	// For is how long from now it lasts; it becomes Until.
	For Duration `json:"for,omitempty"`
	// Until ends it; zero never.
	Until time.Time `json:"until,omitzero"`
}

// Validate refuses a fault that the authority does not have.
func (d *Desk) Validate(f Fault) error {
	switch {
	case !slices.Contains(d.effects, f.Effect):
		return fmt.Errorf("effect: %.20q is none of %v", f.Effect, d.effects)
	case f.Effect == Slow && f.Delay <= 0:
		return errors.New("delay: slow needs one, such as \"2s\"")
	case f.Environment != "" && f.Environment != Testing && f.Environment != Production:
		return fmt.Errorf("environment: %.20q is neither %s nor %s", f.Environment, Testing, Production)
	case f.Times < 0 || f.Document < 0 || f.Delay < 0 || f.For < 0:
		return errors.New("times, the place of the document, delay and for cannot be negative")
	case d.Check != nil:
		return d.Check(f)
	}
	return nil
}

// Faults are those that are still to happen, never nil; of each, how often.
func (d *Desk) Faults() []Fault {
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]Fault{}, d.faults...)
}

// AddFaults adds to the present ones.
func (d *Desk) AddFaults(faults ...Fault) {
	now := d.Now()
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, f := range faults {
		if f.For > 0 {
			f.Until, f.For = now.Add(time.Duration(f.For)), 0
		}
		d.faults = append(d.faults, f)
	}
}

// ClearFaults ends those of one company, or with "" all of them.
func (d *Desk) ClearFaults(company string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.faults = slices.DeleteFunc(d.faults, func(f Fault) bool { return company == "" || f.Company == company })
}

// Strike returns the faults that happen to a call and uses up one time of each.
func (d *Desk) Strike(environment, operation, company string) []Fault {
	now := d.Now()
	d.mu.Lock()
	defer d.mu.Unlock()
	var struck, left []Fault
	for _, f := range d.faults {
		if !f.Until.IsZero() && !now.Before(f.Until) {
			continue
		}
		if f.matches(environment, operation, company) {
			struck = append(struck, f)
			if f.Times == 1 {
				continue
			}
			f.Times = max(f.Times-1, 0)
		}
		left = append(left, f)
	}
	d.faults = left
	return struck
}

func (f Fault) matches(environment, operation, company string) bool {
	return (f.Environment == "" || f.Environment == environment) &&
		(f.Operation == "" || f.Operation == operation) && (f.Company == "" || f.Company == company)
}
