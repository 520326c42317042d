package submission_test

import (
	"context"
	"crypto/rsa"
	"crypto/x509"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"

	"folio/authority"
	"folio/clock"
	"folio/commands/company"
	"folio/commands/invoice"
	"folio/commands/numbering"
	"folio/country"
	"folio/country/ar"
	"folio/events"
	"folio/eventstore"
	"folio/money"
	"folio/sandbox"
	arcasandbox "folio/sandbox/arca"
	"folio/tables/sqlite"
	"folio/waiting"
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
	notes   *waiting.Notes
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
	if w.notes, err = waiting.Open(context.Background(), w.store, w.Now); err != nil {
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

// company registers C1 or C2, with a certificate for testing unless bare.
func (w *world) company(id string, cuit int64, bare bool) {
	w.companyOf[cuit] = id
	w.record("company-"+id, events.CompanyRegistered{Company: id, Account: "A", Country: "AR",
		LegalName: "Molinos del Plata S.A.", TaxIdentifier: fmt.Sprint(cuit)})
	if !bare {
		w.upload(id, "Testing", noon.AddDate(0, 0, -1), noon.AddDate(0, 0, 700))
	}
}

func (w *world) upload(id, environment string, from, to time.Time) {
	_, c := material()
	w.mu.Lock()
	name := fmt.Sprintf("%s-%s-%d", id, environment, len(w.certificates))
	w.certificates[name] = c
	w.mu.Unlock()
	w.record("company-"+id, events.CertificateUploaded{Certificate: name, Environment: environment, Fingerprint: name,
		ValidFrom: from.Format(time.RFC3339), ValidTo: to.Format(time.RFC3339)})
}

// issue creates an invoice of C1: of products, 1,000.00 and something of its own.
func (w *world) issue(kind string, change func(*events.Document)) string {
	return w.issueOf("C1", kind, change)
}

func (w *world) issueOf(co, kind string, change func(*events.Document)) string {
	w.t.Helper()
	id := fmt.Sprintf("I%05d", len(w.invoices)+1)
	c := w.document(kind, len(w.invoices)+1, change)
	s := company.Decider.Fold(w.log.facts("company-" + co)...)
	environment := s.Environment()
	if w.unaware {
		environment = ""
	}
	w.record("invoice-"+id, events.InvoiceCreated{Invoice: id, Company: co, Country: "AR", Environment: environment,
		Document: c.Document, Taxes: c.Taxes, Profile: s.IssuerProfile()})
	w.mu.Lock()
	defer w.mu.Unlock()
	w.invoices = append(w.invoices, id)
	return id
}

func (w *world) document(kind string, n int, change func(*events.Document)) country.Checked {
	w.t.Helper()
	issuer := fmt.Sprint(holder)
	d := events.Document{
		Type: kind, BranchOffice: w.branch, Date: w.Now().In(arcaZone).Format(time.DateTime), Concept: "1",
		Issuer:    events.Party{LegalName: "Molinos del Plata S.A.", DocumentType: "CUIT", DocumentNumber: issuer},
		Recipient: events.Party{LegalName: "Ñandú & Cía S.R.L.", DocumentType: "CUIT", DocumentNumber: "20111111112"},
		Currency:  events.Currency{Code: "ARS", Rate: money.FromInt(1)},
		Items: []events.Item{{Quantity: money.FromInt(1), UnitOfMeasure: "u", UnitPrice: money.FromInt(int64(1000 + n)),
			Description: "Artículo",
			Taxes:       []events.ItemTax{{Type: "iva21"}}}},
	}
	who := country.Issuer{TaxIdentifier: issuer,
		Profile: events.IssuerProfile{LegalName: "Molinos del Plata S.A.", TaxIdentifier: issuer,
			TaxCondition: "responsable_inscripto"}}
	if change != nil {
		change(&d)
	}
	items, totals, err := ar.Calculate(d.Items, d.GlobalTaxes, money.Zero, ar.PerRate)
	if err != nil {
		w.t.Fatal(err)
	}
	d.Items, d.Totals = items, totals
	checked, wrong := ar.Rules{}.Check(d, who, w.Now(), country.Config{})
	if len(wrong) > 0 {
		w.t.Fatalf("%s: %v", kind, wrong)
	}
	return checked
}

var arcaZone = time.FixedZone("-03", -3*60*60)

// dated changes the date of a document by days.
func (w *world) dated(days int) func(*events.Document) {
	return func(d *events.Document) { d.Date = w.Now().In(arcaZone).AddDate(0, 0, days).Format(time.DateTime) }
}

func (w *world) state(id string) invoice.Full {
	return invoice.FullDecider.Fold(w.log.facts("invoice-" + id)...)
}

func (w *world) statuses(ids ...string) []invoice.Status {
	out := make([]invoice.Status, len(ids))
	for i, id := range ids {
		out[i] = w.state(id).Status
	}
	return out
}

const seriesA = "C1-Testing-1-1" // FCA of point of sale 1

func (w *world) series(id string) numbering.State {
	return numbering.Decider.Fold(w.log.facts("numbering-" + id)...)
}

// reason is why a series waits, for readers.
func (w *world) reason(series string) *waiting.Reason {
	w.t.Helper()
	r, err := w.notes.Get(context.Background(), series)
	if err != nil {
		w.t.Fatal(err)
	}
	return r
}

// until lets time pass, as long as everybody waits, until cond holds. It looks every
// second at first, and less often the longer it takes.
func (w *world) until(what string, within time.Duration, cond func() bool) {
	w.t.Helper()
	began := time.Now()
	for end := began.Add(within); ; time.Sleep(max(time.Second, time.Since(began)/50)) {
		synctest.Wait()
		if cond() {
			return
		}
		if time.Now().After(end) {
			w.t.Fatalf("%s: not within %s\n%s", what, within, w.dump())
		}
	}
}

// done says that every invoice has its final answer and nobody works any more.
func (w *world) done() bool {
	for _, id := range w.invoices {
		if w.ended[id] {
			continue
		}
		if s := w.state(id).Status; s != invoice.Accepted && s != invoice.Rejected {
			return false
		}
		w.ended[id] = true
	}
	return w.p.p.Series() == 0
}

func (w *world) finish(within time.Duration) {
	w.t.Helper()
	w.until("every invoice final", within, w.done)
}

func (w *world) waits(series string, code waiting.Code) func() bool {
	return func() bool {
		r := w.reason(series)
		return r != nil && r.Code == code
	}
}

func (w *world) dump() string {
	out := ""
	for _, name := range slices.Concat(w.log.named("numbering"), w.log.named("invoice")) {
		for _, e := range w.log.facts(name) {
			if _, long := e.(events.InvoiceCreated); long {
				continue
			}
			out += fmt.Sprintf("%s %T %.300s\n", name, e, fmt.Sprintf("%+v", e))
			if len(out) > 6_000 {
				return out
			}
		}
	}
	return out + fmt.Sprint(w.operations())
}

var _ clock.Clock = (*world)(nil)
