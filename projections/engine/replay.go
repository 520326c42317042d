package engine

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"

	"folio/events"
	"folio/tables"
)

// Replay folds events in memory, without a database or a runner: for audits, for
// trying a projection out and for tests. It is not safe for concurrent use.
type Replay struct {
	p      Projection
	folder *folder
	rows   memory
	states *evolution         // of all events that were heard
	heard  map[string][]heard // what makes the state of a stream
}

// heard is an event, without what it says.
type heard struct {
	id string
	at events.Position
}

// memory is a table store with the guard of tables.Store and nothing else.
type memory map[string]map[string]tables.Document

// GetMany implements getter.
func (m memory) GetMany(_ context.Context, table string, ids []string) (map[string]tables.Document, error) {
	out := map[string]tables.Document{}
	for _, id := range ids {
		if d, ok := m[table][id]; ok {
			out[id] = d
		}
	}
	return out, nil
}

func (m memory) write(w tables.Write) {
	if m[w.Table] == nil {
		m[w.Table] = map[string]tables.Document{}
	}
	for _, d := range w.Documents {
		if old, ok := m[w.Table][d.ID]; !ok || old.At.Before(d.At) {
			m[w.Table][d.ID] = d
		}
	}
}

// NewReplay starts with no documents.
func NewReplay(p Projection) *Replay {
	r := &Replay{p: p, rows: memory{}, states: newEvolution(math.MaxInt), heard: map[string][]heard{}}
	r.Restart()
	return r
}

// Restart forgets what a running process remembers and keeps the documents.
func (r *Replay) Restart() { r.folder = newFolder(r.p, r.p.table(1), r.rows, r.states, r.past) }

// Fold takes a batch of events in log order, heard before or not. On an event that
// cannot be folded it keeps what came before and returns a *StoppedError.
func (r *Replay) Fold(ctx context.Context, batch ...events.Recorded) error {
	writes, _, err := r.folder.fold(ctx, batch)
	for _, w := range writes {
		r.rows.write(w)
	}
	for _, e := range batch {
		before := r.heard[e.Stream]
		if r.folder.joins(e.Type) && (len(before) == 0 || before[len(before)-1].at.Before(e.Position)) {
			r.heard[e.Stream] = append(before, heard{e.ID, e.Position})
		}
	}
	return err
}

// past is the state before an event, of those that were heard.
func (r *Replay) past(_ context.Context, j *join, e events.Recorded) (any, error) {
	for _, h := range slices.Backward(r.heard[e.Stream]) {
		if v, ok := r.states.behind.get(h.id); ok && h.at.Before(e.Position) {
			return v, nil
		}
	}
	return j.fresh(), nil
}

// Documents are the documents so far, by id.
func (r *Replay) Documents() []tables.Document {
	return slices.SortedFunc(maps.Values(r.rows[r.p.table(1)]), func(a, b tables.Document) int {
		return cmp.Compare(a.ID, b.ID)
	})
}
