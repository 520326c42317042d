package projections_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"folio/events"
	"folio/projections"
	"folio/projections/engine"
	"folio/projections/projectiontest"
	"folio/tables"
)

func TestAReadSeesWhatAWriteRecorded(t *testing.T) {
	store, src := openTables(t), newSource()
	r, _ := start(t, options(store, src, "one", projections.Invoices))
	reader := projections.NewReader(store, nil)
	var all sync.WaitGroup
	for client := range 4 {
		all.Go(func() {
			for i := range 25 {
				id := fmt.Sprintf("I%d-%d", client, i)
				if err := r.WaitFor(within(t), "invoices", src.append(created("C1", id, 1))); err != nil {
					t.Error(err)
				}
				if _, err := reader.GetInvoice(t.Context(), id); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	list, err := reader.ListInvoices(t.Context(),
		projections.InvoiceQuery{Company: "C1", Page: engine.Page{Limit: 100}})
	if err != nil || list.Total != 100 || len(list.Documents) != 100 || list.Documents[0].Ordinal != 100 {
		t.Fatalf("total %d of %d, %v", list.Total, len(list.Documents), err)
	}
}

func TestAProcessThatDoesNotFoldWaitsForTheStoredCheckpoint(t *testing.T) {
	store, src := openTables(t), newSource(created("C1", "I1", 1))
	other, err := engine.NewRunner(options(store, src, "other", projections.Invoices))
	if err != nil {
		t.Fatal(err)
	}
	short, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	if err := other.WaitFor(short, "invoices", src.append()); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("nobody folds, yet got %v", err)
	}
	start(t, options(store, src, "one", projections.Invoices))
	waitFor(t, other, "invoices", src.append(created("C1", "I2", 1)))
	if _, err := projections.NewReader(store, nil).GetInvoice(t.Context(), "I2"); err != nil {
		t.Fatal(err)
	}
}

func TestWaitingForAPositionOfAnotherTypeOfEventEnds(t *testing.T) {
	store, src := openTables(t), newSource(created("C1", "I1", 1))
	r, _ := start(t, options(store, src, "one", projections.Invoices))
	other, err := engine.NewRunner(options(store, src, "other", projections.Invoices))
	if err != nil {
		t.Fatal(err)
	}
	p := src.append(given{Stream: "apikey-K1", Event: events.APIKeyRevoked{}})
	waitFor(t, r, "invoices", p)
	waitFor(t, other, "invoices", p)
	if err := r.WaitFor(t.Context(), "invoice", p); err == nil || !strings.Contains(err.Error(), "invoices") {
		t.Fatalf("an unknown projection must be named with the known ones, got %v", err)
	}
}

func TestNothingIsLostOrDoubledWhenWritingBreaksAfterAnyStep(t *testing.T) {
	log := history(8)
	want := replayed(t, projections.Invoices, projectiontest.Log(log...), "C1", "C2")
	for _, batch := range []int{5, 0} {
		whole := &faults{Store: openTables(t), left: 1000}
		src := newSource(log...)
		src.size = batch
		r, stop := start(t, options(whole, src, "whole", projections.Invoices))
		awaitStatus(t, r, "invoices", func(s engine.Status) bool { return s.CaughtUp })
		stop()
		for steps := range 1000 - whole.left {
			t.Run(fmt.Sprintf("%d steps, batches of %d", steps, batch), func(t *testing.T) {
				breakAfter(t, steps, src, want)
			})
		}
	}
}

// breakAfter lets a process die after so many steps of writing, and starts another.
func breakAfter(t *testing.T, steps int, src *source, want string) {
	store := &faults{Store: openTables(t), left: steps}
	o := options(store, src, "first", projections.Invoices)
	died := make(chan struct{})
	once := sync.OnceFunc(func() { close(died) })
	o.Backoff = func(int) time.Duration { once(); return time.Hour }
	_, stop := start(t, o)
	select {
	case <-died:
	case <-time.After(2 * time.Minute):
		t.Fatal("never broke")
	}
	stop()
	store.set(-1)
	r, stop := start(t, options(store, src, "second", projections.Invoices))
	waitFor(t, r, "invoices", src.append())
	stop()
	if got := dump(t, store, "invoices_v4", "C1", "C2"); got != want {
		t.Fatalf("got\n%s\nwant\n%s", got, want)
	}
}

func TestTransientFaultsAreRetriedWithoutLosingEvents(t *testing.T) {
	log := history(12)
	src := newSource(log...)
	src.size = 4
	broken := &faults{Store: openTables(t), left: 5}
	r, _ := start(t, options(broken, src, "one", projections.Invoices))
	s := awaitStatus(t, r, "invoices", func(s engine.Status) bool { return s.Condition == engine.Retrying })
	if !errors.Is(s.Err, errBroken) {
		t.Fatalf("the reason must show, got %v", s.Err)
	}
	broken.set(-1)
	waitFor(t, r, "invoices", src.append())
	if got, want := dump(t, broken, "invoices_v4", "C1", "C2"),
		replayed(t, projections.Invoices, src.log, "C1", "C2"); got != want {
		t.Fatalf("got\n%s\nwant\n%s", got, want)
	}
	src.change(func() { src.broken = errBroken })
	awaitStatus(t, r, "invoices", func(s engine.Status) bool { return s.Condition == engine.Retrying })
	src.change(func() { src.broken = nil })
	waitFor(t, r, "invoices", src.append(created("C1", "later", 1)))
	awaitStatus(t, r, "invoices", func(s engine.Status) bool {
		return s.Condition == engine.Folding && s.CaughtUp && s.Err == nil
	})
}

// stale is a store for a writer that believes to be alone and starts from nothing.
type stale struct{ tables.Store }

func (s stale) Acquire(_ context.Context, name, owner string, ttl time.Duration) (tables.Grant, bool, error) {
	return tables.Grant{Name: name, Owner: owner, Until: time.Now().Add(ttl)}, true, nil
}
func (s stale) Renew(_ context.Context, g tables.Grant, ttl time.Duration) (tables.Grant, bool, error) {
	return tables.Grant{Name: g.Name, Owner: g.Owner, Until: time.Now().Add(ttl)}, true, nil
}
func (s stale) Release(context.Context, tables.Grant) error { return nil }
func (s stale) Checkpoint(context.Context, string) (tables.Checkpoint, error) {
	return tables.Checkpoint{}, tables.ErrNotFound
}
func (s stale) Apply(ctx context.Context, b tables.Batch) error {
	b.Lease, b.Checkpoint = nil, nil // its documents arrive, its checkpoints would be refused
	return s.Store.Apply(ctx, b)
}

func TestStaleWritersAgreeWithTheOwner(t *testing.T) {
	log := history(40)
	store, src := openTables(t), newSource(log...)
	src.size = 3
	o := options(store, src, "owner", projections.Invoices)
	r, _ := start(t, o)
	for i := range 2 {
		split := &faults{Store: stale{store}, left: -1}
		late, _ := start(t, options(split, src, fmt.Sprintf("stale %d", i), projections.Invoices))
		waitFor(t, late, "invoices", src.append())
	}
	waitFor(t, r, "invoices", src.append())
	late, _ := start(t, options(stale{store}, src, "very late", projections.Invoices))
	waitFor(t, late, "invoices", src.append())
	if got, want := dump(t, store, "invoices_v4", "C1", "C2"),
		replayed(t, projections.Invoices, src.log, "C1", "C2"); got != want {
		t.Fatalf("got\n%s\nwant\n%s", got, want)
	}
}

func TestOneProcessFoldsAndAnotherTakesOver(t *testing.T) {
	shared := openTables(t)
	store := &faults{Store: shared, left: -1}
	src := newSource(created("C1", "I1", 1))
	first, stopFirst := start(t, options(store, src, "first", projections.Invoices))
	waitFor(t, first, "invoices", src.append())
	second, stopSecond := start(t, options(shared, src, "second", projections.Invoices))
	// Through the stored checkpoint, because the second one stands by.
	waitFor(t, second, "invoices", src.append(created("C1", "I2", 1)))
	if s := second.Status()[0]; s.Condition != engine.Standby {
		t.Fatalf("second is %+v", s)
	}
	stopFirst()
	awaitStatus(t, second, "invoices", func(s engine.Status) bool {
		return s.Condition == engine.Folding && s.CaughtUp
	})
	waitFor(t, second, "invoices", src.append(created("C1", "I3", 1)))
	stopSecond()
	if got, want := dump(t, shared, "invoices_v4", "C1"), replayed(t, projections.Invoices, src.log, "C1"); got != want {
		t.Fatalf("got\n%s\nwant\n%s", got, want)
	}
}

// forgetful loses its leases when told.
type forgetful struct {
	tables.Store
	mu   sync.Mutex
	lost bool
}

func (f *forgetful) Renew(ctx context.Context, g tables.Grant, ttl time.Duration) (tables.Grant, bool, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.lost {
		return tables.Grant{}, false, nil
	}
	return f.Store.Renew(ctx, g, ttl)
}

func TestAProcessThatLosesItsLeaseStandsBy(t *testing.T) {
	store, src := &forgetful{Store: openTables(t)}, newSource(created("C1", "I1", 1))
	r, _ := start(t, options(store, src, "one", projections.Invoices))
	awaitStatus(t, r, "invoices", func(s engine.Status) bool { return s.CaughtUp })
	store.mu.Lock()
	store.lost = true
	store.mu.Unlock()
	s := awaitStatus(t, r, "invoices", func(s engine.Status) bool { return s.Condition == engine.Standby })
	if !errors.Is(s.Err, tables.ErrLeaseLost) {
		t.Fatalf("got %+v", s)
	}
	store.mu.Lock()
	store.lost = false
	store.mu.Unlock()
	waitFor(t, r, "invoices", src.append(created("C1", "I2", 1)))
}

// overtaken is a store whose lease another owner has taken, once it is told so.
type overtaken struct {
	tables.Store
	taken atomic.Bool
}

func (o *overtaken) Acquire(ctx context.Context, name, owner string, ttl time.Duration) (tables.Grant, bool, error) {
	if o.taken.Load() {
		return tables.Grant{Name: name, Owner: "another", Until: time.Now().Add(ttl)}, false, nil
	}
	return o.Store.Acquire(ctx, name, owner, ttl)
}

func (o *overtaken) Apply(ctx context.Context, b tables.Batch) error {
	if o.taken.Load() {
		return tables.ErrLeaseLost
	}
	return o.Store.Apply(ctx, b)
}

// A process that slept while another took over stands by and is well: it asks at once who has the lease, and not after
// a third of it.
func TestAProcessThatSleptStandsByWithoutAFault(t *testing.T) {
	store, src := &overtaken{Store: openTables(t)}, newSource(created("C1", "I1", 1))
	o := options(store, src, "one", projections.Invoices)
	o.Lease = 24 * time.Hour
	r, _ := start(t, o)
	awaitStatus(t, r, "invoices", func(s engine.Status) bool { return s.CaughtUp })
	store.taken.Store(true)
	src.append(created("C1", "I2", 1))
	awaitStatus(t, r, "invoices", func(s engine.Status) bool { return s.Condition == engine.Standby && s.Err == nil })
}
