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
	"iter"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/sync/semaphore"

	"folio/admission"
	"folio/clock"
	"folio/commands"
	"folio/commands/aggregates"
	"folio/events"
	"folio/outbound"
	"folio/processors/reactor"
	"folio/tables"
)

// Name is the processor's checkpoint and lease, and the list of its companies.
const Name = "delivery"

// Sender calls a foreign address once; *outbound.Client is one.
type Sender interface {
	Post(ctx context.Context, to string, header http.Header, body []byte) outbound.Result
}

// Streams reads one stream of the log.
type Streams interface {
	Read(ctx context.Context, stream string, from uint64) iter.Seq2[events.Recorded, error]
}

// Config is what the processor has beside a Base.
type Config struct {
	Past    Past // for replays
	Streams Streams
	Secrets reactor.Secrets
	Sender  Sender
	// Observe is told of every attempt; may be nil.
	Observe func(code string, r outbound.Result)
	// Connections bounds the calls at a time, in all; 0 is 2048.
	Connections int
	// PerCompany bounds them for one company; 0 is 4. It is 1 while half of all are busy.
	PerCompany int
	// PerSecond bounds the calls a second to one company, on average; 0 is 100: what one
	// credential at the default rate limit can cause, 50 invoices of two changes each.
	PerSecond int
}

// Processor is the delivery processor.
type Processor struct {
	*reactor.Reactor
	c         Config
	log       aggregates.Log
	companies tables.Worklist // an item for each company: when its list is due
	causes    tables.Worklist // facts that wait to become deliveries
	replays   tables.Worklist
	subs      *subscriptions
	secrets   *lru.Cache[string, []byte]
	gate      *gate
	replaying *admission.Gate // of companies' replays
	pace      *pace
	traced    *lru.Cache[string, int] // rests of each company since its list was pruned
	books     *books

	draft  *draft // the feed's
	writer *writer

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

var _ reactor.Processor = (*Processor)(nil)

const (
	keptSecrets        = 4096
	defaultConnections = 2048
	defaultPerCompany  = 4
	defaultPerSecond   = 100
)

// New makes the processor.
func New(b reactor.Base, c Config) *Processor {
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
	p := &Processor{c: c, log: aggregates.In(b.Executor), causes: b.Tables.Worklist(causesList), replays: b.Tables.Worklist(replaysList),
		subs: newSubscriptions(b.Executor), secrets: secrets, gate: newGate(c.Connections, c.PerCompany),
		replaying: newReplayGate(), traced: traced, books: newBooks(), lists: semaphore.NewWeighted(1),
		pace: newPace(c.PerSecond), back: make(chan struct{})}
	p.Reactor = b.New(Name, p.reactions()...)
	p.companies = p.List
	p.Live(reactor.Life{Begin: p.begin, Ready: p.found, Save: p.save, Forget: p.forget, End: p.running.Wait})
	return p
}

// WakeAll ends every pause after a fault of our own.
func (p *Processor) WakeAll() {
	p.mu.Lock()
	defer p.mu.Unlock()
	close(p.back)
	p.back = make(chan struct{})
}

// Busy is how many calls are on their way, and how many companies have work.
func (p *Processor) Busy() (calls, companies int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return int(p.gate.used.Load()), len(p.lanes) + len(p.queue)
}

// Gauges implements reactor.Processor.
func (p *Processor) Gauges() []reactor.Gauge {
	return []reactor.Gauge{
		{Name: "webhook_calls", Help: "Calls to callback URLs under way.",
			Value: func() float64 { calls, _ := p.Busy(); return float64(calls) }},
		{Name: "webhook_companies", Help: "Companies with deliveries due or under way.",
			Value: func() float64 { _, companies := p.Busy(); return float64(companies) }},
	}
}

// begin forgets what an earlier run knew: others may have changed it while this process stood by.
func (p *Processor) begin(ctx context.Context) {
	p.mu.Lock()
	p.ctx, p.ready, p.lanes = ctx, false, map[string]*lane{}
	p.queue, p.queued, p.replayer = nil, map[string]bool{}, map[string]context.CancelFunc{}
	p.scheduling, p.timing, p.settling = make(chan struct{}, 1), make(chan struct{}, 1), make(chan struct{}, 1)
	p.draft, p.writer, p.resting = newDraft(), newWriter(p.apply), map[string]time.Time{}
	p.mu.Unlock()
	p.subs.forgetAll()
	p.books.forgetAll()
	p.running.Go(func() { p.writer.run(ctx, func(err error) bool { return p.wrote(ctx, err) }) })
}

// apply writes a batch, with its checkpoint if it has one.
func (p *Processor) apply(ctx context.Context, b tables.Batch) error {
	if b.Checkpoint == nil {
		return p.Tables.Apply(ctx, b)
	}
	return p.Apply(ctx, b, b.Checkpoint.At)
}

// wrote notes how the writer's last try went; false when it shall not try again.
func (p *Processor) wrote(ctx context.Context, err error) bool {
	if ctx.Err() != nil {
		return false
	}
	p.Failed(p.Clock.Now(), reactor.Listing, err)
	if err == nil {
		return true
	}
	p.Logger.Warn("the lists of deliveries cannot be changed, trying again", "error", err)
	return p.wait(ctx, failurePause)
}

// all is more companies or replays than there will ever be.
const all = 10_000_000

// found lists the companies and replays with work.
func (p *Processor) found(ctx context.Context) (func(), error) {
	for _, list := range []string{Name, replaysList} {
		if err := p.writer.flush(ctx, list); err != nil {
			return nil, err
		}
	}
	companies, err := p.companies.InGroup(ctx, "", all)
	if err != nil {
		return nil, err
	}
	replays, err := p.replays.InGroup(ctx, "", all)
	return func() { p.work(companies, replays) }, err
}

// work starts the work, once the worklists are as new as the log was at the start.
func (p *Processor) work(companies, replays []tables.Item) {
	p.mu.Lock()
	p.ready = true
	ctx := p.ctx
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
}

// failurePause is how long a step waits after a fault of our own: the log, the tables
// or the vault.
const failurePause = time.Second

// wait ends early with WakeAll. It is false when ctx ended.
func (p *Processor) wait(ctx context.Context, d time.Duration) bool {
	p.mu.Lock()
	back := p.back
	p.mu.Unlock()
	return clock.Await(ctx, p.Clock.At(p.Clock.Now().Add(d)), back)
}

// request is the identity of a step about id, which is also its cause.
func (p *Processor) request(id string, step ...string) commands.Request {
	q := p.Request(id, step...)
	q.Causation = id
	return q
}
