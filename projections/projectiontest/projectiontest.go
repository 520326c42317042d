// Package projectiontest runs a projection the way it will run: from stored bytes,
// delivered twice, in batches of any size and with restarts in between. Whatever the
// way, the documents must be the same.
package projectiontest

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"folio/events"
	"folio/projections/engine"
	"folio/tables"

	"github.com/google/go-cmp/cmp"
)

// Given is one event of a history.
type Given struct {
	Stream string
	Event  events.Event
	// At is when it was recorded; zero is Start plus one minute per event before it.
	At time.Time
}

// Start is when histories begin.
var Start = time.Date(2026, time.March, 2, 15, 0, 0, 0, time.UTC)

// Log is the history as a log returns it: encoded, with positions from 100 in steps of
// 10 and the revisions of each stream. An event outside the catalogue panics.
func Log(given ...Given) []events.Recorded {
	revisions := map[string]uint64{}
	out := make([]events.Recorded, len(given))
	for i, g := range given {
		name, schema, data, err := events.Encode(g.Event)
		if err != nil {
			panic(err)
		}
		if g.At.IsZero() {
			g.At = Start.Add(time.Duration(i) * time.Minute)
		}
		at := uint64(100 + 10*i)
		out[i] = events.Recorded{
			ID:       fmt.Sprintf("00000000-0000-5000-8000-%012d", i),
			Stream:   g.Stream,
			Revision: revisions[g.Stream],
			Position: events.Position{Commit: at, Prepare: at},
			Type:     name,
			Meta:     events.Meta{Schema: schema, At: g.At, Actor: "test"},
			Raw:      data,
		}
		revisions[g.Stream]++
	}
	return out
}

// Want is a document that must come of it.
type Want struct {
	ID string
	// JSON is the body; the order of members and white space do not matter.
	JSON string
	// List and Ordinal are checked for projections that are listed.
	List    string
	Ordinal int64
	// Attributes, when given, are checked as a whole.
	Attributes map[string]string
}

// rounds is how many random deliveries Check tries.
const rounds = 20

// Check folds the history in many ways and compares the outcome with want, which names
// every document, in the order of ids.
func Check(t *testing.T, p engine.Projection, given []Given, want ...Want) {
	t.Helper()
	log := Log(given...)
	r := engine.NewReplay(p)
	fold(t, r, log)
	docs := r.Documents()
	compare(t, docs, want)
	once := Dump(docs)
	fold(t, r, log)
	same(t, "delivered a second time", once, r)
	r.Restart()
	fold(t, r, log)
	same(t, "delivered again after a restart", once, r)
	rng := rand.New(rand.NewPCG(1, 2))
	for range rounds {
		r := engine.NewReplay(p)
		var cuts []int
		for done := 0; done < len(log); {
			// Going on from somewhere before is what a feed does that lost its checkpoint.
			from := rng.IntN(done + 1)
			to := from + 1 + rng.IntN(len(log)-from)
			if rng.IntN(3) == 0 {
				r.Restart()
			}
			fold(t, r, log[from:to])
			cuts = append(cuts, from, to)
			done = max(done, to)
		}
		same(t, fmt.Sprintf("delivered as %v", cuts), once, r)
	}
}

func fold(t *testing.T, r *engine.Replay, batch []events.Recorded) {
	t.Helper()
	if err := r.Fold(context.Background(), batch...); err != nil {
		t.Fatal(err)
	}
}

func same(t *testing.T, how, once string, r *engine.Replay) {
	t.Helper()
	if d := cmp.Diff(once, Dump(r.Documents())); d != "" {
		t.Fatalf("%s, the documents differ (-once +again):\n%s", how, d)
	}
}

// Dump is one line per document with all that is stored of it.
func Dump(docs []tables.Document) string {
	var b strings.Builder
	for _, d := range docs {
		attributes, err := json.Marshal(d.Attributes)
		if err != nil {
			panic(err)
		}
		fmt.Fprintf(&b, "%s %s %s/%d %s %s\n", d.ID, d.At, d.List, d.Ordinal, attributes, d.Body)
	}
	return b.String()
}

func compare(t *testing.T, docs []tables.Document, want []Want) {
	t.Helper()
	if len(docs) != len(want) {
		t.Fatalf("%d documents, want %d:\n%s", len(docs), len(want), Dump(docs))
	}
	for i, w := range want {
		d := docs[i]
		if d.ID != w.ID || d.List != w.List || d.Ordinal != w.Ordinal {
			t.Errorf("document %d is %s, number %d of list %q; want %s, number %d of %q",
				i, d.ID, d.Ordinal, d.List, w.ID, w.Ordinal, w.List)
		}
		if diff := cmp.Diff(parse(t, w.JSON), parse(t, string(d.Body))); diff != "" {
			t.Errorf("document %s (-want +got):\n%s", d.ID, diff)
		}
		if diff := cmp.Diff(w.Attributes, d.Attributes); w.Attributes != nil && diff != "" {
			t.Errorf("attributes of %s (-want +got):\n%s", d.ID, diff)
		}
	}
}

func parse(t *testing.T, text string) any {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return v
}
