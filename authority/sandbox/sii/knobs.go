package sii

import (
	"fmt"
	"maps"
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

// Knobs are the sandbox's behaviour as data: change them while it runs with SetKnobs.
type Knobs struct {
	// Latency is added to every call.
	Latency Duration `json:"latency"`
	// VerdictAfter is how long an envelope is under way before SII has decided: until then
	// it is REC, SOK, CRT, FOK and PDR in turn. 0 decides at once.
	VerdictAfter Duration `json:"verdict_after"`
	// TokenLife is how long a token lives; an hour when zero.
	TokenLife Duration `json:"token_life"`
	// Resolutions are "number date" by issuer (FchResol as YYYY-MM-DD); an issuer that is
	// not in it may name any.
	Resolutions map[string]string `json:"resolutions,omitempty"`
	// TakeExpired lets documents with an expired CAF pass with a remark.
	TakeExpired bool `json:"take_expired"`
	// Repeats99 answers the upload of bytes that came before with STATUS 99; otherwise
	// they get a track id of their own whose state is RPT.
	Repeats99 bool `json:"repeats_99"`
	// Faults happen to calls that match them.
	Faults []Fault `json:"faults,omitempty"`
}

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
	Error   Effect = "error"   // STATUS of an upload, ESTADO of a login or query: Code, Text
)

// Effects on the document of an upload, and after it is kept.
const (
	Reject   Effect = "reject"   // it is refused with Code
	Remark   Effect = "remark"   // it is accepted with the remark (reparo) Code
	Cover    Effect = "cover"    // the envelope is refused: Code is its ESTADO, RCT when empty
	Stick    Effect = "stick"    // its envelope stays in CRT for ever
	Lose     Effect = "lose"     // all is kept, the connection cut instead of an answer
	Stall    Effect = "stall"    // all is kept, no answer for Delay, then the connection is cut
	Truncate Effect = "truncate" // all is kept, half of the answer sent
)

var effects = []Effect{Down, HTTP500, HTML, Reset, Hang, Slow, Error, Reject, Remark, Cover, Stick, Lose, Stall, Truncate}

// Fault happens to each call that it matches; empty fields match anything.
type Fault struct {
	Environment string `json:"environment,omitempty"`
	RUT         string `json:"rut,omitempty"` // the company; calls of a login have none
	// Operation is getSeed, getToken, DTEUpload, getEstUp, getEstDte, or of boletas
	// boleta.electronica.envio, boleta.electronica.envio.estado, boleta.electronica.estado.
	Operation string   `json:"operation,omitempty"`
	Effect    Effect   `json:"effect"`
	Code      string   `json:"code,omitempty"`
	Text      string   `json:"text,omitempty"`
	Delay     Duration `json:"delay,omitempty"`
	// Times is how many calls it happens to; 0 is all of them.
	Times int `json:"times,omitempty"`
}

// Validate refuses an effect that is none.
func (f Fault) Validate() error {
	if !slices.Contains(effects, f.Effect) {
		return fmt.Errorf("effect: %.20q is none of %v", f.Effect, effects)
	}
	return nil
}

func (k Knobs) clone() Knobs {
	k.Resolutions, k.Faults = maps.Clone(k.Resolutions), slices.Clone(k.Faults)
	return k
}

// Knobs returns the present ones; of each fault, how often it is still to happen.
func (s *Server) Knobs() Knobs {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.knobs.clone()
}

// SetKnobs replaces them for calls that arrive from now on.
func (s *Server) SetKnobs(k Knobs) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.knobs = k.clone()
}

// AddFaults adds to the present ones.
func (s *Server) AddFaults(faults ...Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.knobs.Faults = append(s.knobs.Faults, faults...)
}

// ClearFaults ends those of one company, or with "" all of them.
func (s *Server) ClearFaults(rut string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.knobs.Faults = slices.DeleteFunc(s.knobs.Faults, func(f Fault) bool { return rut == "" || f.RUT == rut })
}

// strike returns the faults that happen to a call and uses up one time of each.
func (s *Server) strike(environment, operation, rut string) []Fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	var struck, left []Fault
	for _, f := range s.knobs.Faults {
		if (f.Environment == "" || f.Environment == environment) && (f.Operation == "" || f.Operation == operation) && (f.RUT == "" || f.RUT == rut) {
			struck = append(struck, f)
			if f.Times == 1 {
				continue
			}
			f.Times = max(f.Times-1, 0)
		}
		left = append(left, f)
	}
	s.knobs.Faults = left
	return struck
}
