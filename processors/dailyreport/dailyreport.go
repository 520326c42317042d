// Package dailyreport tells the authority of each day's documents, where it wants to be
// told (Uruguay): it folds the log into a worklist of days, and for every day that is
// over makes one report, signs and stores it, and sends it, the oldest day first. A day
// that changes after its report gets another one under the next sequence.
// docs/daily-report.md has each point at which it can be interrupted.
package dailyreport

import (
	"context"
	"sync"
	"time"

	"folio/certificate"
	"folio/commands/aggregates"
	"folio/events"
	"folio/processors/lanes"
	"folio/processors/reactor"
	"folio/tables"
)

// Name is the processor's checkpoint, worklist and lease.
const Name = "dailyreport"

// Config is what the processor has beside a Base. Companies are reported where the rules are country.DailyReporter.
type Config struct {
	Files       reactor.Files
	Credentials certificate.Opener
	Driver      reactor.Drivers
	// After is how long after its end a local day is reported; zero: as the rules say.
	After time.Duration
	// SkipEmpty leaves out days without documents. Otherwise they are reported from the
	// company's first document on. Whether DGI wants them is not said in the manuals that
	// are public; it takes them.
	SkipEmpty bool
	// RetryBase is the first pause after a failure; the later ones grow with it.
	RetryBase time.Duration
}

// Processor is the daily report processor.
type Processor struct {
	*reactor.Reactor
	c     Config
	log   aggregates.Log
	lanes *lanes.Set[lanes.Func]

	mu        sync.Mutex
	companies map[string]reporting // nil rules: days are not reported there
	planned   map[string]string    // the day of each lane that was planned last
}

// New makes the processor. Nothing is sent before the worklist is as new as the log was at
// the start: until then a day may lack documents.
func New(b reactor.Base, c Config) *Processor {
	p := &Processor{c: c, log: aggregates.In(b.Executor)}
	p.Reactor = b.New(Name, reactor.On(p.opened), reactor.On(p.settled), reactor.On(p.sent), reactor.On(p.requested))
	p.lanes = lanes.New(lanes.Config[lanes.Func]{
		New:   func(lane string) lanes.Func { return func(ctx context.Context) lanes.Next { return p.turn(ctx, lane) } },
		Group: companyOf, AtOnce: lanesAtOnce, Clock: b.Clock,
		Pauses: lanes.Pauses{Base: c.RetryBase, Steps: steps},
		Failed: func(lane string, err error, next time.Time) {
			b.Logger.Warn("daily report waits", "lane", lane, "error", err, "next_try", next)
		},
	})
	p.Live(reactor.Life{Begin: p.forget, Lanes: []lanes.Opener{p.lanes}, Ready: p.ready})
	return p
}

func (p *Processor) forget(context.Context, events.Position) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.companies, p.planned = map[string]reporting{}, map[string]string{}
}

const (
	lanesAtOnce = 8         // companies that are reported at the same time
	allItems    = 1_000_000 // more than there will ever be
)

// steps are the pauses after the first, second, ... failure, in units of RetryBase (5 s,
// 30 s, 2 min, 10 min, 30 min with the default).
var steps = []int{1, 6, 24, 120, 360}

// ready finds the lanes with a planned day.
func (p *Processor) ready(ctx context.Context) (func(), error) {
	found, err := p.List.Groups(ctx, tables.Never.Add(-time.Microsecond), allItems)
	return func() {
		for _, lane := range found {
			p.lanes.Wake(lane)
		}
	}, err
}
