// Package submission gets every invoice to its authority and records what came of it.
// docs/submission.md draws each point at which it can be interrupted, and what the
// restart does.
package submission

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"folio/certificate"
	"folio/commands/aggregates"
	"folio/events"
	"folio/processors/lanes"
	"folio/processors/reactor"
	"folio/tables"
	"folio/waiting"
)

// Name is the processor's checkpoint, worklist and lease.
const Name = "submission"

// Config is what the processor has beside a Base.
type Config struct {
	Files       reactor.Files
	Credentials certificate.Opener
	Secrets     reactor.Secrets // numbering files
	Driver      reactor.Drivers
	Notes       *waiting.Notes
	// RetryBase is the first pause after a failure; the later ones grow with it.
	RetryBase time.Duration
	// RenewAfter is how long an authority may say that it had an envelope and deny its
	// documents, before they go out in a new one; never when zero.
	RenewAfter time.Duration
	// StandsAfter is how long a series may wait without any progress before its operator is told.
	StandsAfter time.Duration
	// Handover says that documents may be handed over before the verdict: that the authority has
	// one is recorded, and while it answers nobody documents are signed and numbered as ever.
	Handover bool
	Random   func() float64 // 0 to 1, for jitter
	NewID    func() string  // ids of submissions
}

// Processor is the submission processor. Each series with something to do has a lane, so series go in parallel and a
// stuck one slows no other.
type Processor struct {
	*reactor.Reactor
	c     Config
	log   aggregates.Log
	lanes *lanes.Set[*turn]
	draft draft

	down atomic.Int64 // series that wait for the authority

	mu        sync.Mutex
	copied    map[string]string         // series: settled submission whose copies are complete
	standing  map[string]waiting.Reason // series without progress for StandsAfter
	taxpayers map[string]*taxpayer
}

// The bounds of turns at a time; each may be a call to an authority.
const (
	turnsAtOnce = 1024
	turnsEach   = 256 // of one company
)

// New makes the processor. Nothing is sent before the worklist is as new as the log was at the start: until then an
// invoice on it may have been settled already.
func New(b reactor.Base, c Config) *Processor {
	p := &Processor{c: c, log: aggregates.In(b.Executor)}
	p.Reactor = b.New(Name, p.reactions()...)
	p.lanes = lanes.New(lanes.Config[*turn]{
		New: p.newTurn, Group: companyOf, AtOnce: turnsAtOnce, Each: turnsEach, Clock: b.Clock,
		Pauses: lanes.Pauses{Base: c.RetryBase, Steps: steps, Random: c.Random},
		Failed: func(series string, err error, next time.Time) {
			b.Logger.Warn("a series failed for a reason of our own", "series", series, "error", err, "next_try", next)
		},
	})
	p.Live(reactor.Life{Begin: p.forgetAll, Save: p.save, Lanes: []lanes.Opener{p.lanes}, Ready: p.ready})
	return p
}

// forgetAll begins a life: another process may have worked since the last one.
func (p *Processor) forgetAll(context.Context, events.Position) {
	p.draft.clear()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.copied, p.taxpayers, p.standing = map[string]string{}, map[string]*taxpayer{}, map[string]waiting.Reason{}
	p.down.Store(0)
}

// Series is how many series have something to do or to wait for in this process.
func (p *Processor) Series() int { return p.lanes.Len() }

// Gauges implements reactor.Processor.
func (p *Processor) Gauges() []reactor.Gauge {
	return []reactor.Gauge{
		{Name: "submission_waiting_series", Help: "Numbering series with work that this process knows of.",
			Value: func() float64 { return float64(p.Series()) }},
		{Name: "submission_standing_series",
			Help:  "Numbering series of which nothing was learnt for --stands-after; readyz names them.",
			Value: func() float64 { return float64(len(p.Standing())) }},
	}
}

// allSeries is more series than one process will ever own.
const allSeries = 1_000_000

// ready finds every series that still has something on the worklist, for what an earlier owner left, and those of which
// a note tells that they wait: one whose work another owner ended goes on, and its note must not stay.
func (p *Processor) ready(ctx context.Context) (func(), error) {
	// A start whose log ends at the checkpoint saves nothing, and the quarantine may have set free what was held before.
	err := p.write(func(b tables.Batch) error {
		if len(b.Work) == 0 {
			return nil
		}
		return p.Tables.Apply(ctx, b)
	})
	if err != nil {
		return nil, err
	}
	groups, err := p.List.Groups(ctx, p.Clock.Now(), allSeries)
	if err != nil {
		return nil, err
	}
	if err := p.joinAll(ctx, groups); err != nil {
		return nil, err
	}
	noted, _, err := p.c.Notes.List(ctx, tables.MaxLimit)
	return func() {
		for _, g := range groups {
			p.lanes.Wake(g)
		}
		for _, n := range noted {
			p.lanes.Wake(n.Series)
		}
	}, err
}
