package projections_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"folio/events"
	"folio/money"
	"folio/projections/engine"
	"folio/projections/projectiontest"
	"folio/tables"
	"folio/tables/sqlite"
)

// source is a log in memory.
type source struct {
	mu    sync.Mutex
	given []given
	log   []events.Recorded
	// streams are those of log, once somebody read one since it changed.
	streams map[string][]events.Recorded
	more    chan struct{} // closed by the next append
	broken  error         // what Follow returns while set
	size    int           // of batches, 0 for what is at hand
}

func newSource(history ...given) *source {
	s := &source{more: make(chan struct{})}
	s.append(history...)
	return s
}

func (s *source) append(more ...given) events.Position {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.given = append(s.given, more...)
	s.log, s.streams = projectiontest.Log(s.given...), nil
	close(s.more)
	s.more = make(chan struct{})
	return s.end()
}

// change lets a test spoil the log.
func (s *source) change(fn func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fn()
	s.streams = nil
	close(s.more)
	s.more = make(chan struct{})
}

func (s *source) end() events.Position {
	if len(s.log) == 0 {
		return events.Position{}
	}
	return s.log[len(s.log)-1].Position
}

func (s *source) Head(context.Context) (events.Position, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.end(), nil
}

func (s *source) Follow(ctx context.Context, after events.Position, types []string,
	handle func(context.Context, engine.Batch) error) error {
	for told := false; ; {
		s.mu.Lock()
		b, more, broken := engine.Batch{Position: after}, s.more, s.broken
		for _, r := range s.log {
			if !after.Before(r.Position) || (s.size > 0 && len(b.Events) == s.size) {
				continue
			}
			b.Position = r.Position
			if slices.Contains(types, r.Type) {
				b.Events = append(b.Events, r)
			}
		}
		b.CaughtUp = b.Position == s.end()
		s.mu.Unlock()
		if broken != nil {
			return broken
		}
		if b.Position != after || !told {
			if err := handle(ctx, b); err != nil {
				return err
			}
			after, told = b.Position, true
			continue
		}
		select {
		case <-more:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// faults is a store that breaks: Apply writes documents one by one without a
// transaction, as MongoDB does, and fails after as many steps as it is told.
type faults struct {
	tables.Store
	mu    sync.Mutex
	left  int // steps until the next failure; below 0: never
	fails int // failures so far
	hook  func(tables.Batch)
	// between runs before each step, on the goroutine that writes; nil: nothing does.
	between func()
}

var errBroken = errors.New("connection to the tables broke")

func (f *faults) step() error {
	if f.between != nil {
		f.between()
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.left == 0 {
		f.fails++
		return errBroken
	}
	f.left--
	return nil
}

func (f *faults) set(left int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.left = left
}

func (f *faults) Apply(ctx context.Context, b tables.Batch) error {
	for _, w := range b.Writes {
		for _, d := range w.Documents {
			if err := f.step(); err != nil {
				return err
			}
			one := tables.Batch{Writes: []tables.Write{{Table: w.Table, Documents: []tables.Document{d}}}, Lease: b.Lease}
			if err := f.Store.Apply(ctx, one); err != nil {
				return err
			}
		}
		if len(w.Deletes) > 0 {
			if err := f.Store.Apply(ctx, tables.Batch{Writes: []tables.Write{{Table: w.Table,
				Deletes: w.Deletes}}}); err != nil {
				return err
			}
		}
	}
	if err := f.step(); err != nil {
		return err
	}
	if err := f.Store.Apply(ctx, tables.Batch{Checkpoint: b.Checkpoint, Lease: b.Lease}); err != nil {
		return err
	}
	if f.hook != nil {
		f.hook(b)
	}
	return nil
}

func openTables(t testing.TB) *sqlite.Store {
	t.Helper()
	s, err := sqlite.Open(context.Background(), filepath.Join(t.TempDir(), "tables.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

const logID = "01STORE"

func options(store tables.Store, src engine.Source, owner string,
	ps ...engine.Projection) engine.Options {
	return engine.Options{Tables: store, Source: src, Store: logID, Owner: owner, Projections: ps,
		Lease: 300 * time.Millisecond, Stopped: 20 * time.Millisecond,
		Backoff: func(int) time.Duration { return time.Millisecond }}
}

// start runs a runner; stop ends it and waits.
func start(t testing.TB, o engine.Options) (r *engine.Runner, stop func()) {
	t.Helper()
	r, err := engine.NewRunner(o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- r.Run(ctx) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(stop)
	return r, stop
}

func within(t testing.TB) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	t.Cleanup(cancel)
	return ctx
}

func waitFor(t testing.TB, r *engine.Runner, name string, p events.Position) {
	t.Helper()
	if err := r.WaitFor(within(t), name, p); err != nil {
		t.Fatalf("%v; %+v", err, r.Status())
	}
}

// awaitStatus polls, because a condition has no signal of its own.
func awaitStatus(t testing.TB, r *engine.Runner, name string,
	ok func(engine.Status) bool) engine.Status {
	t.Helper()
	var last engine.Status
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); time.Sleep(time.Millisecond) {
		for _, s := range r.Status() {
			if s.Name == name {
				if last = s; ok(s) {
					return s
				}
			}
		}
	}
	t.Fatalf("status never came; last %+v", last)
	return last
}

// dump is every document of a projection in the store.
func dump(t testing.TB, store tables.Store, table string, lists ...string) string {
	t.Helper()
	var all []tables.Document
	for _, list := range lists {
		page, err := store.Page(context.Background(), tables.Query{Table: table, List: list, Limit: tables.MaxLimit})
		if err != nil {
			t.Fatal(err)
		}
		if int(page.Total) != len(page.Documents) {
			t.Fatalf("list %s: total %d, %d documents", list, page.Total, len(page.Documents))
		}
		all = append(all, page.Documents...)
	}
	return projectiontest.Dump(all)
}

// replayed is what dump must give.
func replayed(t testing.TB, p engine.Projection, log []events.Recorded, lists ...string) string {
	t.Helper()
	r := engine.NewReplay(p)
	if err := r.Fold(context.Background(), log...); err != nil {
		t.Fatal(err)
	}
	var all []tables.Document
	for _, list := range lists {
		mine := slices.DeleteFunc(r.Documents(), func(d tables.Document) bool { return d.List != list })
		slices.SortFunc(mine, func(a, b tables.Document) int { return int(a.Ordinal - b.Ordinal) })
		all = append(all, mine...)
	}
	return projectiontest.Dump(all)
}

// created is an invoice of a company with a body of the usual size.
func created(company, id string, items int) given {
	amount := money.MustParse("100.00")
	doc := events.Document{Type: "FCA", OfficialCode: 1, BranchOffice: 5, Date: "2026-03-02 10:00:00",
		ExternalReference: "Ref-" + id, Currency: events.Currency{Code: "ARS", Rate: money.FromInt(1)},
		Recipient: events.Party{LegalName: "Cliente SRL", DocumentType: "CUIT", DocumentNumber: "30500010912"},
		Totals:    events.Totals{SubTotal: amount, Total: money.MustParse("121.00")}}
	for i := range items {
		doc.Items = append(doc.Items, events.Item{Quantity: money.FromInt(1), UnitOfMeasure: "u", UnitPrice: amount,
			Description: fmt.Sprintf("Artículo número %d", i), Code: &events.ItemCode{Type: "sku", Value: "A-17"},
			Taxes: []events.ItemTax{{Type: "iva21", Rate: money.FromInt(21), Amount: money.MustParse("21.00")}}})
	}
	return given{Stream: "invoice-" + id, Event: events.InvoiceCreated{Invoice: id, Company: company, Country: "AR",
		Environment: "Testing", Document: doc, Profile: events.IssuerProfile{LegalName: "Uno SA",
			TaxIdentifier: "30712345671"}}}
}

func started(id string, number int64) given {
	return given{Stream: "invoice-" + id, Event: events.SubmissionStarted{Submission: "S-" + id, Environment: "Testing",
		Number: number}}
}

func numbered(id string, number int64) given {
	return given{Stream: "invoice-" + id, Event: events.NumberAssigned{BranchOffice: 5, Number: number}}
}

func accepted(id string) given {
	return given{Stream: "invoice-" + id, Event: events.AuthorityAccepted{Submission: "S-" + id, Sandbox: true,
		Authorization: events.Authorization{Type: "CAE", Code: "76123456789012", ExpiresOn: "2026-03-12"}}}
}

func rejected(id string) given {
	return given{Stream: "invoice-" + id, Event: events.AuthorityRejected{Submission: "S-" + id,
		Reasons: []events.AuthorityMessage{{Code: "10016", Text: "Fecha"}}}}
}

// history is n invoices of two companies, each on its way to a final state, mixed.
func history(n int) []given {
	var out []given
	for i := range n {
		id := fmt.Sprintf("I%03d", i)
		out = append(out, created([]string{"C1", "C2"}[i%3%2], id, 1))
		if i >= 2 {
			before := fmt.Sprintf("I%03d", i-2)
			out = append(out, started(before, int64(i-1)))
			if i%5 == 0 {
				out = append(out, rejected(before))
			} else {
				out = append(out, numbered(before, int64(i-1)), accepted(before))
			}
		}
	}
	return out
}
