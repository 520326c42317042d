package arca

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"folio/sandbox/desk"
)

// duration is written as people do: "400ms".
type duration time.Duration

func (d duration) MarshalText() ([]byte, error) { return []byte(time.Duration(d).String()), nil }

func (d *duration) UnmarshalText(b []byte) error {
	v, err := time.ParseDuration(string(b))
	if err == nil && v < 0 {
		err = fmt.Errorf("%s is less than nothing", b)
	}
	*d = duration(v)
	return err
}

type (
	plainKnobs Knobs
	plainFault Fault

	// knobsWire is Knobs with its durations as text.
	knobsWire struct {
		*plainKnobs
		Latency     duration `json:"latency"`
		GuardWindow duration `json:"guard_window"`
	}
	// faultWire is Fault with its delay as text.
	faultWire struct {
		*plainFault
		Delay duration `json:"delay,omitzero"`
	}
)

// MarshalJSON writes durations as text ("400ms").
func (k Knobs) MarshalJSON() ([]byte, error) {
	return json.Marshal(knobsWire{(*plainKnobs)(&k), duration(k.Latency), duration(k.GuardWindow)})
}

// UnmarshalJSON reads what MarshalJSON writes over the present values: members that are
// not there stay as they are, maps are merged. Unknown members are refused.
func (k *Knobs) UnmarshalJSON(b []byte) error {
	w := knobsWire{(*plainKnobs)(k), duration(k.Latency), duration(k.GuardWindow)}
	if err := strict(b, &w); err != nil {
		return err
	}
	k.Latency, k.GuardWindow = time.Duration(w.Latency), time.Duration(w.GuardWindow)
	return nil
}

// MarshalJSON writes the delay as text.
func (f Fault) MarshalJSON() ([]byte, error) {
	return json.Marshal(faultWire{(*plainFault)(&f), duration(f.Delay)})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (f *Fault) UnmarshalJSON(b []byte) error {
	w := faultWire{(*plainFault)(f), duration(f.Delay)}
	if err := strict(b, &w); err != nil {
		return err
	}
	f.Delay = time.Duration(w.Delay)
	return nil
}

func strict(b []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	return d.Decode(v)
}

var effects = slices.Concat(desk.Common, []Effect{Error, TakeNumber, Reject, Observe})

// Validate says what is wrong with a fault before it is scripted.
func (f Fault) Validate() error {
	switch {
	case !slices.Contains(effects, f.Effect):
		return fmt.Errorf("effect: %q is none of %v", f.Effect, effects)
	case (f.Effect == Reject || f.Effect == Observe) && f.Code <= 0:
		return fmt.Errorf("code: %s needs a code of ARCA's, such as 10015", f.Effect)
	case f.Effect == Error && f.Code <= 0 && (f.Operation != loginOperation || refusals[f.Text] == ""):
		return errors.New("code: error needs a code such as 501; for the operation loginCms a text such as coe.notAuthorized")
	case f.Effect == Slow && f.Delay <= 0:
		return errors.New("delay: slow needs one, such as \"2s\"")
	case f.Environment != "" && f.Environment != Testing && f.Environment != Production:
		return fmt.Errorf("environment: %q is neither %s nor %s", f.Environment, Testing, Production)
	case f.Times < 0 || f.Voucher < 0 || f.Delay < 0:
		return errors.New("times, voucher and delay cannot be negative")
	}
	return nil
}

// Validate says what is wrong with knobs.
func (k Knobs) Validate() error {
	if k.Profile != "" && k.Profile != Friendly && k.Profile != ARCAs {
		return fmt.Errorf("profile: %q is neither %s nor %s", k.Profile, Friendly, ARCAs)
	}
	if _, err := time.Parse(dateForm, k.ConditionFrom); k.ConditionFrom != "" && err != nil {
		return fmt.Errorf("condition_from: %q is no day as yyyymmdd", k.ConditionFrom)
	}
	known := []Taxpayer{Registered, Monotributo, Exempt, Inactive, FakeInvoices, Deceased, Unknown}
	for cuit, t := range k.Registry {
		if !slices.Contains(known, t) {
			return fmt.Errorf("registry: %d is %q, which is none of %v", cuit, t, known)
		}
	}
	if k.RegXReq < 0 || k.Latency < 0 || k.GuardWindow < 0 {
		return errors.New("reg_x_req, latency and guard_window cannot be negative")
	}
	for i, f := range k.Faults {
		if err := f.Validate(); err != nil {
			return fmt.Errorf("faults[%d].%w", i, err)
		}
	}
	return nil
}
