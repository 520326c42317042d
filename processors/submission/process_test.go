package submission_test

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync/atomic"
	"testing/synctest"
	"time"

	"folio/authority"
	"folio/authority/arca"
	"folio/commands"
	"folio/commands/company"
	"folio/country"
	"folio/country/ar"
	"folio/processors/processortest"
	"folio/processors/reactor"
	"folio/processors/submission"
	"folio/tables"
	"folio/waiting"
)

// errDead is what a process gets for everything it tries after its end.
var errDead = errors.New("the process is dead")

// process is one life of the processor. Everything it does to the world is a step, at
// which it can be killed: from then on nothing that it does has an effect.
type process struct {
	w      *world
	dead   atomic.Bool
	asleep atomic.Bool // or was
	p      *submission.Processor
	x      *commands.Executor
	cancel context.CancelFunc
	ended  chan error
}

// plan says at which step the process dies, and on which side of it.
type plan struct {
	name  string        // any step of this name, instead of a numbered one
	step  int64         // counted from 1; 0: never
	after bool          // the effect happens, its answer is lost
	pause chan struct{} // it does not die, but sleeps until this closes
}

// start makes a processor with empty memory over what the world holds.
func (w *world) start() *process {
	w.t.Helper()
	p := &process{w: w, ended: make(chan error, 1)}
	w.p = p
	p.x = commands.NewExecutor(processortest.Step(p.step).Log(w.log), w.Now)
	store := processortest.Step(p.step).Tables(w.store)
	notes, err := waiting.Open(context.Background(), w.store, w.Now)
	if err != nil {
		w.t.Fatal(err)
	}
	clients := map[authority.Environment]*arca.Client{}
	for _, e := range []authority.Environment{authority.Testing, authority.Production} {
		endpoints := arca.Homologation
		if e == authority.Production {
			endpoints = arca.Production
		}
		clients[e] = arca.New(arca.Options{Endpoints: arca.EndpointsAt(endpoints.Environment,
			"http://authority/"+endpoints.Environment),
			HTTP: &http.Client{Transport: processWire{p}, Timeout: w.timeout}, Vault: w.tickets, Now: w.Now})
	}
	var driver authority.Driver = arca.NewDriver(clients)
	rules := country.Registry{ar.Rules{}}
	if w.ranged != nil {
		driver, rules = rangedDriver{w.ranged, p}, country.Registry{rangedRules{}}
	}
	if w.signed != nil {
		driver, rules = w.signed(p)
	}
	p.p = submission.New(reactor.Base{
		Executor: p.x, Source: w.log, Log: "log", Tables: store, Rules: rules.ByCode,
		Clock: w, Logger: slog.New(slog.DiscardHandler),
	}, submission.Config{
		Files: processFiles{p}, Credentials: w, Notes: notes, Secrets: w.tickets,
		Driver: func(name string, e authority.Environment) (authority.Driver, bool) {
			return driver, name == driver.Name() && w.serves(e)
		},
		RetryBase: 5 * time.Second, RenewAfter: time.Hour, StandsAfter: time.Hour, Random: func() float64 { return 0.5 },
		NewID: func() string { return fmt.Sprintf("S%d", w.lives.Add(1)) },
	})
	ctx, cancel := context.WithCancel(context.Background())
	p.cancel = cancel
	go func() {
		for {
			err := p.p.Run(ctx)
			if !errors.Is(err, tables.ErrCheckpointMoved) { // then the owner begins again: reactor.Own
				p.ended <- err
				return
			}
		}
	}()
	return p
}

// kill ends the process as SIGKILL would: whatever is under way has no effect.
func (p *process) kill() {
	p.dead.Store(true)
	p.cancel()
}

// stop kills the process once it is under way, and waits until its goroutines are gone:
// Watermill leaves one behind when it is stopped while it subscribes.
func (p *process) stop() {
	synctest.Wait()
	p.kill()
	<-p.ended
}

// step performs one effect, unless the process is dead or dies here.
func (p *process) step(name string, do func() error) error {
	if p.dead.Load() {
		return errDead
	}
	n, planned := p.w.steps.Add(1), p.w.plan.Load()
	dies := planned != nil && (planned.step == n || planned.name == name) && p.w.plan.CompareAndSwap(planned, nil)
	if dies && planned.pause != nil {
		dies = false
		if !planned.after {
			p.sleep(name, planned.pause)
		} else {
			defer p.sleep(name, planned.pause)
		}
	}
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
	if p.w.between != nil {
		p.w.between()
	}
	if dies {
		p.kill()
	}
	if p.dead.Load() {
		return errDead
	}
	return err
}

// sleepAfter lets the next process that takes the named step fall asleep behind it.
func (w *world) sleepAfter(name string, wake chan struct{}) {
	w.plan.Store(&plan{name: name, after: true, pause: wake})
}

// sleep is a process that the machine does not run for a while.
func (p *process) sleep(name string, until chan struct{}) {
	p.w.mu.Lock()
	p.w.died = name
	p.w.mu.Unlock()
	p.asleep.Store(true)
	<-until
}

type processFiles struct{ *process }

func (f processFiles) StoreFile(ctx context.Context, content []byte) (name string, err error) {
	err = f.step("store a file", func() (err error) { name, err = f.w.files.StoreFile(ctx, content); return err })
	return name, err
}

func (f processFiles) File(ctx context.Context, name string) ([]byte, error) {
	return f.w.files.File(ctx, name)
}

// Open implements submission.Credentials with the certificate that was uploaded last.
func (w *world) Open(_ context.Context, c company.State, environment string, at time.Time) (authority.Credential,
	error) {
	if w.credential != nil {
		return *w.credential, nil
	}
	held, ok := c.Certificate(environment, at)
	if !ok {
		return authority.Credential{}, errors.New("no certificate")
	}
	w.mu.Lock()
	cert := w.certificates[held.Certificate]
	w.mu.Unlock()
	return authority.Credential{Certificate: tls.Certificate{Certificate: [][]byte{cert.leaf.Raw}, PrivateKey: cert.key,
		Leaf: cert.leaf},
		Fingerprint: held.Fingerprint, TaxIdentifier: c.TaxIdentifier, Environment: authority.Environment(environment)}, nil
}
