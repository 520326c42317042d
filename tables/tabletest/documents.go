package tabletest

import (
	"fmt"
	"testing"

	"folio/events"
	"folio/tables"
)

var documents = map[string]func(*testing.T, tables.Store){
	"a document comes back as it was written": func(t *testing.T, s tables.Store) {
		must(t, s.Define(t.Context(), invoices, companies))
		d := invoice("a", 1)
		d.At = events.Position{Commit: 1 << 62, Prepare: 3}
		d.Attributes["reference"] = "línea\n😀 'quoted' \"twice\" $set.a %_"
		put(t, s, invoices.Name, d)
		got, err := s.Get(t.Context(), invoices.Name, d.ID)
		must(t, err)
		same(t, "document", got, d)
		put(t, s, companies.Name, tables.Document{ID: "$odd.id/ñ", At: at(1), Body: []byte{}})
		got, err = s.Get(t.Context(), companies.Name, "$odd.id/ñ")
		must(t, err)
		same(t, "document without values", got, tables.Document{ID: "$odd.id/ñ", At: at(1),
			Attributes: map[string]string{"account": "", "country": ""}})
	},
	"a missing document is not found": func(t *testing.T, s tables.Store) {
		must(t, s.Define(t.Context(), companies))
		_, err := s.Get(t.Context(), companies.Name, "x")
		want(t, err, tables.ErrNotFound)
	},
	"reading many gives those that exist": func(t *testing.T, s tables.Store) {
		must(t, s.Define(t.Context(), companies))
		var docs []tables.Document
		var ids []string
		for i := range 600 {
			id := fmt.Sprint("c", i)
			ids = append(ids, id, "missing"+id)
			docs = append(docs, tables.Document{ID: id, At: at(1), Body: []byte(`{}`)})
		}
		put(t, s, companies.Name, docs...)
		got, err := s.GetMany(t.Context(), companies.Name, ids)
		must(t, err)
		same(t, "count", len(got), 600)
		same(t, "one of them", got["c599"].ID, "c599")
		got, err = s.GetMany(t.Context(), companies.Name, nil)
		must(t, err)
		same(t, "none asked for", len(got), 0)
	},
	"a later position replaces, the same or an earlier one changes nothing": func(t *testing.T, s tables.Store) {
		must(t, s.Define(t.Context(), companies))
		doc := func(p events.Position, body string) tables.Document {
			return tables.Document{ID: "x", At: p, Body: []byte(body), Attributes: map[string]string{"account": body}}
		}
		put(t, s, companies.Name, doc(events.Position{Commit: 5, Prepare: 2}, "first"))
		for _, c := range []struct {
			name string
			at   events.Position
			want string
		}{
			{"repeat", events.Position{Commit: 5, Prepare: 2}, "first"},
			{"earlier prepare", events.Position{Commit: 5, Prepare: 1}, "first"},
			{"earlier commit, later prepare", events.Position{Commit: 4, Prepare: 9}, "first"},
			{"later prepare", events.Position{Commit: 5, Prepare: 3}, "later prepare"},
			{"later commit of more digits", events.Position{Commit: 10}, "later commit of more digits"},
			{"stale", events.Position{Commit: 9, Prepare: 99}, "later commit of more digits"},
		} {
			put(t, s, companies.Name, doc(c.at, c.name))
			got, err := s.Get(t.Context(), companies.Name, "x")
			must(t, err)
			same(t, c.name, []string{string(got.Body), got.Attributes["account"]}, []string{c.want, c.want})
		}
	},
	"a batch heard twice leaves the same documents": func(t *testing.T, s tables.Store) {
		must(t, s.Define(t.Context(), invoices))
		b := tables.Batch{Writes: []tables.Write{{Table: invoices.Name,
			Documents: []tables.Document{invoice("a", 1), invoice("a", 2), invoice("a", 3)}}},
			Checkpoint: &tables.Checkpoint{Name: "f", Store: "log", At: at(3)}}
		q := tables.Query{Table: invoices.Name, List: "a", Limit: 10}
		must(t, s.Apply(t.Context(), b))
		once, err := s.Page(t.Context(), q)
		must(t, err)
		must(t, s.Apply(t.Context(), b))
		twice, err := s.Page(t.Context(), q)
		must(t, err)
		same(t, "page", twice, once)
		same(t, "total", twice.Total, int64(3))
	},
	"stale documents in a batch do not keep the others out": func(t *testing.T, s tables.Store) {
		must(t, s.Define(t.Context(), invoices))
		newer := invoice("a", 2)
		newer.At, newer.Body = at(50), []byte(`"newer"`)
		put(t, s, invoices.Name, newer)
		var all []tables.Document
		for i := range 20 {
			all = append(all, invoice("a", i+1))
		}
		put(t, s, invoices.Name, all...)
		p, err := s.Page(t.Context(), tables.Query{Table: invoices.Name, List: "a", Limit: 100})
		must(t, err)
		same(t, "documents", len(p.Documents), 20)
		same(t, "the newer one", p.Documents[1], newer)
	},
	"the same document twice in a batch ends as its latest": func(t *testing.T, s tables.Store) {
		must(t, s.Define(t.Context(), companies))
		put(t, s, companies.Name, tables.Document{ID: "x", At: at(1), Body: []byte("1")},
			tables.Document{ID: "x", At: at(3), Body: []byte("3")}, tables.Document{ID: "x", At: at(2), Body: []byte("2")})
		got, err := s.Get(t.Context(), companies.Name, "x")
		must(t, err)
		same(t, "body", string(got.Body), "3")
	},
	"deletes come after the documents of their write": func(t *testing.T, s tables.Store) {
		must(t, s.Define(t.Context(), companies))
		must(t, s.Apply(t.Context(), tables.Batch{Writes: []tables.Write{{Table: companies.Name,
			Documents: []tables.Document{{ID: "x", At: at(1)}, {ID: "y", At: at(1)}}, Deletes: []string{"x", "never there"}}}}))
		got, err := s.GetMany(t.Context(), companies.Name, []string{"x", "y"})
		must(t, err)
		same(t, "left", len(got), 1)
		same(t, "y", got["y"].ID, "y")
	},
	"tables of one batch are written together": func(t *testing.T, s tables.Store) {
		must(t, s.Define(t.Context(), companies, invoices))
		must(t, s.Apply(t.Context(), tables.Batch{Writes: []tables.Write{
			{Table: invoices.Name, Documents: []tables.Document{invoice("a", 1)}},
			{Table: companies.Name, Documents: []tables.Document{{ID: "a", At: at(1)}}}}}))
		_, err := s.Get(t.Context(), invoices.Name, "a-00001")
		must(t, err)
		_, err = s.Get(t.Context(), companies.Name, "a")
		must(t, err)
	},
	"an empty batch is fine": func(t *testing.T, s tables.Store) { must(t, s.Apply(t.Context(), tables.Batch{})) },
}

var checkpoints = map[string]func(*testing.T, tables.Store){
	"a feed that never wrote has none": func(t *testing.T, s tables.Store) {
		_, err := s.Checkpoint(t.Context(), "f")
		want(t, err, tables.ErrNotFound)
		must(t, s.ResetCheckpoint(t.Context(), "f"))
	},
	"it moves from the one that was saved last only, until it is reset": func(t *testing.T, s tables.Store) {
		move := func(after, p events.Position) error {
			return s.Apply(t.Context(), tables.Batch{Checkpoint: &tables.Checkpoint{Name: "f", Store: "log", At: p,
				After: after}})
		}
		is := func(p events.Position) {
			t.Helper()
			c, err := s.Checkpoint(t.Context(), "f")
			must(t, err)
			same(t, "checkpoint", c, tables.Checkpoint{Name: "f", Store: "log", At: p})
		}
		none := events.Position{}
		want(t, move(at(3), at(9)), tables.ErrCheckpointMoved) // what was saved is not there
		must(t, move(none, at(9)))
		must(t, move(none, at(9))) // the answer to the first try was lost
		want(t, move(none, at(10)), tables.ErrCheckpointMoved)
		want(t, move(at(8), at(10)), tables.ErrCheckpointMoved)
		want(t, move(at(11), at(12)), tables.ErrCheckpointMoved) // the store stepped back
		want(t, move(at(9), at(8)), tables.ErrInvalid)
		is(at(9))
		must(t, move(at(9), events.Position{Commit: 9, Prepare: 10}))
		must(t, move(events.Position{Commit: 9, Prepare: 10}, at(10)))
		must(t, move(at(10), at(10)))
		is(at(10))
		must(t, s.ResetCheckpoint(t.Context(), "f"))
		want(t, move(at(10), at(11)), tables.ErrCheckpointMoved)
		must(t, move(none, at(2)))
		is(at(2))
	},
	"a batch that follows on another checkpoint writes nothing": func(t *testing.T, s tables.Store) {
		must(t, s.Define(t.Context(), companies))
		must(t, s.Apply(t.Context(), tables.Batch{Checkpoint: &tables.Checkpoint{Name: "f", Store: "log", At: at(9)}}))
		want(t, s.Apply(t.Context(), tables.Batch{
			Writes:     []tables.Write{{Table: companies.Name, Documents: []tables.Document{{ID: "x", At: at(10)}}}},
			Work:       []tables.WorklistChange{{Worklist: "w", Put: []tables.Item{{Key: "k", At: at(10)}}}},
			Checkpoint: &tables.Checkpoint{Name: "f", Store: "log", At: at(12), After: at(11)}}), tables.ErrCheckpointMoved)
		_, err := s.Get(t.Context(), companies.Name, "x")
		want(t, err, tables.ErrNotFound)
		_, err = s.Worklist("w").Get(t.Context(), "k")
		want(t, err, tables.ErrNotFound)
	},
	"another log's checkpoint is refused, with its documents and work": func(t *testing.T, s tables.Store) {
		must(t, s.Define(t.Context(), companies))
		must(t, s.Apply(t.Context(), tables.Batch{Checkpoint: &tables.Checkpoint{Name: "f", Store: "log", At: at(9)}}))
		want(t, s.Apply(t.Context(), tables.Batch{
			Writes:     []tables.Write{{Table: companies.Name, Documents: []tables.Document{{ID: "x", At: at(10)}}}},
			Work:       []tables.WorklistChange{{Worklist: "w", Put: []tables.Item{{Key: "k", At: at(10)}}}},
			Checkpoint: &tables.Checkpoint{Name: "f", Store: "restored", At: at(10)}}), tables.ErrOtherLog)
		_, err := s.Get(t.Context(), companies.Name, "x")
		want(t, err, tables.ErrNotFound)
		_, err = s.Worklist("w").Get(t.Context(), "k")
		want(t, err, tables.ErrNotFound)
		c, err := s.Checkpoint(t.Context(), "f")
		must(t, err)
		same(t, "checkpoint", c, tables.Checkpoint{Name: "f", Store: "log", At: at(9)})
	},
	"feeds do not see each other's": func(t *testing.T, s tables.Store) {
		for i, name := range []string{"f", "g"} {
			must(t, s.Apply(t.Context(), tables.Batch{
				Checkpoint: &tables.Checkpoint{Name: name, Store: "log", At: at(uint64(i) + 1)}}))
		}
		must(t, s.ResetCheckpoint(t.Context(), "f"))
		all, err := s.Checkpoints(t.Context())
		must(t, err)
		same(t, "checkpoints", all, []tables.Checkpoint{{Name: "g", Store: "log", At: at(2)}})
		c, err := s.Checkpoint(t.Context(), "g")
		must(t, err)
		same(t, "position", c.At, at(2))
	},
	"one without a name or a log is refused": func(t *testing.T, s tables.Store) {
		for _, c := range []tables.Checkpoint{{Store: "log"}, {Name: "f"}} {
			want(t, s.Apply(t.Context(), tables.Batch{Checkpoint: &c}), tables.ErrInvalid)
		}
	},
}
