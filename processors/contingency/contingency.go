// Package contingency lets a company's documents go on while the authority is away, as far as
// the law of its country lets them, and makes them good afterwards (Argentina, CAEA): it asks
// for the code of each fortnight ahead, moves what was never sent to the contingency point and
// issues it there, reports all of it in the order of its numbers, and closes each code.
// docs/contingency-argentina.md has each point at which it can be interrupted.
package contingency

import (
	"context"
	"strings"
	"sync"
	"time"

	"folio/authority"
	"folio/certificate"
	"folio/commands"
	"folio/commands/aggregates"
	"folio/commands/contingency"
	"folio/events"
	"folio/processors/lanes"
	"folio/processors/reactor"
	"folio/tables"
)

// Name is the processor's checkpoint, worklist and lease.
const Name = "contingency"

// Config is what the processor has beside a Base. Without a company that has set a contingency it does nothing.
type Config struct {
	Files       reactor.Files
	Credentials certificate.Opener
	Driver      reactor.Drivers
	// Queue is the worklist of invoices that have no final answer, by series: submission's. It is only read.
	Queue string
	// RetryBase is the first pause after a failure; the later ones grow with it.
	RetryBase time.Duration
	NewID     func() string // ids of reports
}

// Processor is the contingency processor. Local lanes issue, and wait for no authority; remote
// ones ask for codes and report.
type Processor struct {
	*reactor.Reactor
	c     Config
	log   aggregates.Log
	queue tables.Worklist

	local, remote *lanes.Set[lanes.Func]

	mu      sync.Mutex
	open    map[contingency.Window]bool
	fresh   map[string][]string // ordinary series: invoices that submission's list may not have yet
	done    map[string]bool     // withdrawn invoices that came to an end
	copied  map[string]int64    // contingency series: the last number whose copy is in its invoice
	settled map[string]string   // contingency series: the settled report whose copies are complete
}

const (
	localAtOnce  = 64
	remoteAtOnce = 64
	companyEach  = 8 // of one company, of each of the two
	allItems     = 1_000_000
	// awayPause is how long a lane waits while the log or a store is away. WakeAll ends it.
	awayPause = 10 * time.Second
	// callTimeout bounds the calls of one turn, should a driver have no limits.
	callTimeout = 10 * time.Minute
)

// steps are the pauses after the first, second, ... failure, in units of RetryBase.
var steps = []int{1, 6, 24, 120}

// New makes the processor.
func New(b reactor.Base, c Config) *Processor {
	p := &Processor{c: c, log: aggregates.In(b.Executor), queue: b.Tables.Worklist(c.Queue)}
	p.Reactor = b.New(Name, p.reactions()...)
	p.local = p.set(localAtOnce)
	p.remote = p.set(remoteAtOnce)
	p.Live(reactor.Life{Begin: p.forget, Lanes: []lanes.Opener{p.local, p.remote}, Ready: p.ready})
	return p
}

func (p *Processor) set(atOnce int64) *lanes.Set[lanes.Func] {
	return lanes.New(lanes.Config[lanes.Func]{
		New:   func(key string) lanes.Func { return func(ctx context.Context) lanes.Next { return p.turn(ctx, key) } },
		Group: companyOf, AtOnce: atOnce, Each: companyEach, Clock: p.Clock,
		Pauses: lanes.Pauses{Base: p.c.RetryBase, Steps: steps},
		Failed: func(lane string, err error, next time.Time) {
			p.Logger.Warn("a contingency waits", "lane", lane, "error", authority.Describe(err), "cause", err,
				"next_try", next)
		},
	})
}

// forget begins a life: another process may have worked since the last one.
func (p *Processor) forget(context.Context, events.Position) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.open, p.done, p.fresh = map[contingency.Window]bool{}, map[string]bool{}, map[string][]string{}
	p.copied, p.settled = map[string]int64{}, map[string]string{}
}

// ready finds what an earlier owner left.
func (p *Processor) ready(ctx context.Context) (func(), error) {
	items, err := p.List.All(ctx, allItems)
	return func() {
		for _, it := range items {
			p.wake(it.Key)
		}
	}, err
}

// turn does the work of one lane. What stops it is tried again with growing pauses.
func (p *Processor) turn(ctx context.Context, lane string) lanes.Next {
	kind, id, _ := strings.Cut(lane, "/")
	next, err := p.work(ctx, kind, id)
	switch {
	case commands.LogAway(err), awayStore(err):
		p.Logger.Warn("a contingency is not looked at, trying again", "lane", lane, "error", err)
		return lanes.Until(p.Clock.Now().Add(awayPause))
	case err != nil:
		return lanes.Failed(err)
	}
	return next
}

func (p *Processor) work(ctx context.Context, kind, id string) (lanes.Next, error) {
	switch kind {
	case ofWindow:
		return p.window(ctx, id)
	case ofOutage:
		return p.outage(ctx, id)
	case ofProbe:
		return p.probe(ctx, id)
	case ofIssue:
		return p.issue(ctx, id)
	case ofKeeper:
		return p.keep(ctx, id)
	case ofCode:
		return p.code(ctx, id)
	}
	return p.report(ctx, id)
}
