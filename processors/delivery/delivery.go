// Package delivery gets every fact that a company subscribed to, to its callback URL,
// and records each attempt. docs/webhooks.md tells integrators what to expect.
//
//	log ──▶ fold ──▶ causes ──── schedule ───▶ DeliveryScheduled ──▶ log
//	          ├────▶ deliveries of C1, C2, … ── lane ── pace ── connections ── sign, send ──▶ DeliveryAttempted ──▶ log
//	          ├────▶ companies ─── keepTime wakes lanes
//	          └────▶ replays ───── replay ───▶ DeliveryResent ──▶ log
//
// Three steps, each with a worklist of its own, so that a crash between any two loses
// nothing: what happened becomes DeliveryScheduled (causes.go), what is due is sent and
// becomes DeliveryAttempted (lane.go, attempt.go), and a replay asks for old ones again
// (replay.go). What waits to be sent is one list per company, so that no company's
// backlog stands in the way of another's, and a list of the companies that have any
// (lists.go). All lists are written behind (tables/writebehind): nobody's call waits for
// a transaction. How many calls there are at a time, and how slow receivers are kept from
// the places of fast ones, is connections.go; how many a second, pace.go.
package delivery

import (
	"context"
	"iter"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"folio/admission"
	"folio/clock"
	"folio/commands"
	"folio/commands/aggregates"
	"folio/commands/webhook"
	"folio/events"
	"folio/outbound"
	"folio/processors/lanes"
	"folio/processors/reactor"
	"folio/tables"
	"folio/tables/writebehind"
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

// Processor is the delivery processor. Its own worklist is that of the companies: an item says when the list of one is
// to be looked at.
type Processor struct {
	*reactor.Reactor
	c       Config
	log     aggregates.Log
	cache   *writebehind.Cache
	causes  tables.Worklist // facts that wait to become deliveries
	replays tables.Worklist

	lanes    *lanes.Set[*lane]      // of companies
	replayer *lanes.Set[lanes.Func] // of replays
	chores   *lanes.Set[lanes.Func]

	subs        *subscriptions
	secrets     *lru.Cache[string, []byte]
	connections *connections
	pace        *pace
	replaying   *admission.Gate         // of companies' replays
	traced      *lru.Cache[string, int] // rests of each company since its list was pruned

	batch   *batch                          // the feed's
	heardTo atomic.Pointer[events.Position] // up to here the lists hold all facts
	// resting keeps the look at a company's list together with what it leads to among the companies.
	resting sync.Mutex

	mu    sync.Mutex
	back  chan struct{} // closed and replaced by WakeAll
	stops map[string]context.CancelFunc
	calls sync.WaitGroup // and the writer
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
	p := &Processor{c: c, log: aggregates.In(b.Executor), subs: newSubscriptions(b.Executor),
		secrets: cacheOf[[]byte](keptSecrets), traced: cacheOf[int](keptCompanies),
		connections: newConnections(c.Connections, c.PerCompany), pace: newPace(c.PerSecond),
		replaying: newReplayGate(), batch: newBatch(), back: make(chan struct{})}
	p.cache = writebehind.New(writebehind.Config{Store: b.Tables, Apply: p.write, Failed: p.wrote})
	p.Reactor = b.New(Name, p.reactions()...)
	p.List, p.causes, p.replays = p.cache.Worklist(Name), p.cache.Worklist(causesList), p.cache.Worklist(replaysList)
	p.lanes = lanes.New(lanes.Config[*lane]{New: p.newLane, AtOnce: maxLanes, Clock: b.Clock, Pauses: pauses,
		Failed: p.tells("deliveries of a company cannot be listed, trying again")})
	p.replayer = lanes.New(lanes.Config[lanes.Func]{New: p.newReplay, AtOnce: all, Clock: b.Clock, Pauses: pauses,
		Failed: p.tells("a replay is interrupted, going on soon")})
	chores := map[string]lanes.Func{scheduling: p.schedule, timing: p.keepTime, settling: p.settle}
	p.chores = lanes.New(lanes.Config[lanes.Func]{New: func(chore string) lanes.Func { return chores[chore] },
		AtOnce: int64(len(chores)), Clock: b.Clock, Pauses: pauses,
		Failed: p.tells("a step of deliveries failed, trying again")})
	p.Live(reactor.Life{Begin: p.begin, Lanes: []lanes.Opener{p.lanes, p.replayer, p.chores}, Ready: p.ready,
		Save: p.save, Forget: p.forget, End: p.calls.Wait})
	return p
}

// The chores, each a lane of its own.
const (
	scheduling = "scheduling" // causes become deliveries
	timing     = "timing"     // companies are woken at their times
	settling   = "settling"   // what no checkpoint brings to the tables goes there
)

// failurePause is how long a step waits after a fault of our own: the log, the tables
// or the vault.
const failurePause = time.Second

var pauses = lanes.Pauses{Base: failurePause}

// tells gives the operator the reason why a lane tries again.
func (p *Processor) tells(what string) func(string, error, time.Time) {
	return func(key string, err error, _ time.Time) { p.Logger.Warn(what, "of", key, "error", err) }
}

// cacheOf makes a cache of the newest entries by name.
func cacheOf[T any](size int) *lru.Cache[string, T] {
	c, err := lru.New[string, T](size)
	if err != nil {
		panic(err) // only for a size below 1
	}
	return c
}

// WakeAll ends every pause after a fault of our own.
func (p *Processor) WakeAll() {
	p.mu.Lock()
	close(p.back)
	p.back = make(chan struct{})
	p.mu.Unlock()
	p.Reactor.WakeAll()
}

// Busy is how many calls are on their way, and how many companies have work.
func (p *Processor) Busy() (calls, companies int) {
	return int(p.connections.used.Load()), p.lanes.Len()
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

// lookedAt is how many companies OldestDue looks at.
const lookedAt = 1000

// OldestDue is the time at which the longest waiting delivery was due, of the companies that this process works on or
// should work on; false when none is due. Deliveries of a paused subscription are not due.
func (p *Processor) OldestDue(ctx context.Context) (oldest time.Time, some bool, err error) {
	consider := func(list tables.Worklist) error {
		next, found, err := list.NextDue(ctx)
		if found && (!some || next.Before(oldest)) {
			oldest, some = next, true
		}
		return err
	}
	if !p.Status().CaughtUp { // another process works, or will: what it knows is in the tables
		err := consider(p.Tables.Worklist(Name))
		return oldest, err == nil && some && !oldest.After(p.Clock.Now()), err
	}
	if err := consider(p.List); err != nil {
		return oldest, false, err
	}
	for _, company := range p.lanes.Keys(lookedAt) {
		sub, err := p.subs.now(ctx, company)
		if err != nil {
			return oldest, false, err
		}
		if sub.Status == webhook.Paused {
			continue
		}
		if err := consider(p.list(company)); err != nil {
			return oldest, false, err
		}
	}
	return oldest, some && !oldest.After(p.Clock.Now()), nil
}

// begin forgets what an earlier run knew: others may have changed it while this process stood by.
func (p *Processor) begin(ctx context.Context, at events.Position) {
	p.mu.Lock()
	p.stops = map[string]context.CancelFunc{}
	p.mu.Unlock()
	p.batch = newBatch()
	p.heardTo.Store(&at)
	p.subs.forgetAll()
	p.cache.Begin(at)
	p.calls.Go(func() { p.cache.Run(ctx) })
}

// write brings a batch to the tables, with its checkpoint if it has one.
func (p *Processor) write(ctx context.Context, b tables.Batch, at *events.Position) error {
	if at == nil {
		return p.Tables.Apply(ctx, b)
	}
	return p.Apply(ctx, b, *at)
}

// wrote notes how a try to write went; false when it shall not try again.
func (p *Processor) wrote(ctx context.Context, err error) bool {
	if ctx.Err() != nil {
		return false
	}
	p.Failed(p.Clock.Now(), reactor.Listing, err)
	if err == nil {
		return true
	}
	p.Logger.Warn("the lists of deliveries cannot be changed, trying again", "error", err)
	return p.sleep(ctx, failurePause)
}

// ready finds the companies and replays with work.
func (p *Processor) ready(ctx context.Context) (func(), error) {
	companies, err := p.List.All(ctx, all)
	if err != nil {
		return nil, err
	}
	replays, err := p.replays.All(ctx, all)
	return func() {
		for _, c := range companies {
			if c.Due.Before(tables.Never) {
				p.lanes.Wake(c.Key)
			}
		}
		for _, r := range replays {
			p.replayer.Wake(r.Key)
		}
		p.chores.Wake(scheduling)
		p.chores.Wake(timing)
	}, err
}

// sleep ends early with WakeAll. It is false when ctx ended.
func (p *Processor) sleep(ctx context.Context, d time.Duration) bool {
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
