// Package engine folds the log into documents. A Projection is data plus pure folds; the
// Runner owns input and output, order, restarts and rebuilds; a Reader gives the documents
// out. It knows none of the read models, which are the room above.
package engine

import (
	"fmt"

	"github.com/go-json-experiment/json"

	"folio/events"
	"folio/tables"
)

// Projection says which documents follow from the log. Make one with Define.
type Projection struct {
	name       string
	version    int
	types      []string
	rules      map[string][]rule
	join       *join                        // what joined rules see; nil: there are none
	counted    string                       // the event type that puts a document into a list
	list       func(events.Recorded) string // the list of a counted event
	category   string                       // of the streams that hold a document each, whole; empty: none do
	attributes []tables.Attribute
	gathered   bool // what nobody waits for is written together; see Gathered
	once       bool // each document follows from one event; see Once

	owner  func(any) string // of an owned document; nil: they are not owned
	fresh  func() any
	decode func([]byte) (any, error)
	values func(any) map[string]string
}

// Rule is one line of a projection's definition: On, Each, OnInvoice, Owned, Listed or
// Attributes.
type Rule[D any] struct{ add func(*Projection) }

// On folds events of type E into the document that key names; an empty key leaves the
// event alone. A type of event may have several rules, which see it one after the other.
// Fold changes its document by the event alone: it looks at no other document and asks no
// clock (r.Meta.At is the time). It may keep parts of the event, which nobody changes
// afterwards. OnInvoice knows the invoice besides.
func On[D any, E events.Event](key func(events.Recorded, E) string, fold func(*D, events.Recorded, E)) Rule[D] {
	return on[D](events.Name[E](), false, func(r *events.Recorded, _ any) []effect {
		e := r.Event.(E)
		id := key(*r, e)
		if id == "" {
			return nil
		}
		// The event is taken out of its box again, so that what waits for its document is no copy of it.
		return []effect{{id, func(d any) { fold(d.(*D), *r, r.Event.(E)) }}}
	})
}

// ByStream keeps one document per aggregate: its id is the stream's name after the
// category, "01J..." for invoice-01J... .
func ByStream[E events.Event](r events.Recorded, _ E) string {
	return events.Aggregate(r.Stream)
}

// Listed puts every document into the list that the event E names (a company, say),
// with the ordinal 1, 2, 3, ... in log order. E must be the first event of each
// document; documents that other events touch before it do not come into being. The
// ordinal follows from the log alone, so that replays and a second writer agree.
func Listed[D any, E events.Event](list func(events.Recorded, E) string) Rule[D] {
	return Rule[D]{func(p *Projection) {
		if p.counted != "" {
			panic("projections: " + p.name + " is listed twice")
		}
		p.counted = events.Name[E]()
		p.list = func(r events.Recorded) string { return list(r, r.Event.(E)) }
	}}
}

// OfStream says that each document follows from one stream of the category alone, which its
// id completes: the document of "01J..." from invoice-01J... . Then a reader can make it
// without the tables. The rules' keys must be ByStream.
func OfStream[D any](category string) Rule[D] {
	return Rule[D]{func(p *Projection) { p.category = category }}
}

// Once says that each document follows from one event alone, which its id names. Then nobody has to look whether there
// is one already, and nothing else changes it. The projection has no list.
func Once[D any]() Rule[D] {
	return Rule[D]{func(p *Projection) { p.once = true }}
}

// Attributes are what readers may filter and sort by, and add up. Values names them from the
// document after each fold; it must not return a name outside schema.
func Attributes[D any](values func(*D) map[string]string, schema ...tables.Attribute) Rule[D] {
	return Rule[D]{func(p *Projection) {
		p.attributes = schema
		p.values = func(d any) map[string]string { return values(d.(*D)) }
	}}
}

// Define assembles a projection of documents D, kept as JSON. Raise the version when
// a fold, the shape of D or the attributes change: the runner builds the new version
// beside the old one and switches when it has caught up. The name is never changed.
// A definition that cannot work panics, at start.
func Define[D any](name string, version int, rules ...Rule[D]) Projection {
	p := Projection{
		name:    name,
		version: version,
		rules:   map[string][]rule{},
		fresh:   func() any { return new(D) },
		decode: func(b []byte) (any, error) {
			d := new(D)
			return d, json.Unmarshal(b, d)
		},
		values: func(any) map[string]string { return nil },
	}
	for _, r := range rules {
		r.add(&p)
	}
	if p.join != nil {
		for _, name := range p.join.types {
			p.listen(name)
		}
	}
	if version < 1 || len(p.types) == 0 {
		panic("projections: " + name + " needs a version from 1 and at least one rule")
	}
	if p.counted != "" && len(p.rules[p.counted]) == 0 {
		panic("projections: " + name + " is listed by " + p.counted + " but has no rule for it")
	}
	if p.counted != "" && p.once {
		panic("projections: " + name + " has a list, and a document of one event cannot be counted without a look")
	}
	for _, s := range p.schemas(maxGeneration) {
		if err := s.Validate(); err != nil {
			panic("projections: " + err.Error())
		}
	}
	return p
}

// Name is the projection's name, the same for all versions.
func (p Projection) Name() string { return p.name }

// Version is the version of this program.
func (p Projection) Version() int { return p.version }

// Types are the stored names of the events it listens to.
func (p Projection) Types() []string { return p.types }

// maxGeneration bounds rebuilds only so that names of tables have a known length.
const maxGeneration = 999_999

// table names the documents of one generation: a rebuild makes the next one.
func (p Projection) table(generation int) string {
	return tableName(p.name, p.version, generation)
}

func tableName(name string, version, generation int) string {
	if generation <= 1 {
		return fmt.Sprintf("%s_v%d", name, version)
	}
	return fmt.Sprintf("%s_v%d_g%d", name, version, generation)
}

// countersOf names the table that holds how many documents each list has.
func countersOf(table string) string { return table + "_lists" }

// schemas are the tables of one generation.
func (p Projection) schemas(generation int) []tables.Schema { return p.schemasOf(p.table(generation)) }

// schemasOf are the tables of a generation whose documents are in t, which comes first.
func (p Projection) schemasOf(t string) []tables.Schema {
	out := []tables.Schema{{Name: t, Listed: p.counted != "", Owned: p.owner != nil, Attributes: p.attributes}}
	if p.counted != "" {
		out = append(out, tables.Schema{Name: countersOf(t)})
	}
	return out
}

func encode(v any) ([]byte, error) { return json.Marshal(v, json.Deterministic(true)) }
