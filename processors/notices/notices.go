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
	Log      string // id of the event log
	// End is the position of the log's last event; nil: a checkpoint is believed.
	End    func(ctx context.Context) (events.Position, error)
	Tables tables.Store
	Rules  func(code string) (country.Rules, bool)
	Clock  Clock
	Logger *slog.Logger
}

// Clock is the time, and waiting for it.
type Clock interface {
	Now() time.Time
	After(d time.Duration) <-chan time.Time
}

// Processor is the notices processor.
type Processor struct {
	c      Config
	list   tables.Worklist
	health processors.Health
	wake   chan struct{}
}

var _ processors.Processor = (*Processor)(nil)

// New makes the processor.
func New(c Config) *Processor {
	p := &Processor{c: c, list: c.Tables.Worklist(Name), wake: make(chan struct{}, 1)}
	p.health.Set(processors.Status{Name: Name, Since: c.Clock.Now()})
	return p
}

// Name is that of the lease.
func (p *Processor) Name() string { return Name }

// Status is the processor's health.
func (p *Processor) Status() processors.Status { return p.health.Get() }

// Run folds the log into the worklist and gives the notices that are owed, until ctx
// ends. Nothing is given before the worklist is as new as the log was at the start: a
// new certificate may have ended the notices of an old one.
func (p *Processor) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	p.health.Update(func(s *processors.Status) { s.Owner, s.CaughtUp, s.Fault, s.Since = true, false, "", p.c.Clock.Now() })
	defer p.health.Update(func(s *processors.Status) { s.Owner, s.CaughtUp, s.Since = false, false, p.c.Clock.Now() })
	ready := make(chan struct{})
	done := make(chan struct{})
	go func() {
		defer close(done)
		select {
		case <-ready:
			p.work(ctx)
		case <-ctx.Done():
		}
	}()
	first := true
	err := bus.Run(ctx, p.c.Logger, bus.Consumer{
		Name: Name, Topic: Name, Source: p.c.Source,
		Checkpoints: processors.Checkpoints{Store: p.c.Tables, Log: p.c.Log, End: p.c.End, Forget: p.list.Clear},
		Handle:      p.fold, Failed: p.failed,
		CaughtUp: func() {
			if first {
				first = false
				p.health.Update(func(s *processors.Status) { s.CaughtUp, s.Since = true, p.c.Clock.Now() })
				close(ready)
			}
		},
	})
	cancel()
	<-done
	return err
}

func (p *Processor) failed(err error) {
	fault := ""
	if err != nil {
		fault = err.Error()
	}
	if p.health.Get().Fault != fault {
		p.health.Update(func(s *processors.Status) { s.Fault, s.Since = fault, p.c.Clock.Now() })
	}
}

const (
	atOnce      = 100
	longestWait = time.Hour // the clock of the machine may be set meanwhile
	faultPause  = 10 * time.Second
)

// work gives what is due and sleeps until the next day on which something is, or until
// the worklist changes.
func (p *Processor) work(ctx context.Context) {
	for ctx.Err() == nil {
		pause, err := p.turn(ctx)
		if err != nil && ctx.Err() == nil {
			p.c.Logger.Warn("notices are not given, trying again", "error", err)
			pause = faultPause
		}
		select {
		case <-p.wake:
		case <-p.c.Clock.After(pause):
		case <-ctx.Done():
		}
	}
}

// turn gives everything that is due and says how long to wait.
func (p *Processor) turn(ctx context.Context) (time.Duration, error) {
	for {
		items, err := p.list.Due(ctx, p.c.Clock.Now(), atOnce)
		if err != nil {
			return 0, err
		}
		if len(items) == 0 {
			break
		}
		for _, it := range items {
			if err := p.give(ctx, it); err != nil {
				return 0, fmt.Errorf("notices of %s: %w", it.Key, err)
			}
		}
	}
	next, ok, err := p.list.NextDue(ctx)
	if err != nil || !ok {
		return longestWait, err
	}
	return min(max(next.Sub(p.c.Clock.Now()), 0), longestWait), nil
}

// give looks at one thing, records the notice that it owes and says when to look again.
func (p *Processor) give(ctx context.Context, it tables.Item) error {
	next, more, err := p.look(ctx, it)
	switch {
	case err != nil:
		return err
	case more:
		return p.list.Postpone(ctx, it.Key, next)
	}
	return p.list.Remove(ctx, it.Key, it.At)
}

var errUnknown = errors.New("the log does not know what the worklist speaks of")
