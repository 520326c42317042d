package submission

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"folio/events"
	"folio/processors/lanes"
	"folio/tables"
)

func place(n uint64) events.Position { return events.Position{Commit: n, Prepare: n} }

func TestADraftIsInTheOrderOfCreationAndHasEachEventOnce(t *testing.T) {
	var d draft
	item := func(key string, n uint64) tables.Item {
		return tables.Item{Key: key, Group: "C1-…", Order: place(n), At: place(n)}
	}
	for range 2 { // the second time they come again
		for _, it := range []tables.Item{item("B", 1), item("C", 3), item("A", 2)} {
			if err := d.put(it); err != nil {
				t.Fatal(err)
			}
		}
		if err := d.remove(tables.Removal{Key: "B", At: place(4)}); err != nil {
			t.Fatal(err)
		}
	}
	if it, drafted := d.find("C"); !drafted || it.Order != place(3) {
		t.Errorf("C is drafted: %v, %v", drafted, it)
	}
	want := tables.WorklistChange{Worklist: Name, Put: []tables.Item{item("B", 1), item("A", 2), item("C", 3)},
		Remove: []tables.Removal{{Key: "B", At: place(4)}}}
	if diff := cmp.Diff(want, d.change()); diff != "" {
		t.Error(diff)
	}
	d.clear()
	if c := d.change(); len(c.Put)+len(c.Remove) > 0 {
		t.Errorf("it was cleared, and holds %v", c)
	}
	if _, drafted := d.find("C"); drafted {
		t.Error("C is still drafted")
	}
}

// What the tables refuse would otherwise fail every later draft, and nobody's invoices would go on.
func TestADraftRefusesAnEventThatTheTablesWouldRefuse(t *testing.T) {
	var d draft
	long := strings.Repeat("x", 1000)
	if err := d.put(tables.Item{Key: long, Order: place(1), At: place(1)}); !errors.Is(err, tables.ErrInvalid) {
		t.Errorf("a put ended with %v", err)
	}
	if err := d.remove(tables.Removal{Key: long, At: place(1)}); !errors.Is(err, tables.ErrInvalid) {
		t.Errorf("a removal ended with %v", err)
	}
	if c := d.change(); len(c.Put)+len(c.Remove) > 0 {
		t.Errorf("it holds %v", c)
	}
}

// What the quarantine set free is handed over once: an error of the tables must not lose it.
func TestADraftOutlastsAnErrorOfTheTables(t *testing.T) {
	p := &Processor{lanes: lanes.New(lanes.Config[*turn]{})}
	it := tables.Item{Key: "A", Group: "C1-…", Order: place(1), At: place(1)}
	if err := p.draft.put(it); err != nil {
		t.Fatal(err)
	}
	away := errors.New("the tables are away")
	if err := p.write(func(tables.Batch) error { return away }); !errors.Is(err, away) {
		t.Errorf("the first write ended with %v", err)
	}
	var wrote tables.Batch
	if err := p.write(func(b tables.Batch) error { wrote = b; return nil }); err != nil {
		t.Fatal(err)
	}
	want := []tables.WorklistChange{{Worklist: Name, Put: []tables.Item{it}}}
	if diff := cmp.Diff(want, wrote.Work); diff != "" {
		t.Error(diff)
	}
	if c := p.draft.change(); len(c.Put) > 0 {
		t.Errorf("it is written, and drafted still: %v", c)
	}
}
