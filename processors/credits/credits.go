// Package credits makes sure that every note comes to an end in the documents that it
// corrects. Who issues or submits a note tells them at once; this processor does what a
// crash in between left out: a note that was reserved and never created gives back, one
// that was accepted counts, one that was rejected gives back. It also counts the notes
// of before there were reservations.
package credits

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"folio/commands/aggregates"
	"folio/commands/invoice"
	"folio/events"
	"folio/processors/reactor"
	"folio/tables"
)

// Name is the processor's checkpoint, worklist and lease.
const Name = "credits"

const (
	// creating is how long a reservation may wait for its note before it is looked at.
	// Whoever is slower than that is refused, and sends the request again.
	creating = time.Minute
	// again is when a note without an answer is looked at once more. Nothing waits for it:
	// whoever has the answer tells it.
	again = time.Hour
)

// Processor is the processor of notes.
type Processor struct {
	*reactor.Reactor
	log    aggregates.Log
	teller Teller
	items  *reactor.Items
}

// New makes the processor.
func New(b reactor.Base) *Processor {
	p := &Processor{log: aggregates.In(b.Executor), teller: Teller{Executor: b.Executor, Rules: b.Rules, Clock: b.Clock}}
	p.Reactor = b.New(Name, reactor.On(p.created), reactor.On(p.reserved), reactor.On(p.counted), reactor.On(p.released))
	p.items = p.Items("notes that a crash interrupted are not finished", p.look)
	p.Live(p.items.Life())
	return p
}

// An item is kept for a note and a document that it corrects, until what became of it is told there.

func (p *Processor) created(ctx context.Context, r events.Recorded, e events.InvoiceCreated) error {
	if len(e.Corrects) > 0 {
		return nil // its reservations are on the list
	}
	for _, c := range p.teller.named(&e) {
		if err := p.put(ctx, r, e.Invoice, c.Invoice); err != nil {
			return err
		}
	}
	return nil
}

func (p *Processor) reserved(ctx context.Context, r events.Recorded, e events.NoteReserved) error {
	return p.put(ctx, r, e.Note, events.Aggregate(r.Stream))
}

func (p *Processor) counted(ctx context.Context, r events.Recorded, e events.NoteCounted) error {
	return p.List.Remove(ctx, key(e.Note, events.Aggregate(r.Stream)), r.Position)
}

func (p *Processor) released(ctx context.Context, r events.Recorded, e events.NoteReleased) error {
	return p.List.Remove(ctx, key(e.Note, events.Aggregate(r.Stream)), r.Position)
}

// heard is the body of an item; of earlier releases it is empty.
type heard struct {
	By time.Time `json:"by"` // when the note was created, or reserved
}

func key(note, original string) string { return note + "/" + original }

func (p *Processor) put(ctx context.Context, r events.Recorded, note, original string) error {
	body, err := json.Marshal(heard{r.Meta.At})
	if err != nil {
		return err
	}
	defer p.items.Changed()
	return p.List.Put(ctx, tables.Item{Key: key(note, original), Group: note,
		Order: r.Position, At: r.Position, Due: r.Meta.At.Add(creating), Body: body})
}

// look finishes one note in one document, or says when to look again.
func (p *Processor) look(ctx context.Context, it tables.Item) (time.Time, error) {
	note, original, _ := strings.Cut(it.Key, "/")
	var since heard
	if len(it.Body) > 0 {
		if err := json.Unmarshal(it.Body, &since); err != nil {
			return time.Time{}, err
		}
	}
	done, err := p.finish(ctx, reactor.Named{At: it.At, By: since.By}, note, original)
	if errors.Is(err, errNotShown) {
		p.Logger.Warn("what an old note corrects is looked for again", "note", note, "error", err)
		return p.Clock.Now().Add(creating), nil
	}
	if err != nil || done {
		return time.Time{}, err
	}
	return p.Clock.Now().Add(again), nil
}

// finish tells a document what became of a note, of which since says when it was created; false when nothing is known
// yet.
func (p *Processor) finish(ctx context.Context, since reactor.Named, note, original string) (bool, error) {
	s, _, err := p.log.Invoices.Load(ctx, note)
	if err != nil {
		return false, err
	}
	switch s.Status {
	case invoice.None:
		return p.giveUp(ctx, note, original)
	case invoice.Accepted, invoice.Rejected:
		if err := p.finding(since).all(ctx, s, s.Status == invoice.Accepted); err != nil {
			return false, err
		}
		// An attempt that named other documents than the one that was recorded gives back.
		return true, p.release(ctx, note, original)
	}
	return false, nil
}

// errNotShown is that of a document which the read models may not show yet.
var errNotShown = errors.New("the read models do not show the note yet")

// finding is the teller that knows documents by their coordinates, once the read models show the
// log up to a note. What the note names was accepted before the note was created: a number that the company gave to
// another document later is not what it named.
func (p *Processor) finding(since reactor.Named) Teller {
	t := p.teller
	if p.Issued != nil {
		t.issued = func(ctx context.Context, company, environment string, ref events.Reference) (string, error) {
			named := since
			named.Company, named.Environment, named.Reference = company, environment, ref
			id, err := p.Issued(ctx, named)
			if err != nil && ctx.Err() == nil {
				err = fmt.Errorf("%w: %w", errNotShown, err)
			}
			return id, err
		}
	}
	return t
}

// giveUp makes sure that the note will not be recorded on its reservation, then gives that
// back. A note that was recorded meanwhile is looked at later.
func (p *Processor) giveUp(ctx context.Context, note, original string) (bool, error) {
	o, _, err := p.log.Invoices.Load(ctx, original)
	if err != nil {
		return false, err
	}
	for _, n := range o.Notes {
		if n.Note != note || n.Counted {
			continue
		}
		err := p.teller.execute(ctx, note, invoice.AbandonCreation{Attempt: n.Attempt}, "abandon", fmt.Sprint(n.Attempt),
			note)
		if errors.Is(err, invoice.ErrExists) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
	}
	return true, p.release(ctx, note, original)
}

// release gives back what a note still reserves in a document.
func (p *Processor) release(ctx context.Context, note, original string) error {
	o, _, err := p.log.Invoices.Load(ctx, original)
	if err != nil {
		return err
	}
	for _, n := range o.Notes {
		if n.Note == note && !n.Counted {
			return p.teller.execute(ctx, original, invoice.ReleaseNote{Note: note, Attempt: n.Attempt}, "release",
				fmt.Sprint(n.Attempt), note)
		}
	}
	return nil
}
