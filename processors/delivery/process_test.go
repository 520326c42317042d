package delivery_test

import (
	"context"
	"errors"
	"net/http"
	"sync/atomic"
	"testing/synctest"
	"time"

	"folio/clock"
	"folio/commands"
	"folio/outbound"
	"folio/processors/delivery"
	"folio/processors/processortest"
	"folio/processors/reactor"
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

// settings are what a processor is made of.
type settings struct {
	reactor.Base
	delivery.Config
}

// live starts a processor with empty memory over what the world holds.
func (w *world) live(change ...func(*settings)) *process {
	w.t.Helper()
	p := &process{w: w, ended: make(chan error, 1)}
	w.p = p
	c := settings{
		w.log.Base(p.executor(), processortest.Step(p.step).Tables(w.store), clock.Real{}),
		delivery.Config{Past: past{w.log}, Streams: w.log, Secrets: secrets{}, Sender: p},
	}
	for _, f := range change {
		f(&c)
	}
	p.p = delivery.New(c.Base, c.Config)
	ctx, cancel := context.WithCancel(context.Background())
	p.cancel = cancel
	go func() { p.ended <- p.p.Run(ctx) }()
	return p
}

// executor takes the process's commands.
func (p *process) executor() *commands.Executor {
	return commands.NewExecutor(processortest.Step(p.step).Log(p.w.log), time.Now)
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
		return outbound.Result{Ending: outbound.Broken, Fault: "dead"}
	}
	return r
}

// secrets are kept under themselves.
type secrets struct{}

func (secrets) Open(_ context.Context, ref string) ([]byte, error) { return []byte(ref), nil }

// forget has the next process make the lists anew.
func forget(w *world) error {
	return reactor.AskRebuild(context.Background(), w.store, "L", delivery.Name)
}
