package tabletest

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"folio/events"
	"folio/tables"
)

var noon = time.Date(2026, time.March, 3, 12, 0, 0, 0, time.UTC)

func keys(items []tables.Item) (out []string) {
	for _, it := range items {
		out = append(out, it.Key)
	}
	return out
}

func due(t *testing.T, w tables.Worklist, now time.Time) []string {
	t.Helper()
	items, err := w.Due(t.Context(), now, 100)
	must(t, err)
	return keys(items)
}

var worklists = map[string]func(*testing.T, tables.Store){
	"an item comes back as it was put": func(t *testing.T, s tables.Store) {
		w := s.Worklist("submission")
		it := tables.Item{Key: "inv/1", Group: "numbering-ñ", Order: events.Position{Commit: 7, Prepare: 3},
			Due: noon.Add(1234567 * time.Microsecond), At: at(9), Body: []byte(`{"a":1}`)}
		must(t, w.Put(t.Context(), it))
		got, err := w.Get(t.Context(), it.Key)
		must(t, err)
		same(t, "item", got, it)
		_, err = w.Get(t.Context(), "inv/2")
		want(t, err, tables.ErrNotFound)
	},
	"due items come by time, then order, then key": func(t *testing.T, s tables.Store) {
		w := s.Worklist("w")
		must(t, w.Put(t.Context(),
			tables.Item{Key: "late", Order: at(1), Due: noon.Add(time.Second), At: at(1)},
			tables.Item{Key: "b", Order: at(10), Due: noon, At: at(1)},
			tables.Item{Key: "a", Order: at(10), Due: noon, At: at(1)},
			tables.Item{Key: "c", Order: at(9), Due: noon, At: at(1)},
			tables.Item{Key: "now", At: at(1)},
			tables.Item{Key: "never", Due: tables.Never, At: at(1)}))
		same(t, "before noon", due(t, w, noon.Add(-time.Microsecond)), []string{"now"})
		same(t, "at noon", due(t, w, noon), []string{"now", "c", "a", "b"})
		same(t, "at the end of time", due(t, w, tables.Never), []string{"now", "c", "a", "b", "late"})
		items, err := w.Due(t.Context(), noon, 2)
		must(t, err)
		same(t, "limited", keys(items), []string{"now", "c"})
		n, err := w.Count(t.Context())
		must(t, err)
		same(t, "count", n, int64(6))
		items, err = w.All(t.Context(), 10)
		must(t, err)
		same(t, "all", keys(items), []string{"a", "b", "c", "late", "never", "now"})
	},
	"groups with due items come by the longest wait": func(t *testing.T, s tables.Store) {
		w := s.Worklist("w")
		for i, g := range []string{"x", "y", "x", "z", "y"} {
			must(t, w.Put(t.Context(), tables.Item{Key: fmt.Sprint(i), Group: g, Order: at(uint64(20 - i)),
				Due: noon.Add(-time.Duration(i) * time.Minute), At: at(1)}))
		}
		must(t, w.Put(t.Context(), tables.Item{Key: "q", Group: "waiting", Due: noon.Add(time.Hour), At: at(1)}))
		groups, err := w.Groups(t.Context(), noon, 10)
		must(t, err)
		same(t, "groups", groups, []string{"y", "z", "x"})
		groups, err = w.Groups(t.Context(), noon, 1)
		must(t, err)
		same(t, "one group", groups, []string{"y"})
		items, err := w.InGroup(t.Context(), "x", 10)
		must(t, err)
		same(t, "by order", keys(items), []string{"2", "0"})
		items, err = w.InGroup(t.Context(), "waiting", 10)
		must(t, err)
		same(t, "not due yet", keys(items), []string{"q"})
		must(t, w.Remove(t.Context(), "3", at(2)))
		items, err = w.All(t.Context(), 4)
		must(t, err)
		same(t, "some of all", keys(items), []string{"0", "1", "2", "4"})
	},
	"an older or repeated put changes nothing": func(t *testing.T, s tables.Store) {
		w := s.Worklist("w")
		must(t, w.Put(t.Context(), tables.Item{Key: "k", At: at(5), Body: []byte("5")}))
		for _, n := range []uint64{4, 5} {
			must(t, w.Put(t.Context(), tables.Item{Key: "k", At: at(n), Due: noon, Body: []byte("old")}))
		}
		got, err := w.Get(t.Context(), "k")
		must(t, err)
		same(t, "body", string(got.Body), "5")
		must(t, w.Put(t.Context(), tables.Item{Key: "k", At: at(6), Body: []byte("6")}))
		got, err = w.Get(t.Context(), "k")
		must(t, err)
		same(t, "body", string(got.Body), "6")
	},
	"a removed item is not brought back by what came before": func(t *testing.T, s tables.Store) {
		w := s.Worklist("w")
		put := tables.Item{Key: "k", At: at(5)}
		must(t, w.Put(t.Context(), put))
		must(t, w.Remove(t.Context(), "k", at(4))) // stale: the item is newer
		same(t, "after a stale removal", due(t, w, noon), []string{"k"})
		must(t, w.Remove(t.Context(), "k", at(7)))
		must(t, w.Put(t.Context(), put))
		same(t, "after the replay", due(t, w, noon), nil)
		must(t, w.Put(t.Context(), tables.Item{Key: "k", At: at(8)}))
		same(t, "after a newer put", due(t, w, noon), []string{"k"})
		must(t, w.Remove(t.Context(), "unheard of", at(9)))
		must(t, w.Put(t.Context(), tables.Item{Key: "unheard of", At: at(8)}))
		same(t, "removed before it was put", due(t, w, noon), []string{"k"})
	},
	"traces are pruned before a position": func(t *testing.T, s tables.Store) {
		w := s.Worklist("w")
		must(t, w.Put(t.Context(), tables.Item{Key: "stays", At: at(1)}))
		for i := range uint64(4) {
			must(t, w.Remove(t.Context(), fmt.Sprint(i), at(8+i)))
		}
		n, err := w.PruneBefore(t.Context(), at(10))
		must(t, err)
		same(t, "pruned", n, int64(2))
		must(t, w.Put(t.Context(), tables.Item{Key: "0", At: at(2)}, tables.Item{Key: "2", At: at(2)}))
		same(t, "guarded and not", due(t, w, noon), []string{"0", "stays"})
	},
	"postponing moves the time and not the guard": func(t *testing.T, s tables.Store) {
		w := s.Worklist("w")
		must(t, w.Put(t.Context(), tables.Item{Key: "k", At: at(5), Due: noon}))
		must(t, w.Postpone(t.Context(), "k", noon.Add(time.Hour)))
		same(t, "at noon", due(t, w, noon), nil)
		next, ok, err := w.NextDue(t.Context())
		must(t, err)
		same(t, "next", []any{next, ok}, []any{noon.Add(time.Hour), true})
		must(t, w.Put(t.Context(), tables.Item{Key: "k", At: at(5), Due: noon}))
		same(t, "repeat at noon", due(t, w, noon), nil)
		must(t, w.Remove(t.Context(), "k", at(6)))
		must(t, w.Postpone(t.Context(), "k", noon))
		same(t, "removed", due(t, w, noon), nil)
	},
	"a batch postpones what it put, and not what it removed": func(t *testing.T, s tables.Store) {
		w := s.Worklist("w")
		must(t, w.Put(t.Context(), tables.Item{Key: "old", At: at(1), Due: noon},
			tables.Item{Key: "gone", At: at(1), Due: noon}))
		must(t, s.Apply(t.Context(), tables.Batch{Work: []tables.WorklistChange{{Worklist: "w",
			Put:    []tables.Item{{Key: "new", At: at(2), Due: noon}, {Key: "stays", At: at(2), Due: noon}},
			Remove: []tables.Removal{{Key: "gone", At: at(2)}},
			Postpone: []tables.Postponement{{Key: "old", Due: noon.Add(time.Hour)}, {Key: "new", Due: noon.Add(time.Hour)},
				{Key: "gone", Due: noon}, {Key: "nobody", Due: noon}}}}}))
		same(t, "at noon", due(t, w, noon), []string{"stays"})
		same(t, "an hour later", due(t, w, noon.Add(time.Hour)), []string{"stays", "new", "old"})
	},
	"nothing is next when nothing waits for the clock": func(t *testing.T, s tables.Store) {
		w := s.Worklist("w")
		for _, items := range [][]tables.Item{nil, {{Key: "k", Due: tables.Never, At: at(1)}}} {
			must(t, w.Put(t.Context(), items...))
			_, ok, err := w.NextDue(t.Context())
			must(t, err)
			same(t, "next", ok, false)
		}
	},
	"worklists do not see each other and clear alone": func(t *testing.T, s tables.Store) {
		for _, name := range []string{"a", "ab", "b"} {
			must(t, s.Worklist(name).Put(t.Context(), tables.Item{Key: "b/k", At: at(1)}))
		}
		must(t, s.Worklist("a").Remove(t.Context(), "gone", at(1)))
		must(t, s.Worklist("a").Clear(t.Context()))
		same(t, "a", due(t, s.Worklist("a"), noon), nil)
		same(t, "ab", due(t, s.Worklist("ab"), noon), []string{"b/k"})
		must(t, s.Worklist("a").Put(t.Context(), tables.Item{Key: "gone", At: at(0)}))
		same(t, "a after a rebuild", due(t, s.Worklist("a"), noon), []string{"gone"})
	},
	"work and checkpoint go in one batch, removals after puts": func(t *testing.T, s tables.Store) {
		must(t, s.Apply(t.Context(), tables.Batch{
			Work: []tables.WorklistChange{{Worklist: "w",
				Put:    []tables.Item{{Key: "a", At: at(1)}, {Key: "b", At: at(2)}},
				Remove: []tables.Removal{{Key: "a", At: at(3)}}}},
			Checkpoint: &tables.Checkpoint{Name: "f", Store: "log", At: at(3)}}))
		same(t, "left", due(t, s.Worklist("w"), noon), []string{"b"})
		c, err := s.Checkpoint(t.Context(), "f")
		must(t, err)
		same(t, "checkpoint", c.At, at(3))
	},
	"wrong names and keys are refused": func(t *testing.T, s tables.Store) {
		w := s.Worklist("Not a name")
		want(t, w.Put(t.Context(), tables.Item{Key: "k"}), tables.ErrInvalid)
		_, err := w.Due(t.Context(), noon, 1)
		want(t, err, tables.ErrInvalid)
		want(t, w.Clear(t.Context()), tables.ErrInvalid)
		want(t, s.Worklist("w").Put(t.Context(), tables.Item{}), tables.ErrInvalid)
		want(t, s.Worklist("w").Put(t.Context(), tables.Item{Key: "k", Body: []byte("\xff")}), tables.ErrInvalid)
	},
}

const hour = time.Hour

var leases = map[string]func(*testing.T, tables.Store){
	"one owner holds it until it lets go": func(t *testing.T, s tables.Store) {
		g, ok, err := s.Acquire(t.Context(), "feed", "a", hour)
		must(t, err)
		same(t, "first", []any{ok, g.Name, g.Owner}, []any{true, "feed", "a"})
		other, ok, err := s.Acquire(t.Context(), "feed", "b", hour)
		must(t, err)
		same(t, "second", []any{ok, other.Owner, other.Token}, []any{false, "a", g.Token})
		again, ok, err := s.Acquire(t.Context(), "feed", "a", hour)
		must(t, err)
		same(t, "own", []any{ok, again.Token}, []any{true, g.Token})
		must(t, s.Release(t.Context(), g))
		other, ok, err = s.Acquire(t.Context(), "feed", "b", hour)
		must(t, err)
		if !ok || other.Token <= g.Token {
			t.Fatalf("after release: %v, token %d after %d", ok, other.Token, g.Token)
		}
		_, ok, err = s.Renew(t.Context(), g, hour)
		must(t, err)
		same(t, "renewing a lost one", ok, false)
		must(t, s.Release(t.Context(), g)) // a stale release frees nothing
		_, ok, err = s.Acquire(t.Context(), "feed", "c", hour)
		must(t, err)
		same(t, "third", ok, false)
	},
	"an expired one goes to the next with a higher token": func(t *testing.T, s tables.Store) {
		g, ok, err := s.Acquire(t.Context(), "feed", "a", time.Millisecond)
		must(t, err)
		same(t, "first", ok, true)
		next := eventually(t, s, "feed", "b")
		if next.Token <= g.Token {
			t.Fatalf("token %d after %d", next.Token, g.Token)
		}
		_, ok, err = s.Renew(t.Context(), g, hour)
		must(t, err)
		same(t, "renewing an expired one", ok, false)
	},
	"renewing keeps the token and moves the end": func(t *testing.T, s tables.Store) {
		g, _, err := s.Acquire(t.Context(), "feed", "a", hour)
		must(t, err)
		r, ok, err := s.Renew(t.Context(), g, 2*hour)
		must(t, err)
		same(t, "renewed", []any{ok, r.Token}, []any{true, g.Token})
		if d := r.Until.Sub(g.Until); d < hour || d > hour+time.Minute {
			t.Fatalf("moved by %s", d)
		}
	},
	"a batch under a lost lease is refused whole": func(t *testing.T, s tables.Store) {
		must(t, s.Define(t.Context(), companies))
		g, _, err := s.Acquire(t.Context(), "feed", "a", hour)
		must(t, err)
		b := tables.Batch{Lease: &g, Writes: []tables.Write{{Table: companies.Name,
			Documents: []tables.Document{{ID: "x", At: at(1)}}}}}
		must(t, s.Apply(t.Context(), b))
		must(t, s.Release(t.Context(), g))
		_, _, err = s.Acquire(t.Context(), "feed", "b", hour)
		must(t, err)
		b.Writes[0].Documents[0].At = at(2)
		want(t, s.Apply(t.Context(), b), tables.ErrLeaseLost)
		d, err := s.Get(t.Context(), companies.Name, "x")
		must(t, err)
		same(t, "position", d.At, at(1))
	},
	"one of many at once gets it": func(t *testing.T, s tables.Store) {
		var wg sync.WaitGroup
		var mu sync.Mutex
		var won []string
		for i := range 16 {
			wg.Go(func() {
				owner := fmt.Sprint("owner", i)
				_, ok, err := s.Acquire(t.Context(), "feed", owner, hour)
				mu.Lock()
				defer mu.Unlock()
				if err != nil {
					t.Error(err)
				} else if ok {
					won = append(won, owner)
				}
			})
		}
		wg.Wait()
		same(t, "winners", len(won), 1)
	},
	"what is no lease is refused": func(t *testing.T, s tables.Store) {
		_, _, err := s.Acquire(t.Context(), "", "a", hour)
		want(t, err, tables.ErrInvalid)
		_, _, err = s.Acquire(t.Context(), "feed", "", hour)
		want(t, err, tables.ErrInvalid)
		_, _, err = s.Acquire(t.Context(), "feed", "a", 0)
		want(t, err, tables.ErrInvalid)
	},
}

// eventually asks for a lease that is about to expire, for a second at most.
func eventually(t *testing.T, s tables.Store, name, owner string) tables.Grant {
	t.Helper()
	for deadline := time.Now().Add(time.Second); ; {
		g, ok, err := s.Acquire(t.Context(), name, owner, hour)
		must(t, err)
		if ok {
			return g
		}
		if time.Now().After(deadline) {
			t.Fatal("the lease did not expire")
		}
	}
}
