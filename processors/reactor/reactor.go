// Package reactor is what every processor is made of: reactions to the events of the log, folded into worklists under
// a checkpoint; lanes that work the lists off, once they are as new as the log was at the start; a lease, so that one
// process does so at a time; and a health that says how it goes.
//
//	log ──▶ guard ──▶ On[E] ──▶ worklists ──▶ lanes ──▶ commands ──▶ log
//	                     └── checkpoint, saved with or after what was folded
//
// A processor embeds *Reactor and says what differs in a Life. Losing the tables costs time, never an effect twice.
package reactor

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"folio/authority"
	"folio/bus"
	"folio/clock"
	"folio/commands"
	"folio/country"
	"folio/events"
	"folio/processors/lanes"
	"folio/tables"
	"folio/tables/lease"
)

// Base is what every processor needs of the world.
type Base struct {
	Executor *commands.Executor
	// Source is the log, of which each processor follows its types.
	Source bus.Log
	// Router is the one of the process; nil: the processor runs one of its own.
	Router *bus.Router
	// Guard keeps the trouble of one stream to that stream, for a processor of that name; nil: trouble stops it.
	Guard func(processor string, types []string) Guard
	Log   string // id of the event log
	// End is the position of the log's last event; nil: a checkpoint is believed.
	End    func(ctx context.Context) (events.Position, error)
	Tables tables.Store
	Rules  func(code string) (country.Rules, bool) // of a country
	// Issued finds the company's own document that is named, "" for none; an error where the read models do not show the
	// log up to it yet. Nil: none is looked for.
	Issued func(context.Context, Named) (string, error)
	Clock  clock.Clock
	Logger *slog.Logger
}

// Named is a document that a note names by its coordinates.
type Named struct {
	At events.Position // of the note's creation
	// By is when the note was created: what was accepted later is not what it names. Zero: any.
	By                   time.Time
	Company, Environment string
	Reference            events.Reference
}

// Guard keeps the trouble of one stream to that stream. *quarantine.Feed is one.
type Guard interface {
	// Types are what it must hear itself: what operators decide about streams that it holds.
	Types() []string
	// Begin is called before anything is delivered; it may deliver what was held back.
	Begin(ctx context.Context, handle func(context.Context, events.Recorded) error) error
	// Deliver opens e and hands it to handle, or holds its stream. An error means: again.
	Deliver(ctx context.Context, e events.Recorded, handle func(context.Context, events.Recorded) error) error
	// Saved is called when a checkpoint was saved.
	Saved(ctx context.Context) error
	// Company says why facts about a company may be missing from what was folded; nil when none are.
	Company(company string) error
}

// Files keeps what was sent and what was answered, by content.
type Files interface {
	StoreFile(ctx context.Context, content []byte) (sha256 string, err error)
	File(ctx context.Context, sha256 string) ([]byte, error)
}

// Secrets opens what the vault keeps under a reference.
type Secrets interface {
	Open(ctx context.Context, ref string) ([]byte, error)
}

// Drivers finds the driver of an authority; false when this service does not serve the environment.
type Drivers func(name string, e authority.Environment) (authority.Driver, bool)

// Processor is a named consumer of the log with effects. The name is its checkpoint, its lease and its first
// worklist, and never changes.
type Processor interface {
	Name() string
	// Types are the events that it reacts to.
	Types() []string
	// Run works until ctx ends, which is no error, or the processor cannot go on. Only the owner of the lease runs it.
	Run(ctx context.Context) error
	// Status says whether it runs, and why not.
	Status() Status
	// WakeAll ends every pause after a failure: the log, a store or an authority is back.
	WakeAll()
	// Gauges are its own figures, beside those of its status.
	Gauges() []Gauge

	owned() *Reactor
}

// Gauge is a figure of a processor for metrics.
type Gauge struct {
	Name, Help string
	Value      func() float64
}

// Reactor is the part that all processors have.
type Reactor struct {
	Base
	Health
	List tables.Worklist // of the processor's name

	name      string
	reactions Reactions
	guard     Guard
	life      Life

	mu     sync.Mutex
	points *Checkpoints  // of the present run
	keeper *lease.Keeper // nil while it runs under no lease
}

// Life is what differs between processors. What is nil does nothing.
type Life struct {
	// Follow reads the log in a way of the processor's own, and calls CaughtUp; nil: its reactions are delivered.
	Follow func(ctx context.Context, c *Checkpoints) error
	// Begin forgets what an earlier run remembered. The run begins after a position, which the tables have.
	Begin func(ctx context.Context, after events.Position)
	// Ready is called once the worklists are as new as the log was at the start, again with later news if it fails.
	// Then the lanes open, and begin wakes those that have something to do.
	Ready func(ctx context.Context) (begin func(), err error)
	// Lanes work the lists off.
	Lanes []lanes.Opener
	// Save saves a checkpoint with what was folded; nil: what was folded is in the tables already.
	Save func(ctx context.Context, at events.Position) error
	// Forget empties the worklists; nil: List alone.
	Forget func(ctx context.Context) error
	// End is called when the feed and the lanes are over.
	End func()
}

// New makes the part of a processor that all have. Live must be called before Run.
func (b Base) New(name string, reactions ...Reaction) *Reactor {
	r := &Reactor{Base: b, List: b.Tables.Worklist(name), name: name, reactions: react(name, reactions),
		guard: unguarded{}}
	if b.Guard != nil && len(reactions) > 0 {
		r.guard = b.Guard(name, r.reactions.types)
	}
	r.Health.since = b.Clock.Now()
	return r
}

// Live sets what this processor does differently. Call it before Run.
func (r *Reactor) Live(l Life) { r.life = l }

func (r *Reactor) owned() *Reactor { return r }

// Name implements Processor.
func (r *Reactor) Name() string { return r.name }

// Types implements Processor.
func (r *Reactor) Types() []string { return r.reactions.types }

// Status implements Processor.
func (r *Reactor) Status() Status { return r.Health.status(r.name) }

// Gauges implements Processor.
func (r *Reactor) Gauges() []Gauge { return nil }

// WakeAll implements Processor.
func (r *Reactor) WakeAll() {
	for _, l := range r.life.Lanes {
		l.WakeAll()
	}
}

// Troubled says why facts about a company may be missing from the worklists; nil when none are.
func (r *Reactor) Troubled(company string) error { return r.guard.Company(company) }

// unguarded delivers everything, and stops at what cannot be taken.
type unguarded struct{}

func (unguarded) Types() []string             { return nil }
func (unguarded) Saved(context.Context) error { return nil }
func (unguarded) Company(string) error        { return nil }

func (unguarded) Begin(context.Context, func(context.Context, events.Recorded) error) error {
	return nil
}

func (unguarded) Deliver(
	ctx context.Context, e events.Recorded, handle func(context.Context, events.Recorded) error,
) error {
	opened, err := events.Open(e)
	if err != nil {
		return err
	}
	return handle(ctx, opened)
}

// Request identifies one step of this processor about id; see the function Request.
func (r *Reactor) Request(id string, step ...string) commands.Request {
	return Request(r.Clock, r.name, id, step...)
}

// Request is the identity of a processor's step about id: taken again after a crash it is the same one, so that
// nothing is recorded twice.
func Request(c clock.Clock, processor, id string, step ...string) commands.Request {
	return commands.Request{ID: commands.Derived(append([]string{processor, id}, step...)...),
		Correlation: id, Actor: processor, At: c.Now()}
}
