package arca

import (
	"maps"
	"slices"
	"time"

	"folio/money"
	"folio/sandbox/desk"
)

// Knobs are the sandbox's behaviour as data: change them while it runs with SetKnobs.
// Empty maps mean "anything goes", zero values the defaults of DefaultKnobs.
type Knobs struct {
	// Profile chooses between rules that help and ARCA's own; see Profile.
	Profile Profile `json:"profile"`
	// Latency is added to every call.
	Latency time.Duration `json:"latency"`
	// GuardWindow is how long after a login WSAA refuses another of the same certificate
	// and service; 0 is what the profile says.
	GuardWindow time.Duration `json:"guard_window"`
	// ConditionFrom is the day (yyyymmdd) from which CondicionIVAReceptorId is compulsory
	// in production (RG 5616); empty is what the profile says. Testing always wants it.
	ConditionFrom string `json:"condition_from,omitempty"`
	// ConsumerThreshold is the total in pesos from which a final consumer must be
	// identified (RG 5700 and 5866).
	ConsumerThreshold money.Decimal `json:"consumer_threshold"`
	// RegXReq is how many vouchers a request may carry.
	RegXReq int `json:"reg_x_req"`
	// Registry is what the authority knows of a taxpayer; one that is not in it and has a
	// valid CUIT is registered for IVA.
	Registry map[int64]Taxpayer `json:"registry,omitempty"`
	// Represents lists the taxpayers that a certificate's holder may act for besides itself.
	Represents map[int64][]int64 `json:"represents,omitempty"`
	// PointsOfSale are the only ones that a taxpayer listed here may use; with ARCA's
	// profile they are the only ones in production for everybody.
	PointsOfSale map[int64][]int `json:"points_of_sale,omitempty"`
	// Quotations are pesos per unit, by ARCA's code of the currency.
	Quotations map[string]money.Decimal `json:"quotations,omitempty"`
	// Events are added to every answer of FECAESolicitar; they never mean a failure.
	Events []Message `json:"events,omitempty"`
	// Faults happen to calls that match them.
	Faults []Fault `json:"faults,omitempty"`
}

// Taxpayer is what the registry says of a CUIT.
type Taxpayer string

// What a taxpayer may be.
const (
	Registered   Taxpayer = "responsable_inscripto"
	Monotributo  Taxpayer = "monotributo"
	Exempt       Taxpayer = "exento"
	Inactive     Taxpayer = "inactive"
	FakeInvoices Taxpayer = "fake_invoices"
	Deceased     Taxpayer = "deceased"
	Unknown      Taxpayer = "unknown"
)

// Message is a code with its text.
type Message struct {
	Code int    `json:"code"`
	Text string `json:"text"`
}

// Effect is what a Fault does.
type Effect = desk.Effect

// Effects that every sandbox has.
const (
	Down     = desk.Down
	HTTP500  = desk.HTTP500
	HTML     = desk.HTML
	Reset    = desk.Reset
	Hang     = desk.Hang
	Slow     = desk.Slow
	Lose     = desk.Lose
	Stall    = desk.Stall
	Truncate = desk.Truncate
)

// Effects of this authority besides.
const (
	Error      Effect = "error"       // request-level error Code, such as 501, 502 or 600; of a login, the fault Text
	TakeNumber Effect = "take_number" // another system takes the next number before the call is processed
	Reject     Effect = "reject"      // the voucher is refused with Code
	Observe    Effect = "observe"     // the voucher is authorized with remark Code
)

// Fault happens to each call that it matches; empty fields match anything.
type Fault struct {
	Environment string `json:"environment,omitempty"`
	CUIT        int64  `json:"cuit,omitempty"` // the issuer; of a login, the certificate's holder
	Operation   string `json:"operation,omitempty"`
	Effect      Effect `json:"effect"`
	Code        int    `json:"code,omitempty"`
	Text        string `json:"text,omitempty"` // the known text of Code when empty
	// Voucher is the one of the request, from 0, that Reject and Observe concern.
	Voucher int           `json:"voucher,omitempty"`
	Delay   time.Duration `json:"delay,omitempty"`
	// Times is how many calls it happens to; 0 is all of them.
	Times int `json:"times,omitempty"`
	// Until ends it; zero never.
	Until time.Time `json:"until,omitzero"`
}

// DefaultKnobs are a friendly authority: no delays, no guard window, no faults.
func DefaultKnobs() Knobs {
	return Knobs{
		Profile: Friendly, ConsumerThreshold: money.FromInt(10_000_000), RegXReq: 250,
		Quotations: map[string]money.Decimal{
			"DOL": money.FromInt(1450), "060": money.FromInt(1680), "012": money.FromInt(270),
			"011": money.FromInt(36), "033": money.MustParse("1.55"),
		},
	}
}

func (k Knobs) withDefaults() Knobs {
	d := DefaultKnobs()
	if k.Profile == "" {
		k.Profile = d.Profile
	}
	if k.RegXReq == 0 {
		k.RegXReq = d.RegXReq
	}
	if k.ConsumerThreshold.IsZero() {
		k.ConsumerThreshold = d.ConsumerThreshold
	}
	if k.Quotations == nil {
		k.Quotations = d.Quotations
	}
	return k.clone()
}

// clone shares nothing with k, so that neither side can change the other's under a lock.
func (k Knobs) clone() Knobs {
	k.Registry, k.Represents = maps.Clone(k.Registry), maps.Clone(k.Represents)
	k.PointsOfSale, k.Quotations = maps.Clone(k.PointsOfSale), maps.Clone(k.Quotations)
	k.Events, k.Faults = slices.Clone(k.Events), slices.Clone(k.Faults)
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
	s.knobs = k.withDefaults()
}

// AddFaults adds to the present ones.
func (s *Server) AddFaults(faults ...Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.knobs.Faults = append(s.knobs.Faults, faults...)
}

// ClearFaults ends those of one issuer, or with 0 all of them.
func (s *Server) ClearFaults(cuit int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.knobs.Faults = slices.DeleteFunc(s.knobs.Faults, func(f Fault) bool { return cuit == 0 || f.CUIT == cuit })
}

// strike returns the faults that happen to a call and uses up one time of each.
func (s *Server) strike(environment, operation string, cuit int64) []Fault {
	now := s.now()
	s.mu.Lock()
	defer s.mu.Unlock()
	var struck, left []Fault
	for _, f := range s.knobs.Faults {
		if !f.Until.IsZero() && !now.Before(f.Until) {
			continue
		}
		if f.matches(environment, operation, cuit) {
			struck = append(struck, f)
			if f.Times == 1 {
				continue
			}
			if f.Times > 1 {
				f.Times--
			}
		}
		left = append(left, f)
	}
	s.knobs.Faults = left
	return struck
}

func (f Fault) matches(environment, operation string, cuit int64) bool {
	return (f.Environment == "" || f.Environment == environment) &&
		(f.Operation == "" || f.Operation == operation) && (f.CUIT == 0 || f.CUIT == cuit)
}
