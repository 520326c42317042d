package contingency_test

import (
	"context"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"

	"folio/authority"
	"folio/authority/arca"
	"folio/commands"
	"folio/commands/company"
	"folio/country"
	"folio/country/ar"
	"folio/events"
	"folio/eventstore"
	"folio/processors/contingency"
	"folio/processors/processortest"
	"folio/processors/reactor"
	"folio/processors/submission"
	"folio/sandbox"
	arcasandbox "folio/sandbox/arca"
	"folio/tables"
	"folio/tables/sqlite"
	"folio/waiting"
)

const (
	holder   = 30500010912 // of the certificate, and the company C1
	ordinary = 1           // point of sale
	spare    = 9001        // its contingency point
	other    = 9002        // another one
)

var arcaZone = time.FixedZone("-03", -3*60*60)

// material is made once, since keys take time.
var material = sync.OnceValues(func() (*sandbox.CA, tls.Certificate) {
	dir, err := os.MkdirTemp("", "sandbox")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	ca, err := sandbox.OpenCA(dir, func() time.Time { return time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC) })
	if err != nil {
		panic(err)
	}
	var key *rsa.PrivateKey
	var leaf *x509.Certificate
	key, leaf, err = ca.Issue(sandbox.Certificate{Holder: arcasandbox.Holder, TaxIdentifier: fmt.Sprint(holder),
		Days: 700})
	if err != nil {
		panic(err)
	}
	return ca, tls.Certificate{Certificate: [][]byte{leaf.Raw}, PrivateKey: key, Leaf: leaf}
})

// world is all that outlives a process: the log, the tables, the files and the authority. Its
// clock is the bubble's: it moves when everybody waits.
type world struct {
	t         *testing.T
	epoch     time.Time // what the clock showed when the bubble began
	began     time.Time
	log       *processortest.Log
	store     *sqlite.Store
	files     *files
	authority *arcasandbox.Server
	p         *process
	ids       atomic.Int64
	sales     []string

	mu   sync.Mutex
	rnd  *rand.Rand
	away bool
	lose float64 // how many calls or answers are lost
	only string  // the operation whose answers are lost; empty: of all
	deaf string  // the operation that the authority never hears of; empty: of none
	call int     // how many were made
	die  int     // steps until the process dies, 0 for never
	quit bool    // the test is over: what is left is only asked
}

func inWorld(t *testing.T, epoch time.Time, seed uint64, f func(*world)) {
	t.Helper()
	material()
	synctest.Test(t, func(t *testing.T) {
		w := &world{t: t, epoch: epoch, began: time.Now(), log: processortest.NewLog(),
			files: &files{m: map[string][]byte{}}, rnd: rand.New(rand.NewPCG(seed, 1))}
		dir := t.TempDir()
		var err error
		if w.store, err = sqlite.Open(context.Background(), filepath.Join(dir, "tables.db"),
			sqlite.WithClock(w.Now)); err != nil {
			t.Fatal(err)
		}
		ca, _ := material()
		knobs := arcasandbox.DefaultKnobs()
		knobs.ContingencyPoints = map[int64][]arcasandbox.Point{holder: {{Number: spare}, {Number: other}}}
		if w.authority, err = arcasandbox.Open(context.Background(), arcasandbox.Options{Dir: dir, CA: ca, Now: w.Now,
			Knobs: knobs}); err != nil {
			t.Fatal(err)
		}
		defer func() {
			if w.p != nil {
				w.p.stop()
			}
			if err := errors.Join(w.store.Close(), w.authority.Close()); err != nil {
				t.Error(err)
			}
		}()
		w.record("company-C1", events.CompanyRegistered{Company: "C1", Account: "A", Country: "AR",
			LegalName: "Molinos del Plata S.A.", TaxIdentifier: fmt.Sprint(holder)})
		w.record("company-C1", events.CertificateUploaded{Certificate: "K1", Environment: "Testing", Fingerprint: "K1",
			ValidFrom: "2026-01-01T00:00:00Z", ValidTo: "2028-01-01T00:00:00Z"})
		f(w)
	})
}

// Now is the epoch plus the time of the bubble.
func (w *world) Now() time.Time { return w.epoch.Add(time.Since(w.began)) }

// At waits in the time of the bubble.
func (w *world) At(t time.Time) <-chan time.Time { return time.After(t.Sub(w.Now())) }

// record puts a fact of somebody else's into the log.
func (w *world) record(stream string, e events.Event) {
	w.t.Helper()
	name, schema, data, err := events.Encode(e)
	if err != nil {
		w.t.Fatal(err)
	}
	_, err = w.log.Append(context.Background(), stream, int64(len(w.log.Stream(stream)))-1,
		eventstore.Pending{ID: uuid.New(), Type: name, Data: data, Meta: events.Meta{Schema: schema, At: w.Now()}})
	if err != nil {
		w.t.Fatal(err)
	}
}

// facts are those of a stream.
func (w *world) facts(stream string) (out []events.Event) {
	for _, r := range w.log.Stream(stream) {
		opened, err := events.Open(r)
		if err != nil {
			w.t.Fatal(err)
		}
		out = append(out, opened.Event)
	}
	return out
}

// process is one life of both processors. Each effect on the world is a step, at which it may die.
type process struct {
	w      *world
	dead   atomic.Bool
	x      *commands.Executor
	driver *arca.Driver
	cancel context.CancelFunc
	ended  sync.WaitGroup
}

var errDead = errors.New("the process is dead")

func (w *world) start() {
	w.t.Helper()
	p := &process{w: w}
	w.p = p
	p.x = commands.NewExecutor(processortest.Step(p.step).Log(w.log), w.Now)
	store := processortest.Step(p.step).Tables(w.store)
	notes, err := waiting.Open(context.Background(), w.store, w.Now)
	if err != nil {
		w.t.Fatal(err)
	}
	p.driver = arca.NewDriver(map[authority.Environment]*arca.Client{authority.Testing: arca.New(arca.Options{
		Endpoints: arca.EndpointsAt(arca.Homologation.Environment, "http://authority/"+arca.Homologation.Environment),
		HTTP:      &http.Client{Transport: wire{p}, Timeout: 45 * time.Second}, Vault: w.files, Now: w.Now})})
	find := func(name string, e authority.Environment) (authority.Driver, bool) {
		return p.driver, name == "arca" && e == authority.Testing
	}
	base := reactor.Base{Executor: p.x, Source: w.log, Log: "log", Tables: store,
		Rules: country.Registry{ar.Rules{}}.ByCode, Clock: w, Logger: slog.New(slog.DiscardHandler)}
	id := func() string { return fmt.Sprintf("S%d", w.ids.Add(1)) }
	ctx, cancel := context.WithCancel(context.Background())
	p.cancel = cancel
	for _, each := range []reactor.Processor{
		submission.New(base, submission.Config{Files: stepped{p}, Credentials: w, Notes: notes, Secrets: w.files,
			Driver: find, RetryBase: 5 * time.Second, RenewAfter: time.Hour, StandsAfter: time.Hour,
			Random: func() float64 { return 0.5 }, NewID: id}),
		contingency.New(base, contingency.Config{Files: stepped{p}, Credentials: w, Driver: find, Queue: submission.Name,
			RetryBase: 5 * time.Second, NewID: id}),
	} {
		p.ended.Go(func() {
			for ctx.Err() == nil {
				if err := each.Run(ctx); !errors.Is(err, tables.ErrCheckpointMoved) {
					return
				}
			}
		})
	}
}

// kill ends the process as SIGKILL would: whatever is under way has no effect. Its goroutines
// end later: Watermill leaves one behind when it is stopped while it subscribes.
func (p *process) kill() { p.dead.Store(true) }

func (p *process) stop() {
	synctest.Wait()
	p.kill()
	p.cancel()
	p.ended.Wait()
}

// step performs an effect, unless the process is dead or dies here, before it or after it.
func (p *process) step(_ string, do func() error) error {
	if p.dead.Load() {
		return errDead
	}
	p.w.mu.Lock()
	dies := p.w.die == 1
	if p.w.die > 0 {
		p.w.die--
	}
	before := dies && p.w.rnd.IntN(2) == 0
	p.w.mu.Unlock()
	if before {
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

// restart begins another life if the process died.
func (w *world) restart() {
	synctest.Wait()
	if w.p.dead.Load() {
		w.p.cancel()
		w.p.ended.Wait()
		w.start()
	}
}

// Open implements certificate.Opener.
func (w *world) Open(_ context.Context, c company.State, environment string,
	_ time.Time) (authority.Credential, error) {
	_, cert := material()
	return authority.Credential{Certificate: cert, Fingerprint: "K1", TaxIdentifier: c.TaxIdentifier,
		Environment: authority.Environment(environment)}, nil
}

// streams are those of a category.
func (w *world) streams(category string) []string {
	return w.log.Streams(category + "-")
}

// aggregate is the id of a stream.
func aggregate(stream string) string {
	_, id, _ := strings.Cut(stream, "-")
	return id
}
