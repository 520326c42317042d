// Package submission gets every invoice to its authority and records what came of it:
// design §3, "Submission, the heart". docs/submission.md draws each point at which it
// can be interrupted, and what the restart does.
package submission

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"folio/authority"
	"folio/bus"
	"folio/commands"
	"folio/commands/aggregates"
	"folio/commands/company"
	"folio/country"
	"folio/events"
	"folio/processors"
	"folio/tables"
	"folio/waiting"
)

// Name is the processor's checkpoint, worklist and lease.
const Name = "submission"

// Credentials opens a company's certificate for use.
type Credentials interface {
	Open(ctx context.Context, c company.State, environment string, at time.Time) (authority.Credential, error)
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

// Guard keeps the trouble of one stream to that stream. *quarantine.Feed is one.
type Guard interface {
	bus.Guard
	// Company says why invoices of a company may be missing from the worklist.
	Company(company string) error
}

// Config is what the processor is made of.
type Config struct {
	Executor *commands.Executor
	Source   bus.Source
	Guard    Guard  // may be nil
	Log      string // id of the event log
	// End is the position of the log's last event; nil: a checkpoint is believed.
	End         func(ctx context.Context) (events.Position, error)
	Tables      tables.Store
	Files       Files
	Credentials Credentials
	Secrets     Secrets // numbering files
	Notes       *waiting.Notes
	// Rules finds a country by its code.
	Rules func(code string) (country.Rules, bool)
	// Driver finds the driver of an authority; false when this service does not serve
	// the environment.
	Driver func(name string, e authority.Environment) (authority.Driver, bool)
	// RetryBase is the first pause after a failure; the later ones grow with it.
	RetryBase time.Duration
	// RenewAfter is how long an authority may say that it had an envelope and deny its
	// documents, before they go out in a new one; never when zero.
	RenewAfter time.Duration
	// StandsAfter is how long a series may wait without any progress before its operator is told.
	StandsAfter time.Duration
	Clock       processors.Clock
	Random      func() float64 // 0 to 1, for jitter
	NewID       func() string  // ids of submissions
	Logger      *slog.Logger
}

// Processor is the submission processor.
type Processor struct {
	c      Config
	log    aggregates.Log
	list   tables.Worklist
	health processors.Health

	mu     sync.Mutex
	ready  bool // the worklist is as new as the log
	series map[string]*runner
	copied map[string]string // series: settled submission whose copies are complete

	standing map[string]waiting.Reason // series without progress for StandsAfter

	taxpayers map[string]*taxpayer
	down      int // series that wait for the authority
	running   sync.WaitGroup
	ctx       context.Context // of the present Run
}

var _ processors.Processor = (*Processor)(nil)

// New makes the processor.
func New(c Config) *Processor {
	p := &Processor{c: c, log: aggregates.In(c.Executor), list: c.Tables.Worklist(Name)}
	p.health.Set(processors.Status{Name: Name, Since: c.Clock.Now()})
	return p
}

// Name is that of the lease.
func (p *Processor) Name() string { return Name }

// Status is the processor's health.
func (p *Processor) Status() processors.Status { return p.health.Get() }

// Run folds the log into the worklist and works it off until ctx ends. Nothing is
// sent before the worklist is as new as the log was at the start: until then an
// invoice on it may have been settled already.
func (p *Processor) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	p.mu.Lock()
	p.ctx, p.ready, p.series, p.copied, p.taxpayers = ctx, false, map[string]*runner{}, map[string]string{}, map[string]*taxpayer{}
	p.standing = map[string]waiting.Reason{}
	p.down = 0
	p.mu.Unlock()
	p.health.Begin(p.c.Clock.Now())
	defer func() { p.health.End(p.c.Clock.Now()) }()

	c := &processors.Checkpoints{Store: p.c.Tables, Log: p.c.Log, End: p.c.End, Forget: p.list.Clear, Traces: []tables.Worklist{p.list}}
	err := c.Run(ctx, func(ctx context.Context) error {
		return bus.Run(ctx, p.c.Logger, bus.Consumer{
			Name: Name, Topic: Name, Source: p.c.Source, Checkpoints: c, Handle: p.fold, Guard: p.c.Guard, CaughtUp: p.caughtUp, Failed: p.failed,
		})
	})
	cancel()
	p.running.Wait()
	return err
}

func (p *Processor) failed(err error) { p.health.Failed(p.c.Clock.Now(), err) }

// allSeries is more series than one process will ever own.
const allSeries = 1_000_000

// caughtUp starts the work the first time the worklist is as new as the log: every
// series that still has something on it is looked at, for what an earlier owner left.
func (p *Processor) caughtUp() {
	p.mu.Lock()
	first, ctx := !p.ready, p.ctx
	p.mu.Unlock()
	if !first {
		return
	}
	groups, err := p.list.Groups(ctx, p.c.Clock.Now(), allSeries)
	if err == nil {
		err = p.joinAll(ctx, groups)
	}
	if err != nil {
		p.failed(fmt.Errorf("list the series with work: %w", err)) // the next event of the feed tries again
		return
	}
	p.mu.Lock()
	p.ready = true
	p.mu.Unlock()
	p.health.CaughtUp(p.c.Clock.Now())
	for _, g := range groups {
		p.wake(g)
	}
}
