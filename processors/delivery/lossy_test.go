package delivery_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"folio/events"
	"folio/outbound"
	"folio/processors/delivery"
	"folio/tables"
	"folio/tables/sqlite"
)

// lossyTables are slow, and every so many answers of theirs are lost: what was asked is
// done.
type lossyTables struct {
	tables.Store
	takes time.Duration
	every int64 // 0: none
	n     atomic.Int64

	meanwhile func() // may be nil
}

func (s *lossyTables) Apply(ctx context.Context, b tables.Batch) error {
	time.Sleep(s.takes)
	if s.meanwhile != nil {
		s.meanwhile()
	}
	err := s.Store.Apply(ctx, b)
	if n := s.n.Add(1); err == nil && s.every > 0 && n%s.every == 0 {
		err = errors.New("the connection was lost")
	}
	return err
}

func TestALostAnswerOfTheTablesAndACrashLoseNoDelivery(t *testing.T) {
	inWorld(t, func(w *world) {
		w.answers(func(c call) (outbound.Outcome, time.Duration) {
			if c.document == "I2" {
				return outbound.Delivered, 20 * time.Second
			}
			return outbound.Delivered, 10 * time.Millisecond
		})
		lossy := func(c *settings) { c.Tables = &lossyTables{Store: c.Tables, takes: time.Second, every: 2} }
		owe := func(id string) {
			w.record("delivery-"+id, events.DeliveryScheduled{Delivery: id, Company: "C1", Webhook: 1, Code: "ISE",
				Payload: fmt.Appendf(nil, `{"document_id":%q}`, id), Due: time.Now()})
		}
		w.subscribe("C1", "ISE")
		w.live(lossy)
		time.Sleep(time.Minute)
		owe("I1")
		time.Sleep(500 * time.Millisecond) // the company has come to rest
		owe("I2")
		time.Sleep(10 * time.Second)
		same(t, "calls", len(w.got()), 2)
		w.p.stop() // during the second
		w.live(lossy)
		time.Sleep(time.Hour)
		same(t, "status", string(w.state("I2").Status), "delivered")
	})
}

func TestBatchesTogetherDoWhatTheyDoOneByOneEvenTwice(t *testing.T) {
	ctx := context.Background()
	store, err := sqlite.Open(ctx, filepath.Join(t.TempDir(), "tables.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = store.Close() }()
	random := rand.New(rand.NewPCG(1, 2))
	for round := range 200 {
		onto := func(list string, batches ...tables.Batch) {
			for _, b := range batches {
				for i := range b.Work {
					b.Work[i].Worklist = list
				}
				if err := store.Apply(ctx, b); err != nil {
					t.Fatal(err)
				}
			}
		}
		var batches []tables.Batch
		at := uint64(round*1000 + 1)
		for range 6 {
			var c tables.WorklistChange
			for range 2 {
				at++
				key, p, due := string(rune('a'+random.IntN(3))), events.Position{Commit: at, Prepare: at}, time.Unix(random.Int64N(1000), 0)
				switch random.IntN(3) {
				case 0:
					c.Put = append(c.Put, tables.Item{Key: key, At: p, Due: due})
				case 1:
					c.Remove = append(c.Remove, tables.Removal{Key: key, At: p})
				default:
					c.Postpone = append(c.Postpone, tables.Postponement{Key: key, Due: due})
				}
			}
			c.Worklist = "one_by_one"
			batches = append(batches, tables.Batch{Work: []tables.WorklistChange{c}})
		}
		all := delivery.Together(batches...)
		onto("one_by_one", batches...)
		onto("together", all)
		sameLists(t, store)
		onto("together", all)
		sameLists(t, store)
		if t.Failed() {
			t.Fatalf("round %d: %+v\ntogether %+v", round, batches, all)
		}
	}
}

func sameLists(t *testing.T, store tables.Store) {
	t.Helper()
	var lists [2]string
	for i, name := range []string{"one_by_one", "together"} {
		items, err := store.Worklist(name).InGroup(t.Context(), "", 10)
		if err != nil {
			t.Fatal(err)
		}
		lists[i] = fmt.Sprint(items)
	}
	if lists[0] != lists[1] {
		t.Errorf("one by one: %s\ntogether: %s", lists[0], lists[1])
	}
}
