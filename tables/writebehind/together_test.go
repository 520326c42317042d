package writebehind_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"folio/events"
	"folio/tables"
	"folio/tables/sqlite"
	"folio/tables/writebehind"
)

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
				key, p, due := string(rune('a'+random.IntN(3))), events.Position{Commit: at, Prepare: at},
					time.Unix(random.Int64N(1000), 0)
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
		all := writebehind.Together(batches...)
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
