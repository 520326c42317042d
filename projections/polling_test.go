package projections_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"folio/projections"
	"folio/projections/engine"
	"folio/tables"
)

// counting counts the reads that polling makes.
type counting struct {
	tables.Store
	reads atomic.Int64
}

func (c *counting) Checkpoint(ctx context.Context, name string) (tables.Checkpoint, error) {
	c.reads.Add(1)
	return c.Store.Checkpoint(ctx, name)
}

func (c *counting) GetMany(ctx context.Context, table string, ids []string) (map[string]tables.Document, error) {
	c.reads.Add(1)
	return c.Store.GetMany(ctx, table, ids)
}

func TestManyWhoWaitElsewhereAskTheTablesAsOne(t *testing.T) {
	shared, src := openTables(t), newSource(created("C1", "I1", 1))
	r, _ := start(t, options(shared, src, "folds", projections.Invoices))
	waitFor(t, r, "invoices", src.append())
	store := &counting{Store: shared}
	elsewhere, err := engine.NewRunner(options(store, src, "does not fold", projections.Invoices))
	if err != nil {
		t.Fatal(err)
	}
	held := make(chan struct{})
	var all sync.WaitGroup
	end := src.append()
	later := end
	later.Commit, later.Prepare = end.Commit+1, end.Prepare+1 // the next event
	for range 50 {
		all.Go(func() {
			if err := elsewhere.WaitFor(within(t), "invoices", later); err != nil {
				t.Error(err)
			}
		})
	}
	time.AfterFunc(300*time.Millisecond, func() { close(held) })
	<-held
	src.append(created("C1", "I2", 2))
	all.Wait()
	// Pauses of 5, 10, 20, 40 and then 80 ms: about ten looks, of two reads at most.
	if n := store.reads.Load(); n > 60 {
		t.Errorf("50 who waited 300 ms made %d reads", n)
	}
}
