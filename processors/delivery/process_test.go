package delivery_test

import (
	"context"
	"errors"
	"iter"
	"log/slog"
	"net/http"
	"sync/atomic"
	"testing/synctest"
	"time"

	"folio/commands"
	"folio/events"
	"folio/eventstore"
	"folio/outbound"
	"folio/processors/delivery"
	"folio/tables"
)

// errDead is what a process gets for everything it tries after its end.
var errDead = errors.New("the process is dead")

// process is one life of the processor. Everything it does to the world is a step, at
// which it can be killed: from then on nothing that it does has an effect.
type process struct {
	w      *world
	dead   atomic.Bool
	p      *delivery.Processor
	cancel context.CancelFunc
	ended  chan error
}

// plan says at which step the process dies, and on which side of it.
type plan struct {
	step  int64 // counted from 1
	after bool  // the effect happens, its answer is lost
}

// live starts a processor with empty memory over what the world holds.
func (w *world) live(change ...func(*delivery.Config)) *process {
	w.t.Helper()
	p := &process{w: w, ended: make(chan error, 1)}
	w.p = p
	c := delivery.Config{
		Executor: commands.NewExecutor(processLog{p}, time.Now),
		Source:   feed{w.log, delivery.Types}, History: feed{w.log, delivery.HistoryTypes}, Streams: processLog{p},
		Log: "log", Tables: processTables{w.store, p}, Secrets: secrets{}, Sender: p, Clock: delivery.RealClock{},
		Logger: slog.New(slog.DiscardHandler),
	}
	for _, f := range change {
		f(&c)
	}
	p.p = delivery.New(c)
	ctx, cancel := context.WithCancel(context.Background())
	p.cancel = cancel
	go func() { p.ended <- p.p.Run(ctx) }()
	return p
}

// kill ends the process as SIGKILL would: whatever is under way has no effect.
func (p *process) kill() {
	p.dead.Store(true)
	p.cancel()
}

// stop kills the process once it is under way, and waits until its goroutines are gone.
func (p *process) stop() {
	synctest.Wait()
	p.kill()
	<-p.ended
	p.w.p = nil
}

// step performs one effect, unless the process is dead or dies here.
func (p *process) step(name string, do func() error) error {
	if p.dead.Load() {
		return errDead
	}
	n, planned := p.w.steps.Add(1), p.w.plan.Load()
	dies := planned != nil && planned.step == n
	if dies {
		p.w.mu.Lock()
		p.w.died = name
		p.w.mu.Unlock()
	}
	if dies && !planned.after {
		p.kill()
		return errDead
	}
	err := do()
	if dies {
		p.kill()
	}
	if p.dead.Load() {
		return errDead
	}
	return err
}

// Post is the process's network.
func (p *process) Post(ctx context.Context, to string, header http.Header, body []byte) (r outbound.Result) {
	if p.step("call", func() error { r = p.w.Post(ctx, to, header, body); return nil }) != nil {
		return outbound.Result{Outcome: outbound.Broken, Fault: "dead"}
	}
	return r
}

type processLog struct{ *process }

func (l processLog) Append(ctx context.Context, stream string, expected int64, ps ...eventstore.Pending) (a eventstore.Appended, err error) {
	err = l.step("append "+ps[len(ps)-1].Type, func() (err error) {
		a, err = l.w.log.Append(ctx, stream, expected, ps...)
		return err
	})
	return a, err
}

func (l processLog) Read(ctx context.Context, stream string, from uint64) iter.Seq2[events.Recorded, error] {
	return l.w.log.Read(ctx, stream, from)
}

// processTables counts what the processor writes to its tables.
type processTables struct {
	tables.Store
	p *process
}

func (s processTables) Apply(ctx context.Context, b tables.Batch) error {
	return s.p.step("apply", func() error { return s.Store.Apply(ctx, b) })
}

func (s processTables) Worklist(name string) tables.Worklist {
	return processWorklist{s.Store.Worklist(name), s.p}
}

type processWorklist struct {
	tables.Worklist
	p *process
}

func (l processWorklist) Put(ctx context.Context, items ...tables.Item) error {
	return l.p.step("put", func() error { return l.Worklist.Put(ctx, items...) })
}

func (l processWorklist) Remove(ctx context.Context, key string, at events.Position) error {
	return l.p.step("remove", func() error { return l.Worklist.Remove(ctx, key, at) })
}

func (l processWorklist) Postpone(ctx context.Context, key string, due time.Time) error {
	return l.p.step("postpone", func() error { return l.Worklist.Postpone(ctx, key, due) })
}

// secrets are kept under themselves.
type secrets struct{}

func (secrets) Open(_ context.Context, ref string) ([]byte, error) { return []byte(ref), nil }

// forget loses the processor's tables.
func forget(w *world) error { return delivery.Forget(context.Background(), w.store) }
