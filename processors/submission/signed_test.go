package submission_test

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"folio/authority"
	"folio/authority/drivertest"
	"folio/commands/invoice"
	"folio/commands/numbering"
	"folio/country"
	"folio/events"
	"folio/sandbox"
	"folio/sandbox/desk"
)

// signedSandbox is an authority of signed documents.
type signedSandbox interface {
	http.Handler
	AddFaults(...desk.Fault)
	ClearFaults(string)
	Release(context.Context, string) error
	Close() error
}

// nation is a country of signed documents, with its driver and its sandbox.
type nation struct {
	rules    country.Rules
	issuer   country.Issuer
	holder   string
	as       sandbox.Holder
	kinds    []string
	document func(kind string, n int, issuer country.Issuer, now time.Time) (country.Checked, error)
	open     func(dir string, now func() time.Time) (signedSandbox, error)
	file     func(code int) (content []byte, letter string, err error)
	driver   func(line *http.Client, v processVault, now func() time.Time) authority.Driver
	faults   faults
	slow     time.Duration              // until the authority decides
	odd      bool                       // it answers repetitions in its other way
	unsent   func(events.Document) bool // the authority never sees it

	stored, query string // the sandbox's database: type, number, whether it was accepted
}

var signedCA = sync.OnceValue(func() *sandbox.CA {
	return drivertest.OpenCA(func() time.Time { return noon.AddDate(0, 0, -1) })
})

// processVault is what a driver keeps, by a process that may die before and after it.
type processVault struct {
	*process
	*memoryTickets
}

func (v processVault) Seal(ctx context.Context, ref string, blob []byte) error {
	return v.step("seal "+ref, func() error { return v.memoryTickets.Seal(ctx, ref, blob) })
}

// signedWire carries a process's calls to a sandbox without a network.
type signedWire struct {
	*process
	handler http.Handler
}

func (t signedWire) RoundTrip(r *http.Request) (answer *http.Response, err error) {
	var body []byte
	if r.Body != nil {
		if body, err = io.ReadAll(r.Body); err != nil {
			return nil, err
		}
	}
	if stepped := t.step("call "+r.URL.Path, func() error {
		answer, err = serveOn(t.handler, r, body)
		return nil
	}); stepped != nil {
		return nil, stepped
	}
	return answer, err
}

// TestSignedDocumentsWhateverFails drives invoices of both countries through every fault
// that the sandboxes know, lost answers and kills. No operator helps.
func TestSignedDocumentsWhateverFails(t *testing.T) {
	for name, of := range map[string]func() *nation{"cl": chile, "uy": uruguay} {
		for seed := range uint64(3) {
			t.Run(fmt.Sprintf("%s, seed %d", name, seed), func(t *testing.T) {
				t.Parallel()
				n := of()
				held := drivertest.Issue(signedCA(), n.as, n.holder, n.issuer.TaxIdentifier, 300)
				inWorld(t, func(w *world) { w.signedStorm(n, held, rand.New(rand.NewPCG(seed, 11))) })
			})
		}
	}
}

func (w *world) signedStorm(n *nation, held authority.Credential, r *rand.Rand) {
	n.slow, n.odd = []time.Duration{0, 2 * time.Minute, 10 * time.Minute}[r.IntN(3)], r.IntN(2) == 0
	dir := w.t.TempDir()
	authorities, err := n.open(dir, w.Now)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { authorities.Close() })
	w.settle(n, held, authorities)
	w.start()
	for len(w.invoices) < 40 {
		w.issueSigned(n, r)
		for range 2 + r.IntN(6) {
			if r.IntN(4) == 0 {
				w.plan.Store(&plan{step: w.steps.Load() + 1 + int64(r.IntN(40)), after: r.IntN(2) == 0})
			} else {
				authorities.AddFaults(n.fault(r))
			}
		}
		time.Sleep(time.Duration(r.IntN(120_000)) * time.Millisecond)
		w.revive()
	}
	authorities.ClearFaults("")
	w.plan.Store(nil)
	w.until("every document is final", 72*time.Hour, func() bool {
		if err := authorities.Release(w.t.Context(), ""); err != nil {
			w.t.Error(err)
		}
		w.revive()
		return w.done()
	})
	w.shared(n, filepath.Join(dir, n.stored))
}

// settle makes the company with its profile, its certificate and its numbering files.
func (w *world) settle(n *nation, held authority.Credential, h http.Handler) {
	w.settleBare(n, held, h)
	w.record("company-C1", events.FiscalProfileSet{Profile: n.profile()})
}

// profile is all that the country wants to know about the company.
func (n *nation) profile() events.FiscalProfile {
	return events.FiscalProfile{Address: n.issuer.Profile.Address, Fields: n.issuer.Fields}
}

// settleBare makes the company without a profile.
func (w *world) settleBare(n *nation, held authority.Credential, h http.Handler) {
	w.credential = &held
	w.signed = func(p *process) (authority.Driver, country.Registry) {
		line := &http.Client{Transport: signedWire{p, h}, Timeout: w.timeout}
		return n.driver(line, processVault{p, w.tickets}, w.Now), country.Registry{n.rules}
	}
	w.record("company-C1", events.CompanyRegistered{Company: "C1", Account: "A", Country: n.rules.Code(),
		LegalName: n.issuer.Profile.LegalName, TaxIdentifier: n.issuer.TaxIdentifier})
	w.upload("C1", "Testing", noon.AddDate(0, 0, -1), noon.AddDate(0, 0, 300))
	for _, kind := range n.kinds {
		k, _ := n.rules.DocumentType(kind)
		series := numbering.Series{Company: "C1", Environment: "Testing", OfficialCode: k.Code}.ID()
		if len(w.log.facts("numbering-"+series)) > 0 {
			continue
		}
		file, letter, err := n.file(k.Code)
		if err != nil {
			w.t.Fatal(err)
		}
		ref := "range/" + series
		if err := w.tickets.Seal(w.t.Context(), ref, file); err != nil {
			w.t.Fatal(err)
		}
		w.record("numbering-"+series, events.NumberingRangeUploaded{Range: "R", Company: "C1", Environment: "Testing",
			OfficialCode: k.Code, Series: letter, From: 1, To: 1000, Authority: "9026", Fingerprint: "A", Secret: ref})
	}
}

func (w *world) issueSigned(n *nation, r *rand.Rand) {
	for range r.IntN(6) {
		id := fmt.Sprintf("I%05d", len(w.invoices)+1)
		c, err := n.document(n.kinds[r.IntN(len(n.kinds))], len(w.invoices)+1, n.issuer, w.Now().In(n.rules.Location()))
		if err != nil {
			w.t.Fatal(err)
		}
		w.record("invoice-"+id, events.InvoiceCreated{Invoice: id, Company: "C1", Country: n.rules.Code(),
			Environment: "Testing",
			Document:    c.Document, Taxes: c.Taxes, Profile: n.issuer.Profile})
		w.invoices = append(w.invoices, id)
	}
}

// fault is one of the authority's own, or what may happen to any call.
func (n *nation) fault(r *rand.Rand) desk.Fault {
	f := n.faults[r.IntN(len(n.faults))]
	if r.IntN(3) == 0 {
		f.Effect, f.Code = append(desk.Common, desk.Lose)[r.IntN(len(desk.Common)+1)], ""
	}
	f.Times = 1 + r.IntN(3)
	return f
}

// faults are those that a storm draws from.
type faults []desk.Fault

// add adds an effect on an operation, once with each code.
func (f *faults) add(operation string, effect desk.Effect, codes ...string) {
	for _, code := range codes {
		*f = append(*f, desk.Fault{Operation: operation, Effect: effect, Code: code})
	}
}

// checked is a document that its country's rules have nothing against.
func checked(rules country.Rules, d events.Document, issuer country.Issuer, now time.Time,
	cfg country.Config) (country.Checked, error) {
	c, wrong := rules.Check(d, issuer, now, cfg)
	if len(wrong) > 0 {
		return c, fmt.Errorf("%v", wrong)
	}
	return c, nil
}

func (w *world) revive() {
	synctest.Wait()
	if w.p.dead.Load() {
		w.p.stop()
		w.start()
	}
}

// shared holds each outcome against what the sandbox has under the number: accepted once,
// or not at all.
func (w *world) shared(n *nation, file string) {
	accepted, most := w.acceptedAt(n, file), 0
	defer func() {
		w.t.Logf("%d submissions of a series were open at once", most)
		if n.slow > 0 && most < 2 {
			w.t.Error("nothing was sent while the authority decided: several open submissions were not tried")
		}
	}()
	for _, name := range w.log.named("numbering") {
		id, err := numbering.ParseSeries(strings.TrimPrefix(name, "numbering-"))
		if err != nil {
			w.t.Fatal(err)
		}
		var outcomes []events.Outcome
		var state numbering.State
		for _, e := range w.log.facts(name) {
			state = numbering.Decider.Evolve(state, e)
			most = max(most, len(state.Open))
			if s, ok := e.(events.SubmissionSettled); ok {
				outcomes = append(outcomes, s.Outcomes...)
			}
		}
		// Verdicts come in any order; the numbers are those of the order of creation, without a gap.
		slices.SortFunc(outcomes, func(a, b events.Outcome) int { return cmp.Compare(a.Number, b.Number) })
		next, before := int64(1), ""
		for _, o := range outcomes {
			if o.Invoice <= before {
				w.t.Errorf("%s: %s has number %d, after %s", name, o.Invoice, o.Number, before)
			}
			before = o.Invoice
			key, state := [2]int64{int64(id.OfficialCode), o.Number}, w.state(o.Invoice)
			want := 0
			if o.Result == events.Accepted {
				want = 1
			}
			if o.Number != next || (state.Status == invoice.Accepted) != (want == 1) {
				w.t.Errorf("%s is %v, its outcome %+v, and the next number %d", o.Invoice, state.Status, o, next)
			}
			if unsent := n.unsent != nil && n.unsent(state.Created.Document); !unsent && accepted[key] != want {
				w.t.Errorf("%s: the authority accepted number %d %d times: %+v", name, o.Number, accepted[key], o)
			}
			next++
		}
	}
}

func (w *world) acceptedAt(n *nation, file string) map[[2]int64]int {
	db, err := sql.Open("sqlite", "file:"+file+"?mode=ro")
	if err != nil {
		w.t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.QueryContext(w.t.Context(), n.query)
	if err != nil {
		w.t.Fatal(err)
	}
	defer rows.Close()
	out := map[[2]int64]int{}
	for rows.Next() {
		var key [2]int64
		var good bool
		if err := rows.Scan(&key[0], &key[1], &good); err != nil {
			w.t.Fatal(err)
		}
		if good {
			out[key]++
		}
	}
	if err := rows.Err(); err != nil {
		w.t.Fatal(err)
	}
	return out
}
