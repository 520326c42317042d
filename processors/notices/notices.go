// Package notices tells companies in time that a certificate expires or that numbers
// run out: it decides from the log which notice is owed on which day of the company's
// own time zone, and records it as a fact, once each. Delivering it to a callback URL
// is the delivery processor's business.
package notices

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"folio/bus"
	"folio/commands"
	"folio/commands/aggregates"
	"folio/country"
	"folio/events"
	"folio/processors"
	"folio/tables"
)

// Name is the processor's checkpoint, worklist and lease.
const Name = "notices"

// Config is what the processor is made of.
type Config struct {
	Executor *commands.Executor
	Source   bus.Source
	Guard    bus.Guard // keeps the trouble of one stream to that stream; may be nil
	Log      string    // id of the event log
	// End is the position of the log's last event; nil: a checkpoint is believed.
	End    func(ctx context.Context) (events.Position, error)
	Tables tables.Store
	Rules  func(code string) (country.Rules, bool)
	Clock  processors.Clock
	Logger *slog.Logger
}

// Processor is the notices processor.
type Processor struct {
	c      Config
	log    aggregates.Log
	list   tables.Worklist
	health processors.Health
	wake   chan struct{}
}

var _ processors.Processor = (*Processor)(nil)

// New makes the processor.
func New(c Config) *Processor {
	p := &Processor{c: c, log: aggregates.In(c.Executor), list: c.Tables.Worklist(Name), wake: make(chan struct{}, 1)}
	p.health.Set(processors.Status{Name: Name, Since: c.Clock.Now()})
	return p
}

// Name is that of the lease.
func (p *Processor) Name() string { return Name }

// WakeAll makes it look again at what is due.
func (p *Processor) WakeAll() { processors.Kick(p.wake) }

// Status is the processor's health.
func (p *Processor) Status() processors.Status { return p.health.Get() }

// Run folds the log into the worklist and gives the notices that are owed, until ctx
// ends. Nothing is given before the worklist is as new as the log was at the start: a
// new certificate may have ended the notices of an old one.
func (p *Processor) Run(ctx context.Context) error {
	return processors.FoldThenWork(ctx, &p.health, p.c.Clock, func(ctx context.Context, caughtUp func()) error {
		c := &processors.Checkpoints{Store: p.c.Tables, Log: p.c.Log, End: p.c.End, Forget: p.list.Clear, Traces: []tables.Worklist{p.list}}
		return c.Run(ctx, func(ctx context.Context) error {
			return bus.Run(ctx, p.c.Logger, bus.Consumer{
				Name: Name, Topic: Name, Source: p.c.Source, Checkpoints: c, Handle: p.fold, Guard: p.c.Guard, CaughtUp: caughtUp,
				Failed: func(err error) { p.health.Failed(p.c.Clock.Now(), err) },
			})
		})
	}, p.work)
}

// atOnce is how many items are read at a time.
const atOnce = 100

// work gives what is due until ctx ends.
func (p *Processor) work(ctx context.Context) {
	processors.Worker{Clock: p.c.Clock, Logger: p.c.Logger, List: p.list, Wake: p.wake, Failing: "notices are not given", Turn: p.turn}.Run(ctx)
}

// turn gives everything that is due.
func (p *Processor) turn(ctx context.Context) error {
	for {
		items, err := p.list.Due(ctx, p.c.Clock.Now(), atOnce)
		if err != nil || len(items) == 0 {
			return err
		}
		for _, it := range items {
			if err := p.give(ctx, it); err != nil {
				return fmt.Errorf("notices of %s: %w", it.Key, err)
			}
		}
	}
}

// give looks at one thing, records the notice that it owes and says when to look again.
func (p *Processor) give(ctx context.Context, it tables.Item) error {
	next, more, err := p.look(ctx, it)
	var t *events.Trouble
	switch {
	case errors.As(err, &t):
		// Of one company; the others are not kept waiting.
		p.c.Logger.Warn("a notice waits: a record that it needs cannot be read", "item", it.Key, "error", err)
		return p.list.Postpone(ctx, it.Key, p.c.Clock.Now().Add(troublePause))
	case err != nil:
		return err
	case more:
		return p.list.Postpone(ctx, it.Key, next)
	}
	return p.list.Remove(ctx, it.Key, it.At)
}

// troublePause is when something that needs a stream in quarantine is looked at again.
const troublePause = 10 * time.Minute

var errUnknown = errors.New("the log does not know what the worklist speaks of")
