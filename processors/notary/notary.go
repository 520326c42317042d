// Package notary keeps the transparency log: it folds every event into a tree, records a checkpoint of it every so
// often as a fact, signs what was recorded, publishes it, and gives it to witnesses and to whoever is to hold it.
package notary

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"folio/commands"
	decide "folio/commands/transparency"
	"folio/events"
	"folio/outbound"
	"folio/processors"
	"folio/tables"
	"folio/transparency"
)

// Name is the processor's checkpoint and lease, and the actor of its facts.
const Name = "notary"

// Batch is what a source has at hand: every event, in order.
type Batch struct {
	Events   []events.Recorded
	Position events.Position
	CaughtUp bool
}

// Source is the log as the notary needs it: every event after a position, for ever.
type Source interface {
	Follow(ctx context.Context, after events.Position, handle func(context.Context, Batch) error) error
}

// Config is what the notary is made of.
type Config struct {
	Executor *commands.Executor
	Source   Source
	Log      string   // id of the event log
	Before   []string // ids that the log had before it was restored, oldest first
	// End is the position of the log's last event.
	End     func(ctx context.Context) (events.Position, error)
	Tables  tables.Store
	Store   *transparency.Store
	Secrets transparency.Secrets
	// Origin is what the origin of a tree begins with, such as folio.example.com/log.
	Origin string
	Every  time.Duration // at most so long between an event and its checkpoint; 0: a minute
	Most   int           // at most so many events; 0: a thousand
	// Client calls witnesses and addresses.
	Client    *outbound.Client
	Witnesses []Witness
	Addresses []string // each is posted every checkpoint
	Clock     processors.Clock
	Logger    *slog.Logger
}

// The defaults of Config.
const (
	DefaultEvery = time.Minute
	DefaultMost  = 1000
)

// keepEvery is how often leaves are written to the tables while they keep coming.
const keepEvery = 250 * time.Millisecond

// Processor is the notary.
type Processor struct {
	c      Config
	health processors.Health
	wake   chan struct{}
}

var _ processors.Processor = (*Processor)(nil)

// New makes the notary.
func New(c Config) *Processor {
	if c.Every <= 0 {
		c.Every = DefaultEvery
	}
	if c.Most <= 0 {
		c.Most = DefaultMost
	}
	p := &Processor{c: c, wake: make(chan struct{}, 1)}
	p.health.Set(processors.Status{Name: Name, Since: c.Clock.Now()})
	return p
}

// Name is that of the lease.
func (p *Processor) Name() string { return Name }

// WakeAll makes it look again at what is due.
func (p *Processor) WakeAll() { processors.Kick(p.wake) }

// Status is the notary's health.
func (p *Processor) Status() processors.Status { return p.health.Get() }

// Run keeps the tree until ctx ends, or what it needs fails.
func (p *Processor) Run(ctx context.Context) error {
	p.health.Begin(p.c.Clock.Now())
	defer func() { p.health.End(p.c.Clock.Now()) }()
	c := &processors.Checkpoints{Store: p.c.Tables, Log: p.c.Log, End: p.c.End, Forget: p.c.Store.Forget}
	err := c.Run(ctx, func(ctx context.Context) error { return p.keep(ctx, c) })
	if err != nil && ctx.Err() == nil {
		p.health.Failed(p.c.Clock.Now(), err)
		p.pause(ctx, err)
	}
	return err
}

// pause shows a fault that will not go away by itself for as long as it lasts.
func (p *Processor) pause(ctx context.Context, err error) {
	if !errors.Is(err, errOlderCopy) && !errors.Is(err, errDiffers) && !errors.Is(err, errOtherSalts) {
		return
	}
	p.c.Logger.Error("no checkpoint is signed", "error", err)
	select { // who woke the run meant the run
	case <-p.wake:
	default:
	}
	select {
	case <-ctx.Done():
	case <-p.wake:
	case <-p.c.Clock.At(p.c.Clock.Now().Add(10 * time.Minute)):
	}
}

// keep opens the tree and follows the log.
func (p *Processor) keep(ctx context.Context, c *processors.Checkpoints) error {
	salts, err := transparency.OpenSalts(ctx, p.c.Secrets)
	if err != nil {
		return err
	}
	r := &run{Processor: p, checkpoints: c, salts: salts, courier: newCourier(p)}
	if r.state, err = p.begun(ctx, salts); err != nil {
		return err
	}
	if err := r.signedBefore(ctx); err != nil {
		return err
	}
	after, err := r.resume(ctx)
	if err != nil {
		return err
	}
	ctx, fail := context.WithCancelCause(ctx)
	var beside sync.WaitGroup
	beside.Go(func() { r.tick(ctx, fail) })
	beside.Go(func() { r.courier.run(ctx) })
	err = p.c.Source.Follow(ctx, after, r.take)
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, context.Canceled) {
		err = cause
	}
	fail(nil)
	beside.Wait()
	return err
}

// begun is the log's tree, begun if it has none.
func (p *Processor) begun(ctx context.Context, salts transparency.Salts) (decide.State, error) {
	s, found, err := commands.Bind(p.c.Executor, decide.Decider).Load(ctx, p.c.Log)
	if err != nil {
		return s, fmt.Errorf("read the tree's checkpoints: %w", err)
	}
	if !found {
		s, err = p.begin(ctx, salts)
	}
	if err == nil && s.Salts != salts.Fingerprint() {
		err = errOtherSalts
	}
	return s, err
}

var errOtherSalts = errors.New("the vault is not the one that the tree was begun with: its salts are others. " +
	"Restore that vault; or begin another tree: folio notary begin --reason ...")

// begin begins the first tree of a log, which commits to the last checkpoint of the log that it was restored from.
func (p *Processor) begin(ctx context.Context, salts transparency.Salts) (s decide.State, err error) {
	e := events.TreeBegun{Tree: p.c.Log}
	for _, id := range p.c.Before {
		before, _, err := commands.Bind(p.c.Executor, decide.Decider).Load(ctx, id)
		if err != nil {
			return s, fmt.Errorf("read the checkpoints of the tree before: %w", err)
		}
		if before.Tree != "" {
			e.Previous = &before.TreeHead
		}
	}
	t := Trees{Executor: p.c.Executor, Secrets: p.c.Secrets, Log: p.c.Log, Actor: Name, Now: p.c.Clock.Now}
	return begin{t, salts, p.c.Origin}.tree(ctx, e)
}

func request(now time.Time, step ...string) commands.Request {
	return commands.Request{ID: commands.Derived(append([]string{Name}, step...)...), Actor: Name, At: now}
}
