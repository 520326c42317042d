package submission_test

import (
	"context"
	"crypto/rsa"
	"crypto/x509"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"folio/authority"
	"folio/country"
	"folio/sandbox"
	arcasandbox "folio/sandbox/arca"
	"folio/tables/sqlite"
)

// noon of a Tuesday in Argentina; every test begins then, and its clock never waits.
var noon = time.Date(2026, 12, 15, 15, 0, 0, 0, time.UTC)

const (
	holder = 30500010912 // of the certificate, and company C1
	second = 33693450239 // company C2, which the holder represents
)

type certificate struct {
	leaf *x509.Certificate
	key  *rsa.PrivateKey
}

// material is made once, since keys take time.
var material = sync.OnceValues(func() (*sandbox.CA, certificate) {
	dir, err := os.MkdirTemp("", "sandbox")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	ca, err := sandbox.OpenCA(dir, func() time.Time { return noon.AddDate(0, 0, -1) })
	if err != nil {
		panic(err)
	}
	key, leaf, err := ca.Issue(sandbox.Certificate{Holder: arcasandbox.Holder, TaxIdentifier: fmt.Sprint(holder),
		Days: 700})
	if err != nil {
		panic(err)
	}
	return ca, certificate{leaf, key}
})

// world is all that outlives a process: the log, the tables, the files, the tickets
// and the authority. Its clock is the bubble's: it moves when everybody waits.
type world struct {
	t       *testing.T
	began   time.Time
	log     *memoryLog
	store   *sqlite.Store
	files   *memoryFiles
	tickets *memoryTickets
	timeout time.Duration // of a call

	authority *arcasandbox.Server
	// in its place, where a test's numbers come from files
	ranged *rangedAuthority
	// driver and rules of signed documents, in place of both
	signed       func(*process) (authority.Driver, country.Registry)
	credential   *authority.Credential // nil: the certificate that was uploaded last
	certificates map[string]certificate
	companyOf    map[int64]string
	only         authority.Environment // that this service serves; empty: both

	p     *process
	steps atomic.Int64
	plan  atomic.Pointer[plan]
	lives atomic.Int64

	mu       sync.Mutex
	away     map[string]bool // operations that do not reach the authority; "" all
	calls    []call
	sendings map[string]*sending
	broken   []string // rules that were broken
	invoices []string // in order of creation
	died     string   // name of the step at which the last process died
	ended    map[string]bool

	between    func()          // after every step, by whoever took it
	losing     func(call) bool // whether the answer to a call is lost; nil: none is
	beforeSend func()          // once, right before documents reach the authority
	branch     int             // point of sale of the invoices
	stale      bool            // two owners are awake
	unaware    bool            // invoices are made by a process that has not heard of the certificate
}

// inWorld runs a test in a bubble with a fresh world, without a process yet.
func inWorld(t *testing.T, f func(*world)) {
	t.Helper()
	material()
	synctest.Test(t, func(t *testing.T) { f(newWorld(t)) })
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, began: time.Now(), log: newMemoryLog(), files: &memoryFiles{m: map[string][]byte{}},
		tickets: &memoryTickets{m: map[string][]byte{}},
		timeout: 45 * time.Second, branch: 1, certificates: map[string]certificate{}, companyOf: map[int64]string{},
		away: map[string]bool{}, sendings: map[string]*sending{}, ended: map[string]bool{}}
	dir := t.TempDir()
	var err error
	if w.store, err = sqlite.Open(context.Background(), filepath.Join(dir, "tables.db"),
		sqlite.WithClock(w.Now)); err != nil {
		t.Fatal(err)
	}
	w.openAuthority(dir)
	t.Cleanup(func() {
		if w.p != nil {
			w.p.stop()
		}
		if err := w.store.Close(); err != nil {
			t.Error(err)
		}
		if err := w.authority.Close(); err != nil {
			t.Error(err)
		}
	})
	return w
}

func (w *world) openAuthority(dir string) {
	w.t.Helper()
	ca, _ := material()
	knobs := arcasandbox.DefaultKnobs()
	knobs.Represents = map[int64][]int64{holder: {second}}
	var err error
	if w.authority, err = arcasandbox.Open(context.Background(),
		arcasandbox.Options{Dir: dir, CA: ca, Now: w.Now, Knobs: knobs}); err != nil {
		w.t.Fatal(err)
	}
}

// reopenAuthority lets the authority forget everything.
func (w *world) reopenAuthority() {
	w.t.Helper()
	if err := w.authority.Close(); err != nil {
		w.t.Fatal(err)
	}
	w.openAuthority(w.t.TempDir())
}

// renew makes everything new but the authority, which another point of sale gets round:
// opening stores is what takes time in a test.
func (w *world) renew() {
	w.t.Helper()
	w.p.stop()
	w.p = nil
	w.loseTables()
	w.log, w.files.m, w.died, w.ended = newMemoryLog(), map[string][]byte{}, "", map[string]bool{}
	w.plan.Store(nil)
	w.steps.Store(0)
	w.cutOff()
	w.calls, w.broken, w.invoices, w.sendings = nil, nil, nil, map[string]*sending{}
	w.branch++
}

// Now is noon plus the time of the bubble.
func (w *world) Now() time.Time { return noon.Add(time.Since(w.began)) }

// At waits in the time of the bubble.
func (w *world) At(t time.Time) <-chan time.Time { return time.After(t.Sub(w.Now())) }

func (w *world) serves(e authority.Environment) bool { return w.only == "" || w.only == e }

// cutOff keeps operations from reaching the authority; none means all of them.
func (w *world) cutOff(operations ...string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	clear(w.away)
	for _, op := range operations {
		w.away[op] = true
	}
}

func (w *world) unreachable(c call) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.away["all"] || w.away[c.operation] || w.away[c.series]
}

func (w *world) fault(fs ...arcasandbox.Fault) { w.authority.AddFaults(fs...) }
