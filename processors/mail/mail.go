// Package mail sends accepted documents to the addresses that companies ask for: it folds the log into a worklist of
// messages, hands each to the operator's mail server, and records what came of it. A company's messages go one after
// the other, companies take turns.
//
// What the server took is recorded after it said so. A process that is killed in between sends the message again,
// with the same Message-ID, so that its receiver sees one.
package mail

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"folio/commands/aggregates"
	"folio/commands/invoice"
	"folio/events"
	"folio/processors/lanes"
	"folio/processors/reactor"
	"folio/tables"
)

// Name is the processor's checkpoint, worklist and lease.
const Name = "mail"

// Config is what the processor has beside a Base.
type Config struct {
	// Send makes the message and hands it over. A *Refused says that the server did not take it, or could not be
	// reached; an *Unmade that its documents cannot be made. Anything else is a database or log that is away, which is no
	// try.
	Send func(ctx context.Context, m Message) (Sent, error)
	// RetryBase is the first pause after a try that failed; the later ones grow with it.
	RetryBase time.Duration
}

// Message is what to send.
type Message struct {
	Email, Invoice, Company, To string
	At                          time.Time // when it was asked for
}

// Sent is what went out.
type Sent struct {
	MessageID string
	Files     []string
}

// Refused is a try that failed at the mail server.
type Refused struct {
	Final  bool // asking again is of no use
	Reason string
	Away   bool // no message would have gone: the reason is the operator's to read, and names no recipient
}

// Error is the reason.
func (e *Refused) Error() string { return e.Reason }

// Unmade is a try that failed because the documents of the message cannot be made. It counts: a fault that stays must
// end.
type Unmade struct{ Err error }

// Error is for the operator's log.
func (e *Unmade) Error() string { return "the documents of an e-mail cannot be made: " + e.Err.Error() }

// Unwrap is why.
func (e *Unmade) Unwrap() error { return e.Err }

// cannotBeMade is what callers read of it.
var cannotBeMade = events.Because("the document that goes with the message could not be made; the operator's log " +
	"says why")

// Processor is the mail processor.
type Processor struct {
	*reactor.Reactor
	c     Config
	log   aggregates.Log
	lanes *lanes.Set[lanes.Func]
	away  atomic.Bool // the mail server, at the last try
}

// atOnce bounds the messages on their way, and with them the documents that are drawn.
const atOnce = 2

// steps are the pauses after the first, second, ... try that failed, in units of RetryBase: 1, 5 and 15 minutes, 1, 4
// and 12 hours, a day with the default. After the last one the message has failed.
var steps = []int{1, 5, 15, 60, 240, 720, 1440}

const (
	failurePause = 10 * time.Second // after a fault of our own
	troublePause = 10 * time.Minute // while a record that is needed cannot be read
	inLane       = 200              // messages of a company that are looked at together
)

// New makes the processor.
func New(b reactor.Base, c Config) *Processor {
	p := &Processor{c: c, log: aggregates.In(b.Executor)}
	p.Reactor = b.New(Name, reactor.On(p.requested), reactor.On(p.delayed), reactor.On(p.sent), reactor.On(p.failed))
	p.lanes = lanes.New(lanes.Config[lanes.Func]{
		New: func(company string) lanes.Func {
			return func(ctx context.Context) lanes.Next { return p.turn(ctx, company) }
		},
		AtOnce: atOnce, Each: 1, Clock: b.Clock, Pauses: lanes.Pauses{Base: failurePause},
		Failed: func(company string, err error, next time.Time) {
			b.Logger.Warn("e-mails wait", "company", company, "error", err, "next_try", next)
		},
	})
	p.Live(reactor.Life{Lanes: []lanes.Opener{p.lanes}, Ready: p.ready})
	return p
}

// ready finds the companies with a message that waits.
func (p *Processor) ready(ctx context.Context) (func(), error) {
	found, err := p.List.Groups(ctx, tables.Never.Add(-time.Microsecond), 1_000_000)
	return func() {
		for _, company := range found {
			p.lanes.Wake(company)
		}
	}, err
}

// item is what the worklist keeps of a message.
type item struct {
	To string    `json:"to"`
	At time.Time `json:"at"`
}

func key(invoice, email string) string { return invoice + "/" + email }

func (p *Processor) requested(ctx context.Context, r events.Recorded, e events.EmailRequested) error {
	body, err := json.Marshal(item{e.To, r.Meta.At.UTC()})
	if err != nil {
		return err
	}
	err = p.List.Put(ctx, tables.Item{Key: key(events.Aggregate(r.Stream), e.Email), Group: e.Company, Order: r.Position,
		At: r.Position, Due: r.Meta.At, Body: body})
	p.lanes.Wake(e.Company)
	return err
}

func (p *Processor) delayed(ctx context.Context, r events.Recorded, e events.EmailDelayed) error {
	return p.List.Postpone(ctx, key(events.Aggregate(r.Stream), e.Email), e.Next)
}

func (p *Processor) sent(ctx context.Context, r events.Recorded, e events.EmailSent) error {
	return p.List.Remove(ctx, key(events.Aggregate(r.Stream), e.Email), r.Position)
}

func (p *Processor) failed(ctx context.Context, r events.Recorded, e events.EmailFailed) error {
	return p.List.Remove(ctx, key(events.Aggregate(r.Stream), e.Email), r.Position)
}

// turn sends the first message of a company that is due, or says when one will be.
func (p *Processor) turn(ctx context.Context, company string) lanes.Next {
	items, err := p.List.InGroup(ctx, company, inLane)
	if err != nil {
		return lanes.Failed(err)
	}
	var next time.Time
	for _, it := range items {
		if !it.Due.After(p.Clock.Now()) {
			if err := p.one(ctx, it); err != nil {
				return lanes.Failed(err)
			}
			return lanes.Again()
		}
		if next.IsZero() || it.Due.Before(next) {
			next = it.Due
		}
	}
	if next.IsZero() {
		return lanes.Done()
	}
	return lanes.Until(next)
}

// one tries a message. What cannot be tried for a fault of our own waits alone.
func (p *Processor) one(ctx context.Context, it tables.Item) error {
	err := p.try(ctx, it)
	if err == nil || ctx.Err() != nil {
		return err
	}
	pause := failurePause
	if t := new(events.Trouble); errors.As(err, &t) {
		pause = troublePause // a record that it needs cannot be read
	}
	p.Logger.Warn("an e-mail cannot be made or recorded, trying again", "item", it.Key, "error", err)
	return p.List.Postpone(ctx, it.Key, p.Clock.Now().Add(pause))
}

// try sends a message that is not over, and records what came of it in the invoice before the list: the list follows
// from it.
func (p *Processor) try(ctx context.Context, it tables.Item) error {
	id, email, _ := strings.Cut(it.Key, "/")
	s, _, err := p.log.Invoices.Load(ctx, id)
	if err != nil {
		return err
	}
	tries, open := s.OpenEmail(email)
	if !open {
		return p.List.Remove(ctx, it.Key, it.At)
	}
	var body item
	if err := json.Unmarshal(it.Body, &body); err != nil {
		return err
	}
	sent, err := p.c.Send(ctx, Message{Email: email, Invoice: id, Company: it.Group, To: body.To, At: body.At})
	p.reached(err)
	command, next, err := p.outcome(email, tries+1, sent, err)
	if err != nil {
		return err
	}
	out, err := p.log.Invoices.Execute(ctx, id, command, p.Request(id, "email", email, strconv.Itoa(tries)))
	if err != nil {
		return err
	}
	if next.IsZero() {
		return p.List.Remove(ctx, it.Key, latest(it.At, out.Position))
	}
	return p.List.Postpone(ctx, it.Key, next)
}

// reached tells the operator when the mail server goes and when it is back, by what became of a try.
func (p *Processor) reached(err error) {
	var refused *Refused
	switch answered := errors.As(err, &refused); {
	case answered && refused.Away:
		if !p.away.Swap(true) {
			p.Logger.Warn("the mail server takes no messages: e-mails wait", "error", refused.Reason)
		}
	case err == nil || answered:
		if p.away.Swap(false) {
			p.Logger.Info("the mail server takes messages again")
		}
	}
}

// outcome is what is recorded of a try, and when the next one is; an error is a fault of our own.
func (p *Processor) outcome(email string, try int, sent Sent, err error) (invoice.Command, time.Time, error) {
	if err == nil {
		return invoice.FinishEmail{Email: email, Try: try, MessageID: sent.MessageID, Files: sent.Files}, time.Time{}, nil
	}
	var refused *Refused
	if unmade := new(Unmade); errors.As(err, &unmade) {
		p.Logger.Error("the documents of an e-mail cannot be made", "email", email, "try", try, "error", unmade.Err)
		refused = &Refused{Reason: cannotBeMade}
	} else if !errors.As(err, &refused) {
		return nil, time.Time{}, err
	}
	if refused.Final || try > len(steps) {
		return invoice.FailEmail{Email: email, Try: try, Reason: refused.Reason}, time.Time{}, nil
	}
	next := p.Clock.Now().Add(time.Duration(steps[try-1]) * p.c.RetryBase)
	return invoice.DelayEmail{Email: email, Try: try, Reason: refused.Reason, Next: next}, next, nil
}

func latest(a, b events.Position) events.Position {
	if a.Before(b) {
		return b
	}
	return a
}
