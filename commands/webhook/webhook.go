// Package webhook decides what may happen to a company's one callback URL.
package webhook

import (
	"slices"
	"time"

	"folio/commands"
	"folio/events"
	"folio/fault"
)

// The codes of events: those of the specification in the order of its table, then Folio's.
const (
	ISE = "ISE" // an invoice's status changed
	REC = "REC" // a purchase invoice was received
	CER = "CER" // a certificate is about to expire
	ENU = "ENU" // numbers are about to expire or run low
	OUT = "OUT" // the authority counts as away, or is back; Folio's own
)

// Codes are what a company can subscribe to.
var Codes = []string{ISE, REC, CER, ENU, OUT}

// The status of a subscription. A paused one is owed its events, which wait.
const (
	Active = "active"
	Paused = "paused"
)

// State is the subscription as it is; the zero value is none.
type State struct {
	Company     string
	Webhook     int64
	URL         string
	Events      []string
	Description string
	Status      string
	Secret      string   // reference into the vault
	Previous    []Secret // those before, the newest first
}

// Secret is one that was replaced and signs too until a time.
type Secret struct {
	Reference string // into the vault
	Until     time.Time
}

// maxPrevious is how many replaced secrets may sign: the header has a signature by each.
const maxPrevious = 3

// Exists says that the company has a callback URL.
func (s State) Exists() bool { return s.Webhook != 0 }

// Hears says whether the company is subscribed to a code.
func (s State) Hears(code string) bool { return s.Exists() && slices.Contains(s.Events, code) }

// Secrets are the references of the secrets that sign at a time, the newest first.
func (s State) Secrets(at time.Time) []string {
	out := []string{s.Secret}
	for _, p := range s.Previous {
		if at.Before(p.Until) {
			out = append(out, p.Reference)
		}
	}
	return out
}

// PreviousUntil is when the last of the secrets before stops signing; false at a time when
// none does.
func (s State) PreviousUntil(at time.Time) (time.Time, bool) {
	if len(s.Previous) == 0 {
		return time.Time{}, false
	}
	until := s.Previous[0].Until // no other signs for longer
	return until, at.Before(until)
}

// rotated has the secret of e in place of the one before, which signs until the overlap is
// over. So do those before it, if not for less: whoever asks twice, since the first answer
// was lost, has receivers that know none of the two new ones.
func (s State) rotated(e events.WebhookSecretRotated) State {
	previous := []Secret{{s.Secret, e.Overlap}}
	for _, p := range s.Previous {
		if p.Until.After(e.Overlap) {
			p.Until = e.Overlap
		}
		previous = append(previous, p)
	}
	s.Secret, s.Previous = e.Secret, previous[:min(len(previous), maxPrevious)]
	return s
}

// Command is anything a subscription can be asked.
type Command interface {
	decide(State) ([]events.Event, error)
}

// Decider is the whole behaviour of a subscription; the aggregate's id is the company.
var Decider = commands.Decider[State, Command]{
	Category: "webhook",
	Decide:   Command.decide,
	Evolve:   Evolve,
}

// Evolve is the state after one more event.
func Evolve(s State, e events.Event) State {
	switch e := e.(type) {
	case events.WebhookSubscribed:
		s = State{Company: e.Company, Webhook: e.Webhook, URL: e.URL, Events: e.Events,
			Description: e.Description, Status: Active, Secret: e.Secret}
	case events.WebhookChanged:
		s.URL, s.Events, s.Description, s.Status = e.URL, e.Events, e.Description, e.Status
	case events.WebhookSecretRotated:
		s = s.rotated(e)
	case events.WebhookRemoved:
		s = State{Company: s.Company}
	}
	return s
}

// Refusals of a subscription. The constant of ErrExists is the specification's, with
// its spelling.
var (
	ErrExists = fault.New(fault.Conflict, "WEBHOOK_SUSCRIPTION_ALREADY_EXISTS",
		"The company has a webhook subscription already: change it with PUT, or delete it first.")
	ErrUnknown = fault.New(fault.NotFound, "WEBHOOK_NOT_FOUND",
		"The company has no webhook subscription with this id: create one with POST /api/companies/{id_company}/webhooks.")
)

// Subscribe gives a company without one its callback URL.
type Subscribe struct{ Webhook events.WebhookSubscribed }

func (c Subscribe) decide(s State) ([]events.Event, error) {
	if s.Exists() {
		return nil, ErrExists
	}
	return []events.Event{c.Webhook}, nil
}

// Change replaces what can be chosen; the same again is nothing new.
type Change struct {
	Webhook int64
	To      events.WebhookChanged
}

func (c Change) decide(s State) ([]events.Event, error) {
	switch {
	case !s.Exists() || s.Webhook != c.Webhook:
		return nil, ErrUnknown
	case s.URL == c.To.URL && s.Description == c.To.Description && s.Status == c.To.Status &&
		slices.Equal(s.Events, c.To.Events):
		return nil, nil
	}
	return []events.Event{c.To}, nil
}

// Rotate signs with another secret from now on, and until Overlap with those before too.
type Rotate struct {
	Webhook int64
	Secret  string // reference into the vault
	Overlap time.Time
}

func (c Rotate) decide(s State) ([]events.Event, error) {
	if !s.Exists() || s.Webhook != c.Webhook {
		return nil, ErrUnknown
	}
	return []events.Event{events.WebhookSecretRotated{Secret: c.Secret, Overlap: c.Overlap}}, nil
}

// Remove ends the subscription. What is still owed to it is not sent any more.
type Remove struct{ Webhook int64 }

func (c Remove) decide(s State) ([]events.Event, error) {
	if !s.Exists() || s.Webhook != c.Webhook {
		return nil, ErrUnknown
	}
	return []events.Event{events.WebhookRemoved{}}, nil
}
