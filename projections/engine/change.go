package engine

import (
	"folio/events"
	"folio/summary"
)

// Change is one document that an event changes.
type Change[D any] struct {
	ID   string // an empty one changes nothing
	Fold func(*D)
}

// To is the change of one document.
func To[D any](id string, fold func(*D)) []Change[D] { return []Change[D]{{id, fold}} }

// Each folds events of type E into all documents that changes names, in its order. It is On
// for an event that touches several documents, and looks at the event alone, too.
func Each[D any, E events.Event](changes func(r events.Recorded, e E) []Change[D]) Rule[D] {
	return EachNamed(events.Name[E](), func(r events.Recorded) []Change[D] { return changes(r, r.Event.(E)) })
}

// EachNamed is Each for an event that is known by its stored name only.
func EachNamed[D any](name string, changes func(events.Recorded) []Change[D]) Rule[D] {
	return on[D](name, false, func(r *events.Recorded, _ any) []effect { return untyped(changes(*r)) })
}

// OnInvoice folds events of type E of an invoice together with what the invoice is at that
// moment, E included: its company, country, class, sign, date, currency and amounts. What an
// authority's verdict is about is known so, though the verdict does not tell.
//
// The summary follows from the invoice's own events alone. It is kept in memory, and read of the invoice's stream
// where memory has forgotten it.
func OnInvoice[D any, E events.Event](changes func(i summary.Summary, r events.Recorded, e E) []Change[D]) Rule[D] {
	return OnInvoiceNamed(events.Name[E](), func(i summary.Summary, r events.Recorded) []Change[D] {
		return changes(i, r, r.Event.(E))
	})
}

// OnInvoiceNamed is OnInvoice for an event that is known by its stored name only.
func OnInvoiceNamed[D any](name string, changes func(summary.Summary, events.Recorded) []Change[D]) Rule[D] {
	return Rule[D]{func(p *Projection) {
		if c := categoryOf(name); c != summary.Category {
			panic("projections: " + p.name + " joins " + name + ", which is no event of an invoice but of category " + c)
		}
		p.join = invoices
		on[D](name, true, func(r *events.Recorded, state any) []effect {
			return untyped(changes(state.(summary.Summary), *r))
		}).add(p)
	}}
}

// Owned keeps each document for its owner, a company: the owner alone reads it, in the order
// of ids, with GET /api/projections/{name}. The owner of a document never changes.
func Owned[D any](owner func(*D) string) Rule[D] {
	return Rule[D]{func(p *Projection) { p.owner = func(d any) string { return owner(d.(*D)) } }}
}

// effect is a Change without its type.
type effect struct {
	id   string
	fold func(any)
}

func untyped[D any](all []Change[D]) []effect {
	out := make([]effect, 0, len(all))
	for _, c := range all {
		if c.ID != "" {
			out = append(out, effect{c.ID, func(d any) { c.Fold(d.(*D)) }})
		}
	}
	return out
}

// rule is a Rule without its types. A joined one sees the state that the event's stream has.
type rule struct {
	joined  bool
	changes func(r *events.Recorded, state any) []effect
}

func on[D any](name string, joined bool, changes func(*events.Recorded, any) []effect) Rule[D] {
	return Rule[D]{func(p *Projection) {
		p.listen(name)
		p.rules[name] = append(p.rules[name], rule{joined, changes})
	}}
}

// listen has the projection hear a type of event.
func (p *Projection) listen(name string) {
	if _, known := p.rules[name]; !known {
		p.types, p.rules[name] = append(p.types, name), nil
	}
}

func categoryOf(name string) string {
	for _, e := range events.Catalog() {
		if e.Name == name {
			return e.Category
		}
	}
	return ""
}
