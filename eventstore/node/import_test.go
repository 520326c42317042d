package node

import (
	"iter"
	"testing"
	"time"

	"folio/eventstore/node/storage"

	"github.com/EventStore/EventStore-Client-Go/v4/esdb"
)

func imported(list ...storage.Imported) iter.Seq2[storage.Imported, error] {
	return func(yield func(storage.Imported, error) bool) {
		for _, e := range list {
			if !yield(e, nil) {
				return
			}
		}
	}
}

func TestAnImportKeepsPlaces(t *testing.T) {
	dir, at := t.TempDir(), time.Date(2020, 1, 2, 3, 4, 5, 600, time.UTC)
	n, err := storage.Import(t.Context(), dir, imported(
		storage.Imported{Position: 167, Stream: "a", ID: testID(1), Type: "E", JSON: true, Data: []byte("{}"), Created: at},
		storage.Imported{Position: 900, Stream: "b", ID: testID(2), Type: "E", Created: at},
		storage.Imported{Position: 901, Stream: "a", Revision: 1, ID: testID(3), Type: "E", Created: at}))
	if n != 3 || err != nil {
		t.Fatal(n, err)
	}
	c := connect(t, start(t, Options{Dir: dir}).Address())
	es, err := drainRead(c.ReadAll(t.Context(), esdb.ReadAllOptions{From: esdb.Position{Commit: 900, Prepare: 900}}, 10))
	if err != nil || len(es) != 2 || es[1].Event.Position.Commit != 901 || !es[1].Event.CreatedDate.Equal(at) {
		t.Fatalf("got %v, %v", es, err)
	}
	if r := write(t, c, "a", esdb.Revision(1), event("E", 4)); r.CommitPosition <= 901 {
		t.Errorf("the next event is at %d", r.CommitPosition)
	}
}

func TestAnImportOutOfOrderIsRefused(t *testing.T) {
	first := storage.Imported{Position: 10, Stream: "a", ID: testID(1), Type: "E"}
	for name, second := range map[string]storage.Imported{
		"position":     {Position: 10, Stream: "a", Revision: 1, ID: testID(2), Type: "E"},
		"revision gap": {Position: 11, Stream: "a", Revision: 2, ID: testID(2), Type: "E"},
		"new stream":   {Position: 11, Stream: "b", Revision: 1, ID: testID(2), Type: "E"},
	} {
		if _, err := storage.Import(t.Context(), t.TempDir(), imported(first, second)); err == nil {
			t.Errorf("%s was taken", name)
		}
	}
	dir := t.TempDir()
	if _, err := storage.Import(t.Context(), dir, imported(first)); err != nil {
		t.Fatal(err)
	}
	if _, err := storage.Import(t.Context(), dir, imported(first)); err == nil {
		t.Error("a second import was taken")
	}
}
