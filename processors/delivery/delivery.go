// Package delivery gets every fact that a company subscribed to, to its callback URL,
// and records each attempt: design §6. docs/webhooks.md tells integrators what to
// expect.
//
// Three steps, each with a worklist of its own, so that a crash between any two loses
// nothing: what happened becomes DeliveryScheduled (causes.go), what is due is sent and
// becomes DeliveryAttempted (lane.go, attempt.go), and a replay asks for old ones again
// (replay.go). What waits to be sent is one list per company, so that no company's
// backlog stands in the way of another's, and a list of the companies that have any.
package delivery

import (
	"context"
	"fmt"
	"iter"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/sync/semaphore"

	"folio/admission"
	"folio/bus"
	"folio/commands"
	"folio/commands/aggregates"
	"folio/events"
	"folio/outbound"
	"folio/processors"
	"folio/tables"
)

// Name is the processor's checkpoint and lease, and the list of its companies.
const Name = "delivery"

// Sender calls a foreign address once; *outbound.Client is one.
type Sender interface {
	Post(ctx context.Context, to string, header http.Header, body []byte) outbound.Result
}

// Secrets opens the signing secrets.
type Secrets interface {
	Open(ctx context.Context, ref string) ([]byte, error)
}

// Streams reads one stream of the log.
type Streams interface {
	Read(ctx context.Context, stream string, from uint64) iter.Seq2[events.Recorded, error]
}

// Config is what the processor is made of.
type Config struct {
	Executor *commands.Executor
	Source   bus.Source // of Types
	Guard    bus.Guard  // keeps the trouble of one stream to that stream; may be nil
	Past     Past       // for replays
	Streams  Streams
	Log      string // id of the event log
	// End is the position of the log's last event; nil: a checkpoint is believed.
	End     func(ctx context.Context) (events.Position, error)
	Tables  tables.Store
	Secrets Secrets
	Sender  Sender
	Rules   Rules
	Clock   processors.Clock
	// Observe is told of every attempt; may be nil.
	Observe func(code string, r outbound.Result)
	// Connections bounds the calls at a time, in all; 0 is 2048.
	Connections int
	// PerCompany bounds them for one company; 0 is 4. It is 1 while half of all are busy.
	PerCompany int
	// PerSecond bounds the calls a second to one company, on average; 0 is 100: what one
	// credential at the default rate limit can cause, 50 invoices of two changes each.
	PerSecond int
	Logger    *slog.Logger
}

// Processor is the delivery processor.
type Processor struct {
	c         Config
	log       aggregates.Log
	companies tables.Worklist // an item a company: when its list is due
	causes    tables.Worklist // facts that wait to become deliveries
	replays   tables.Worklist
	health    processors.Health
	subs      *subscriptions
	secrets   *lru.Cache[string, []byte]
	gate      *gate
	replaying *admission.Gate // of companies' replays
	pace      *pace
	traced    *lru.Cache[string, int] // rests of each company since its list was pruned
	books     *books

	draft   *draft // the feed's
	writer  *writer
	unsaved atomic.Bool // the writer's last try failed

	// lists keeps a change of a company's list and of its place among the companies
	// together, against a lane that is about to find nothing to do.
	lists   *semaphore.Weighted
	resting map[string]time.Time // companies to be put out of sight until then

	mu       sync.Mutex
	back     chan struct{} // closed and replaced by WakeAll
	ready    bool
	lanes    map[string]*lane
	queue    []string // companies that wait for a lane
	queued   map[string]bool
	replayer map[string]context.CancelFunc
	ctx      context.Context // of the present Run
	running  sync.WaitGroup

	scheduling chan struct{} // kicks: one is enough
	timing     chan struct{}
	settling   chan struct{}
	heardTo    atomic.Pointer[events.Position] // the checkpoint: nothing before it is heard again
}

var _ processors.Processor = (*Processor)(nil)

const (
	keptSecrets        = 4096
	defaultConnections = 2048
	defaultPerCompany  = 4
	defaultPerSecond   = 100
)

// New makes the processor.
func New(c Config) *Processor {
	if c.Connections <= 0 {
		c.Connections = defaultConnections
	}
	if c.PerCompany <= 0 {
		c.PerCompany = defaultPerCompany
	}
	if c.PerSecond <= 0 {
		c.PerSecond = defaultPerSecond
	}
	secrets, err := lru.New[string, []byte](keptSecrets)
	if err != nil {
		panic(err) // only for a size below 1
	}
	traced, err := lru.New[string, int](keptCompanies)
	if err != nil {
		panic(err) // likewise
	}
	p := &Processor{c: c, log: aggregates.In(c.Executor), companies: c.Tables.Worklist(Name), causes: c.Tables.Worklist(causesList), replays: c.Tables.Worklist(replaysList),
		subs: newSubscriptions(c.Executor), secrets: secrets, gate: newGate(c.Connections, c.PerCompany), replaying: newReplayGate(), traced: traced, books: newBooks(), lists: semaphore.NewWeighted(1), pace: newPace(c.PerSecond), back: make(chan struct{})}
	p.health.Set(processors.Status{Name: Name, Since: c.Clock.Now()})
	return p
}

// Name is that of the lease.
func (p *Processor) Name() string { return Name }

// WakeAll ends every pause after a fault of our own.
func (p *Processor) WakeAll() {
	p.mu.Lock()
	defer p.mu.Unlock()
	close(p.back)
	p.back = make(chan struct{})
}

// Status is the processor's health.
func (p *Processor) Status() processors.Status { return p.health.Get() }

// Busy is how many calls are on their way, and how many companies have work.
func (p *Processor) Busy() (calls, companies int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return int(p.gate.used.Load()), len(p.lanes) + len(p.queue)
}

// Run folds the log into the worklists and works them off until ctx ends. Nothing is
// sent before they are as new as the log was at the start: until then an attempt that
// is due on a list may have been made already.
func (p *Processor) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	p.mu.Lock()
	p.ctx, p.ready, p.lanes = ctx, false, map[string]*lane{}
	p.queue, p.queued, p.replayer = nil, map[string]bool{}, map[string]context.CancelFunc{}
	p.scheduling, p.timing, p.settling = make(chan struct{}, 1), make(chan struct{}, 1), make(chan struct{}, 1)
	c := &processors.Checkpoints{Store: p.c.Tables, Log: p.c.Log, End: p.c.End, Forget: p.forget}
	p.draft, p.writer, p.resting = newDraft(), newWriter(c.Apply), map[string]time.Time{}
	p.mu.Unlock()
	p.subs.forgetAll() // others may have changed them while this process stood by
	p.books.forgetAll()
	p.health.Begin(p.c.Clock.Now())
	defer func() { p.health.End(p.c.Clock.Now()) }()

	p.running.Go(func() { p.writer.run(ctx, func(err error) bool { return p.wrote(ctx, err) }) })
	err := c.Run(ctx, func(ctx context.Context) error {
		return bus.Run(ctx, p.c.Logger, bus.Consumer{
			Name: Name, Topic: Name, Source: p.c.Source, Checkpoints: checkpoints{c, p}, Handle: p.fold, Guard: p.c.Guard, CaughtUp: p.caughtUp, Failed: p.failed,
		})
	})
	cancel()
	p.running.Wait()
	return err
}

// checkpoints saves what was folded together with how far that is.
type checkpoints struct {
	*processors.Checkpoints
	p *Processor
}

func (c checkpoints) Save(ctx context.Context, group string, at events.Position) error {
	return c.p.save(ctx, tables.Checkpoint{Name: group, At: at})
}

// wrote notes how the writer's last try went; false when it shall not try again.
func (p *Processor) wrote(ctx context.Context, err error) bool {
	if ctx.Err() != nil {
		return false
	}
	if failed := p.unsaved.Swap(err != nil); failed || err != nil {
		p.failed(err)
	}
	if err == nil {
		return true
	}
	p.c.Logger.Warn("the lists of deliveries cannot be changed, trying again", "error", err)
	return p.wait(ctx, failurePause)
}

// failed notes a fault of the feed or the writer. That an event was folded is no good news
// while the lists cannot be written.
func (p *Processor) failed(err error) {
	if err == nil && p.unsaved.Load() {
		return
	}
	p.health.Failed(p.c.Clock.Now(), err)
}

// all is more companies or replays than there will ever be.
const all = 10_000_000

// caughtUp starts the work the first time the worklists are as new as the log.
func (p *Processor) caughtUp() {
	p.mu.Lock()
	first, ctx := !p.ready, p.ctx
	p.mu.Unlock()
	if !first {
		return
	}
	if err := p.begin(ctx); err != nil {
		p.failed(fmt.Errorf("list what waits to be delivered: %w", err)) // the feed's next news try again
		return
	}
	p.health.CaughtUp(p.c.Clock.Now())
}

func (p *Processor) begin(ctx context.Context) error {
	for _, list := range []string{Name, replaysList} {
		if err := p.writer.flush(ctx, list); err != nil {
			return err
		}
	}
	companies, err := p.companies.InGroup(ctx, "", all)
	if err != nil {
		return err
	}
	replays, err := p.replays.InGroup(ctx, "", all)
	if err != nil {
		return err
	}
	p.mu.Lock()
	p.ready = true
	p.mu.Unlock()
	for _, c := range companies {
		if !c.Due.Equal(tables.Never) {
			p.wake(c.Key)
		}
	}
	for _, r := range replays {
		p.startReplay(r.Key, r.At)
	}
	p.running.Go(func() { p.schedule(ctx) })
	p.running.Go(func() { p.keepTime(ctx) })
	p.running.Go(func() { p.keepRests(ctx) })
	return nil
}

// failurePause is how long a step waits after a fault of our own: the log, the tables
// or the vault.
const failurePause = time.Second

// wait ends early with WakeAll. It is false when ctx ended.
func (p *Processor) wait(ctx context.Context, d time.Duration) bool {
	p.mu.Lock()
	back := p.back
	p.mu.Unlock()
	select {
	case <-p.c.Clock.At(p.c.Clock.Now().Add(d)):
		return true
	case <-back:
		return true
	case <-ctx.Done():
		return false
	}
}

// request is the identity of a step: taken again after a crash it is the same one, so
// nothing is recorded twice.
func (p *Processor) request(id string, step ...string) commands.Request {
	return commands.Request{ID: commands.Derived(append([]string{Name, id}, step...)...),
		Correlation: id, Causation: id, Actor: Name, At: p.c.Clock.Now()}
}
