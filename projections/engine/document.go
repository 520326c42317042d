package engine

import (
	"fmt"

	"github.com/go-json-experiment/json"

	"folio/events"
	"folio/tables"
)

// apply folds one event. It returns what it changed, nil for what stays as it was.
func (f *folder) apply(t target) (*document, *counter, error) {
	d, ok := f.docs.get(t.id)
	if !ok {
		return nil, nil, fmt.Errorf("document %q was not loaded", t.id)
	}
	at := t.event.Position
	var changed *counter
	if t.list != "" {
		c, ok := f.counters.get(t.list)
		if !ok {
			return nil, nil, fmt.Errorf("list %q was not loaded", t.list)
		}
		if c.at.Before(at) {
			if d.ordinal != 0 && d.at.Before(at) {
				return nil, nil, fmt.Errorf("document %s exists already", d.id)
			}
			c.Count, c.at, changed = c.Count+1, at, c
			if err := place(d, t.list, c.Count); err != nil {
				return nil, nil, err
			}
		} else if d.ordinal == 0 {
			return nil, nil, fmt.Errorf("list %s counted document %s, which is missing: %w", t.list, d.id, ErrInconsistent)
		}
	} else if f.p.counted != "" && d.ordinal == 0 {
		f.orphans++
		return nil, nil, nil
	}
	if !d.at.Before(at) {
		return nil, changed, nil
	}
	if err := f.change(d, t); err != nil {
		return nil, nil, err
	}
	d.at = at
	return d, changed, nil
}

// place gives a document its ordinal, once. A document that a crash left ahead of the
// counter has it already, and it must be the same.
func place(d *document, list string, ordinal int64) error {
	if d.ordinal == 0 {
		d.list, d.ordinal = list, ordinal
		return nil
	}
	if d.list != list || d.ordinal != ordinal {
		return fmt.Errorf("document %s is number %d of list %s, the log says number %d of %s: %w",
			d.id, d.ordinal, d.list, ordinal, list, ErrInconsistent)
	}
	return nil
}

func (f *folder) change(d *document, t target) (err error) {
	defer recovered(&err)
	if d.body == nil {
		d.body = f.p.fresh()
		if d.raw != nil {
			if d.body, err = f.p.decode(d.raw); err != nil {
				return fmt.Errorf("decode document %s: %w", d.id, err)
			}
		}
		d.raw = nil
	}
	for _, fold := range t.folds {
		fold(d.body)
	}
	return nil
}

// writes encodes what changed. An error comes with the event that led to it.
func (f *folder) writes(docs []*document, counters []*counter) ([]tables.Write, events.Recorded, error) {
	var out []tables.Write
	if len(docs) > 0 {
		w := tables.Write{Table: f.table, Documents: make([]tables.Document, len(docs))}
		schema := f.p.schemas(1)[0] // but for its name, that of each generation
		for i, d := range docs {
			row, err := f.row(d)
			if err == nil {
				err = schema.Check(row) // the tables would refuse the whole batch, each time
			}
			if err != nil {
				return nil, d.by, fmt.Errorf("encode document %s: %w", d.id, err)
			}
			if err := f.documents.replace(&d.sum, row); err != nil {
				return nil, d.by, fmt.Errorf("count document %s: %w", d.id, err)
			}
			w.Documents[i] = row
			f.docs.weigh(len(row.Body))
			d.dirty, d.by = false, events.Recorded{} // which would be kept as long as the document
		}
		out = append(out, w)
	}
	if len(counters) > 0 {
		w := tables.Write{Table: countersOf(f.table), Documents: make([]tables.Document, len(counters))}
		for i, c := range counters {
			body, err := encode(c)
			if err != nil {
				return nil, events.Recorded{}, fmt.Errorf("encode counter of list %s: %w", c.list, err)
			}
			w.Documents[i] = tables.Document{ID: c.list, At: c.at, Body: body}
			if err := f.lists.replace(&c.sum, w.Documents[i]); err != nil {
				return nil, events.Recorded{}, fmt.Errorf("count the counter of list %s: %w", c.list, err)
			}
			c.dirty = false
		}
		out = append(out, w)
	}
	return out, events.Recorded{}, nil
}

func (f *folder) row(d *document) (row tables.Document, err error) {
	defer recovered(&err)
	body, err := encode(d.body)
	if err != nil {
		return tables.Document{}, err
	}
	if f.p.owner != nil {
		d.list = f.p.owner(d.body)
	}
	if b, ok := d.body.(interface{ place(tables.Document) }); ok { // attributes may tell of it
		b.place(tables.Document{At: d.at, Ordinal: d.ordinal})
	}
	return tables.Document{ID: d.id, At: d.at, List: d.list, Ordinal: d.ordinal,
		Attributes: f.p.values(d.body), Body: body}, nil
}

func decodeCounter(d tables.Document, c *counter) error {
	if err := json.Unmarshal(d.Body, c); err != nil {
		return fmt.Errorf("decode counter of list %s: %w", d.ID, err)
	}
	c.at = d.At
	return nil
}

// StoppedError: an event that the projection listens to could not be folded, so that
// going on would leave a hole. Its feed stops before the event.
type StoppedError struct {
	Projection string
	Event      events.Recorded
	Err        error
}

// Error names the event and where it stands.
func (e *StoppedError) Error() string {
	return fmt.Sprintf("projection %s stopped before %s at %s (event %d of %s): %v",
		e.Projection, e.Event.Type, e.Event.Position, e.Event.Revision, e.Event.Stream, e.Err)
}

// Unwrap is the reason.
func (e *StoppedError) Unwrap() error { return e.Err }
