// Package notary keeps the transparency log: it folds every event into a tree, records a checkpoint of it every so
// often as a fact, signs what was recorded, publishes it, and gives it to witnesses and to whoever is to hold it.
package notary

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"folio/commands"
	decide "folio/commands/transparency"
	"folio/events"
	"folio/outbound"
	"folio/processors/reactor"
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

// Config is what the notary has beside a Base.
type Config struct {
	Source  Source   // every event: a Base's has only those of some types
	Before  []string // ids that the log had before it was restored, oldest first
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
	*reactor.Reactor
	c    Config
	wake chan struct{}
}

var _ reactor.Processor = (*Processor)(nil)

// New makes the notary.
func New(b reactor.Base, c Config) *Processor {
	if c.Every <= 0 {
		c.Every = DefaultEvery
	}
	if c.Most <= 0 {
		c.Most = DefaultMost
	}
	p := &Processor{c: c, wake: make(chan struct{}, 1)}
	p.Reactor = b.New(Name)
	p.Live(reactor.Life{Follow: p.follow, Forget: c.Store.Forget})
	return p
}

// WakeAll makes it look again at what is due.
func (p *Processor) WakeAll() { kick(p.wake) }

// kick wakes who waits on the channel, whose room for one is enough.
func kick(wake chan struct{}) {
	select {
	case wake <- struct{}{}:
	default:
	}
}

// follow keeps the tree until ctx ends, or what it needs fails.
func (p *Processor) follow(ctx context.Context, c *reactor.Checkpoints) error {
	err := p.keep(ctx, c)
	if err != nil && ctx.Err() == nil {
		p.Failed(p.Clock.Now(), reactor.Folding, err)
		p.pause(ctx, err)
	}
	return err
}

// pause shows a fault that will not go away by itself for as long as it lasts.
func (p *Processor) pause(ctx context.Context, err error) {
	if !errors.Is(err, errOlderCopy) && !errors.Is(err, errDiffers) && !errors.Is(err, errOtherSalts) &&
		!errors.Is(err, transparency.ErrNoKey) {
		return
	}
	p.Logger.Error("no checkpoint is signed", "error", err)
	select { // who woke the run meant the run
	case <-p.wake:
	default:
	}
	select {
	case <-ctx.Done():
	case <-p.wake:
	case <-p.Clock.At(p.Clock.Now().Add(10 * time.Minute)):
	}
}

// keep opens the tree and follows the log.
func (p *Processor) keep(ctx context.Context, c *reactor.Checkpoints) error {
	// First of all, since it carries out a rebuild that was asked for: one that waited would end each run that stands at
	// a fault, with the next renewal of the lease.
	after, err := c.Load(ctx, Name)
	if err != nil {
		return err
	}
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
	if after, err = r.resume(ctx, after); err != nil {
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
	s, found, err := commands.Bind(p.Executor, decide.Decider).Load(ctx, p.Log)
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
	"Restore that vault; or begin another tree: folio notary begin --reason WHY")

// begin begins the first tree of a log, which commits to the last checkpoint of the log that it was restored from.
func (p *Processor) begin(ctx context.Context, salts transparency.Salts) (s decide.State, err error) {
	e := events.TreeBegun{Tree: p.Log}
	for _, id := range p.c.Before {
		before, _, err := commands.Bind(p.Executor, decide.Decider).Load(ctx, id)
		if err != nil {
			return s, fmt.Errorf("read the checkpoints of the tree before: %w", err)
		}
		if before.Tree != "" {
			e.Previous = &before.TreeHead
		}
	}
	t := Trees{Executor: p.Executor, Secrets: p.c.Secrets, Log: p.Log, Actor: Name, Now: p.Clock.Now}
	return begin{t, salts, p.c.Origin}.tree(ctx, e)
}

func request(now time.Time, step ...string) commands.Request {
	return commands.Request{ID: commands.Derived(append([]string{Name}, step...)...), Actor: Name, At: now}
}
