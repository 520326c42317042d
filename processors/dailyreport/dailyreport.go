// Package dailyreport tells the authority of each day's documents, where it wants to be
// told (Uruguay): it folds the log into a worklist of days, and for every day that is
// over makes one report, signs and stores it, and sends it, the oldest day first. A day
// that changes after its report gets another one under the next sequence.
// docs/daily-report.md has each point at which it can be interrupted.
package dailyreport

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"folio/authority"
	"folio/bus"
	"folio/commands"
	"folio/commands/aggregates"
	"folio/commands/company"
	"folio/country"
	"folio/events"
	"folio/processors"
	"folio/tables"
)

// Name is the processor's checkpoint, worklist and lease.
const Name = "dailyreport"

// Credentials opens a company's certificate for use.
type Credentials interface {
	Open(ctx context.Context, c company.State, environment string, at time.Time) (authority.Credential, error)
}

// Files keeps what was sent and what was answered, by content.
type Files interface {
	StoreFile(ctx context.Context, content []byte) (sha256 string, err error)
	File(ctx context.Context, sha256 string) ([]byte, error)
}

// Config is what the processor is made of.
type Config struct {
	Executor *commands.Executor
	Source   bus.Source
	Guard    bus.Guard // keeps the trouble of one stream to that stream; may be nil
	Log      string    // id of the event log
	// End is the position of the log's last event; nil: a checkpoint is believed.
	End         func(ctx context.Context) (events.Position, error)
	Tables      tables.Store
	Files       Files
	Credentials Credentials
	// Rules finds a country by its code; its companies are reported where the rules are
	// country.DailyReporter.
	Rules func(code string) (country.Rules, bool)
	// Driver finds the driver of an authority; false when this service does not serve
	// the environment.
	Driver func(name string, e authority.Environment) (authority.Driver, bool)
	// After is how long after its end a local day is reported; zero: as the rules say.
	After time.Duration
	// SkipEmpty leaves out days without documents. Otherwise they are reported from the
	// company's first document on. Whether DGI wants them is not said in the manuals that
	// are public; it takes them.
	SkipEmpty bool
	// RetryBase is the first pause after a failure; the later ones grow with it.
	RetryBase time.Duration
	Clock     processors.Clock
	Logger    *slog.Logger
}

// Processor is the daily report processor.
type Processor struct {
	c      Config
	log    aggregates.Log
	list   tables.Worklist
	health processors.Health
	wake   chan struct{}

	mu        sync.Mutex
	companies map[string]reporting // nil rules: days are not reported there
	planned   map[string]string    // the day of each lane that was planned last
	attempts  map[string]int       // failures in a row, by lane
}

var _ processors.Processor = (*Processor)(nil)

// New makes the processor.
func New(c Config) *Processor {
	p := &Processor{c: c, log: aggregates.In(c.Executor), list: c.Tables.Worklist(Name), wake: make(chan struct{}, 1)}
	p.forget()
	p.health.Set(processors.Status{Name: Name, Since: c.Clock.Now()})
	return p
}

func (p *Processor) forget() {
	p.companies, p.planned, p.attempts = map[string]reporting{}, map[string]string{}, map[string]int{}
}

// Name is that of the lease.
func (p *Processor) Name() string { return Name }

// WakeAll makes it look again at what is due.
func (p *Processor) WakeAll() { processors.Kick(p.wake) }

// Status is the processor's health.
func (p *Processor) Status() processors.Status { return p.health.Get() }

// Run folds the log into the worklist and reports the days that are due, until ctx ends.
// Nothing is sent before the worklist is as new as the log was at the start: until then
// a day may lack documents.
func (p *Processor) Run(ctx context.Context) error {
	p.mu.Lock()
	p.forget()
	p.mu.Unlock()
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

const (
	lanesAtOnce = 8         // companies that are reported at the same time
	allItems    = 1_000_000 // more than there will ever be
)

// work reports what is due until ctx ends.
func (p *Processor) work(ctx context.Context) {
	processors.Worker{Clock: p.c.Clock, Logger: p.c.Logger, List: p.list, Wake: p.wake, Failing: "daily reports are not looked at", Turn: p.turn}.Run(ctx)
}

// turn works off every company that has a due day.
func (p *Processor) turn(ctx context.Context) error {
	lanes, err := p.list.Groups(ctx, p.c.Clock.Now(), allItems)
	if err != nil {
		return err
	}
	g, within := errgroup.WithContext(ctx)
	g.SetLimit(lanesAtOnce)
	for _, lane := range lanes {
		g.Go(func() error {
			if err := p.lane(within, lane); err != nil {
				return fmt.Errorf("daily reports of %s: %w", lane, err)
			}
			return nil
		})
	}
	return g.Wait()
}
