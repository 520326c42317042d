package submission_test

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"folio/authority"
	"folio/authority/arca"
	"folio/commands"
	"folio/commands/company"
	"folio/commands/invoice"
	"folio/country"
	"folio/country/ar"
	"folio/events"
	"folio/eventstore"
	"folio/eventstore/node"
	"folio/processors/reactor"
	"folio/processors/submission"
	arcasandbox "folio/sandbox/arca"
	"folio/sandbox/desk"
	"folio/tables/sqlite"
	"folio/waiting"
)

// The same over the real log, a real connection to the authority and a real clock:
// what the other tests imitate.

type oneCertificate struct{}

func (oneCertificate) Open(_ context.Context, c company.State, environment string, _ time.Time) (authority.Credential,
	error) {
	_, m := material()
	return authority.Credential{Certificate: tls.Certificate{Certificate: [][]byte{m.leaf.Raw}, PrivateKey: m.key,
		Leaf: m.leaf},
		TaxIdentifier: c.TaxIdentifier, Environment: authority.Environment(environment)}, nil
}

// frozen is the tests' day on a clock that really waits.
type frozen struct{}

func (frozen) Now() time.Time { return noon }

func (frozen) At(t time.Time) <-chan time.Time { return time.After(t.Sub(noon)) }

func openNode(t *testing.T) *eventstore.Log {
	t.Helper()
	n, err := node.Open(t.Context(), node.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	l, err := eventstore.Open(t.Context(), eventstore.Options{Address: n.Address()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(l.Close(), n.Close(context.Background())); err != nil {
			t.Error(err)
		}
	})
	return l
}

func TestOverTheEmbeddedNode(t *testing.T) {
	log, dir := openNode(t), t.TempDir()
	ca, _ := material()
	server, err := arcasandbox.Open(t.Context(), arcasandbox.Options{Dir: dir, CA: ca, Now: frozen{}.Now})
	if err != nil {
		t.Fatal(err)
	}
	h := httptest.NewServer(server)
	store, err := sqlite.Open(t.Context(), filepath.Join(dir, "tables.db"))
	if err != nil {
		t.Fatal(err)
	}
	notes, err := waiting.Open(t.Context(), store, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		h.Close()
		if err := errors.Join(server.Close(), store.Close()); err != nil {
			t.Error(err)
		}
	})
	x := commands.NewExecutor(log, frozen{}.Now)
	driver := arca.NewDriver(map[authority.Environment]*arca.Client{authority.Testing: arca.New(arca.Options{
		Endpoints: arca.EndpointsAt("testing", h.URL+"/testing"), HTTP: arca.NewHTTPClient(5 * time.Second),
		Now: frozen{}.Now})})
	var ids atomic.Int64
	p := submission.New(reactor.Base{
		Executor: x, Source: log, Log: "log", Tables: store,
		Rules: country.Registry{ar.Rules{}}.ByCode, Clock: frozen{}, Logger: slog.New(slog.DiscardHandler),
	}, submission.Config{
		Files: &memoryFiles{m: map[string][]byte{}}, Credentials: oneCertificate{}, Notes: notes,
		Driver:    func(string, authority.Environment) (authority.Driver, bool) { return driver, true },
		RetryBase: 10 * time.Millisecond, Random: func() float64 { return 0.5 },
		NewID: func() string { return fmt.Sprintf("S%d", ids.Add(1)) },
	})
	register(t, x)
	server.AddFaults(arcasandbox.Fault{Operation: "FECAESolicitar", Effect: desk.Lose, Times: 1},
		arcasandbox.Fault{Operation: "FECAESolicitar", Effect: arcasandbox.Reject, Code: "10015", Document: 1, Times: 1})
	const first, all = 10, 20
	for life, upTo := range []int{first, all} { // the second one starts on what the first one left
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- p.Run(ctx) }()
		for i := life * first; i < upTo; i++ {
			createOn(t, x, i)
		}
		awaitFinal(t, log, upTo)
		cancel()
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
	}
	checkAccepted(t, x, all)
}

// checkAccepted wants every invoice accepted, under the numbers from 1.
func checkAccepted(t *testing.T, x *commands.Executor, all int) {
	t.Helper()
	numbers := map[int64]bool{}
	for i := range all {
		s, _, err := commands.Bind(x, invoice.Decider).Load(t.Context(), fmt.Sprintf("N%02d", i))
		if err != nil || s.Status != invoice.Accepted {
			t.Errorf("invoice %d is %s, %v", i, s.Status, err)
		}
		numbers[s.Number] = true
	}
	for n := range all {
		if !numbers[int64(n+1)] {
			t.Errorf("number %d is missing", n+1)
		}
	}
}

func register(t *testing.T, x *commands.Executor) {
	t.Helper()
	for i, c := range []company.Command{
		company.Register{Company: events.CompanyRegistered{Company: "C1", Country: "AR", LegalName: "Molinos",
			TaxIdentifier: fmt.Sprint(holder)}},
		company.UploadCertificate{Certificate: events.CertificateUploaded{Certificate: "one", Environment: "Testing",
			Fingerprint: "one",
			ValidFrom:   noon.AddDate(0, 0, -1).Format(time.RFC3339), ValidTo: noon.AddDate(1, 0, 0).Format(time.RFC3339)}},
	} {
		if _, err := commands.Bind(x, company.Decider).Execute(t.Context(), "C1", c,
			commands.Request{ID: commands.Derived("set up", fmt.Sprint(i)), At: noon}); err != nil {
			t.Fatal(err)
		}
	}
}

func createOn(t *testing.T, x *commands.Executor, i int) {
	t.Helper()
	w := &world{t: t, began: time.Now(), branch: 1}
	id, c := fmt.Sprintf("N%02d", i), w.document("FCA", i, nil)
	e := events.InvoiceCreated{Invoice: id, Company: "C1", Country: "AR", Environment: "Testing", Document: c.Document,
		Taxes: c.Taxes}
	if _, err := commands.Bind(x, invoice.Decider).ExecuteNew(t.Context(), id, invoice.Create{Invoice: e},
		commands.Request{ID: commands.Derived(id), At: noon}); err != nil {
		t.Fatal(err)
	}
}

var errEnough = errors.New("enough")

// awaitFinal follows the log until n invoices have their answer.
func awaitFinal(t *testing.T, log *eventstore.Log, n int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	final := 0
	err := log.Follow(ctx, events.Position{}, eventstore.Filter{Types: []string{"AuthorityAccepted", "AuthorityRejected"}},
		eventstore.FollowOptions{},
		func(_ context.Context, b eventstore.Batch) error {
			if final += len(b.Events); final >= n {
				return errEnough
			}
			return nil
		})
	if !errors.Is(err, errEnough) {
		t.Fatalf("%d of %d invoices have their answer: %v", final, n, err)
	}
}
