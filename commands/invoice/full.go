package invoice

import (
	"folio/commands"
	"folio/events"
)

// Full is an invoice with its document, for whoever sends it, completes it or compares a
// note with it.
type Full struct {
	State
	Created *events.InvoiceCreated // with what its issuer lacked, once that was completed; nil before
	first   *events.InvoiceCreated // as it was created, where Created was completed
}

// First is the invoice as it was created; nil before.
func (f Full) First() *events.InvoiceCreated {
	if f.first != nil {
		return f.first
	}
	return f.Created
}

// FullCommand is anything that is decided on the document.
type FullCommand interface {
	decideFull(Full) ([]events.Event, error)
}

// FullDecider is the rest of the behaviour of an invoice. A document may be large, so no
// state of it is kept in memory.
var FullDecider = commands.Decider[Full, FullCommand]{
	Category: Decider.Category,
	Uncached: true,
	Brief:    commands.Briefly(func(f Full) State { return f.State }),
	Decide:   FullCommand.decideFull,
	Evolve:   evolveFull,
}

func evolveFull(f Full, e events.Event) Full {
	f.State = evolve(f.State, e)
	switch e := e.(type) {
	case events.InvoiceCreated:
		f.Created = &e
	case events.IssuerCompleted:
		f = f.changed(func(created events.InvoiceCreated) events.InvoiceCreated { return created.Completed(e) })
	case events.RateTaken:
		f = f.changed(func(created events.InvoiceCreated) events.InvoiceCreated { return created.Priced(e) })
	}
	return f
}

func (f Full) changed(by func(events.InvoiceCreated) events.InvoiceCreated) Full {
	if f.Created != nil {
		whole := by(*f.Created)
		f.first, f.Created = f.First(), &whole
	}
	return f
}
