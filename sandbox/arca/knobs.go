package arca

import (
	"cmp"
	"errors"
	"fmt"
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
	Latency desk.Duration `json:"latency"`
	// GuardWindow is how long after a login WSAA refuses another of the same certificate
	// and service; 0 is what the profile says.
	GuardWindow desk.Duration `json:"guard_window"`
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
	// ContingencyPoints are the points of sale of CAEA of a taxpayer listed here, and their
	// only ones: they take no CAE, and other points take no CAEA. Of a taxpayer that is not
	// listed the friendly profile takes both at any point of sale.
	ContingencyPoints map[int64][]Point `json:"contingency_points,omitempty"`
	// Debts are the reports of CAEA that a taxpayer owes, as "202610;1;3" (period, order,
	// point of sale): with any, a CAEA is given with remark 15014.
	Debts map[int64][]string `json:"caea_debts,omitempty"`
	// Clock is how far the calendar of the vouchers' services is ahead of the clock
	// ("240h"; negative: behind it). Logins and tickets keep the clock.
	Clock desk.Duration `json:"clock,omitempty"`
	// Quotations are pesos per unit, by ARCA's code of the currency.
	Quotations map[string]money.Decimal `json:"quotations,omitempty"`
	// Events are added to every answer of FECAESolicitar; they never mean a failure.
	Events []Message `json:"events,omitempty"`
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

// Effects of this authority besides the common ones.
const (
	Error      Effect = "error"       // request-level error Code, such as 501, 502 or 600; of a login, the fault Text
	TakeNumber Effect = "take_number" // another system takes the next number before the call is processed
	Reject     Effect = "reject"      // the voucher is refused with Code
	Observe    Effect = "observe"     // the voucher is authorized with remark Code
)

// Fault happens to each call that it matches. Company is the issuer's CUIT, or of a login the
// certificate's holder; Code a number, whose known text is told where Text is empty;
// Document the place of the voucher in its request.
type Fault = desk.Fault

var effects = []Effect{Error, TakeNumber, Reject, Observe}

// checkFault refuses what only ARCA cannot have.
func checkFault(f Fault) error {
	code := number(f.Code)
	switch {
	case f.Code != "" && code <= 0:
		return fmt.Errorf("code: %.20q is no number", f.Code)
	case (f.Effect == Reject || f.Effect == Observe) && code <= 0:
		return fmt.Errorf("code: %s needs a code of ARCA's, such as 10015", f.Effect)
	case f.Effect == Error && code <= 0 && (f.Operation != loginOperation || refusals[f.Text] == ""):
		return errors.New("code: error needs a code such as 501; for the operation loginCms a text such as coe.notAuthorized")
	}
	return nil
}

// message is what a fault says: its own text, or the service's of its code.
func message(f Fault, svc *service) Message {
	code := int(number(f.Code))
	if f.Text == "" {
		return svc.coded(code)
	}
	return Message{code, f.Text}
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
	k.Profile = cmp.Or(k.Profile, d.Profile)
	k.RegXReq = cmp.Or(k.RegXReq, d.RegXReq)
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
	k.ContingencyPoints, k.Debts = maps.Clone(k.ContingencyPoints), maps.Clone(k.Debts)
	k.Events = slices.Clone(k.Events)
	return k
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
	for cuit, points := range k.ContingencyPoints {
		for _, p := range points {
			if err := p.validate(); err != nil {
				return fmt.Errorf("contingency_points: %d: %w", cuit, err)
			}
		}
	}
	if k.RegXReq < 0 || k.Latency < 0 || k.GuardWindow < 0 {
		return errors.New("reg_x_req, latency and guard_window cannot be negative")
	}
	return nil
}
