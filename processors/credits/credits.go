// Package credits makes sure that every note comes to an end in the documents that it
// corrects. Who issues or submits a note tells them at once; this processor does what a
// crash in between left out: a note that was reserved and never created gives back, one
// that was accepted counts, one that was rejected gives back. It also counts the notes
// of before there were reservations.
package credits

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"folio/bus"
	"folio/commands"
	"folio/commands/aggregates"
	"folio/commands/invoice"
	"folio/country"
	"folio/events"
	"folio/processors"
	"folio/tables"
)

// Name is the processor's checkpoint, worklist and lease.
const Name = "credits"

// Types are the events that the worklist is folded from.
var Types = []string{
	events.Name[events.InvoiceCreated](),
	events.Name[events.NoteReserved](),
	events.Name[events.NoteCounted](),
	events.Name[events.NoteReleased](),
}

const (
	// creating is how long a reservation may wait for its note before it is looked at.
	// Whoever is slower than that is refused, and sends the request again.
	creating = time.Minute
	// again is when a note without an answer is looked at once more. Nothing waits for it:
	// whoever has the answer tells it.
	again  = time.Hour
	atOnce = 100
)

// Config is what the processor is made of.
type Config struct {
	Executor *commands.Executor
	Source   bus.Source
	Guard    bus.Guard // keeps the trouble of one stream to that stream; may be nil
	Log      string    // id of the event log
	// End is the position of the log's last event; nil: a checkpoint is believed.
	End    func(ctx context.Context) (events.Position, error)
	Tables tables.Store
	Rules  func(code string) (country.Rules, bool)
	Clock  processors.Clock
	Logger *slog.Logger
}

// Processor is the processor of notes.
type Processor struct {
	c      Config
	log    aggregates.Log
	teller Teller
	list   tables.Worklist
	health processors.Health
	wake   chan struct{}
}

var _ processors.Processor = (*Processor)(nil)

// New makes the processor.
func New(c Config) *Processor {
	p := &Processor{c: c, log: aggregates.In(c.Executor), teller: Teller{c.Executor, c.Rules, c.Clock}, list: c.Tables.Worklist(Name), wake: make(chan struct{}, 1)}
	p.health.Set(processors.Status{Name: Name, Since: c.Clock.Now()})
	return p
}

// Name is that of the lease.
func (p *Processor) Name() string { return Name }

// WakeAll makes it look again at what is due.
func (p *Processor) WakeAll() { processors.Kick(p.wake) }

// Status is the processor's health.
func (p *Processor) Status() processors.Status { return p.health.Get() }

// Run folds the log into the worklist and looks at what is due, until ctx ends.
func (p *Processor) Run(ctx context.Context) error {
	return processors.FoldThenWork(ctx, &p.health, p.c.Clock, func(ctx context.Context, caughtUp func()) error {
		c := &processors.Checkpoints{Store: p.c.Tables, Log: p.c.Log, End: p.c.End, Forget: p.list.Clear, Traces: []tables.Worklist{p.list}}
		return c.Run(ctx, func(ctx context.Context) error {
			return bus.Run(ctx, p.c.Logger, bus.Consumer{
				Name: Name, Topic: Name, Source: p.c.Source, Checkpoints: c, Handle: p.fold, Guard: p.c.Guard, CaughtUp: caughtUp,
				Failed: func(err error) { p.health.Failed(p.c.Clock.Now(), err) },
			})
		})
	}, processors.Worker{Clock: p.c.Clock, Logger: p.c.Logger, List: p.list, Wake: p.wake,
		Failing: "notes that a crash interrupted are not finished", Turn: p.turn}.Run)
}

// fold keeps an item a note and document that it corrects, until what became of it is
// told there.
func (p *Processor) fold(ctx context.Context, r events.Recorded) error {
	_, id, _ := strings.Cut(r.Stream, "-")
	switch e := r.Event.(type) {
	case events.InvoiceCreated:
		if len(e.Corrects) > 0 {
			return nil // its reservations are on the list
		}
		for _, c := range p.teller.named(&e) {
			if err := p.put(ctx, r, e.Invoice, c.Invoice); err != nil {
				return err
			}
		}
	case events.NoteReserved:
		return p.put(ctx, r, e.Note, id)
	case events.NoteCounted:
		return p.list.Remove(ctx, key(e.Note, id), r.Position)
	case events.NoteReleased:
		return p.list.Remove(ctx, key(e.Note, id), r.Position)
	}
	return nil
}

func key(note, original string) string { return note + "/" + original }

func (p *Processor) put(ctx context.Context, r events.Recorded, note, original string) error {
	defer processors.Kick(p.wake)
	return p.list.Put(ctx, tables.Item{Key: key(note, original), Group: note, Order: r.Position, At: r.Position, Due: r.Meta.At.Add(creating)})
}

func (p *Processor) turn(ctx context.Context) error {
	for {
		items, err := p.list.Due(ctx, p.c.Clock.Now(), atOnce)
		if err != nil || len(items) == 0 {
			return err
		}
		for _, it := range items {
			if err := p.look(ctx, it); err != nil {
				return fmt.Errorf("note and document %s: %w", it.Key, err)
			}
		}
	}
}

// look finishes one note in one document, or puts it off.
func (p *Processor) look(ctx context.Context, it tables.Item) error {
	note, original, _ := strings.Cut(it.Key, "/")
	done, err := p.finish(ctx, note, original)
	var t *events.Trouble
	switch {
	case errors.As(err, &t):
		p.c.Logger.Warn("a note waits: a record that it needs cannot be read", "note", note, "document", original, "error", err)
	case err != nil:
		return err
	case done:
		return p.list.Remove(ctx, it.Key, it.At)
	}
	return p.list.Postpone(ctx, it.Key, p.c.Clock.Now().Add(again))
}

// finish tells a document what became of a note; false when nothing is known yet.
func (p *Processor) finish(ctx context.Context, note, original string) (bool, error) {
	s, _, err := p.log.Invoices.Load(ctx, note)
	if err != nil {
		return false, err
	}
	switch s.Status {
	case invoice.None:
		return p.giveUp(ctx, note, original)
	case invoice.Accepted, invoice.Rejected:
		if err := p.teller.Tell(ctx, s, s.Status == invoice.Accepted); err != nil {
			return false, err
		}
		// An attempt that named other documents than the one that was recorded gives back.
		return true, p.release(ctx, note, original)
	}
	return false, nil
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
		err := p.teller.execute(ctx, note, invoice.AbandonCreation{Attempt: n.Attempt}, "abandon", fmt.Sprint(n.Attempt), note)
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
			return p.teller.execute(ctx, original, invoice.ReleaseNote{Note: note, Attempt: n.Attempt}, "release", fmt.Sprint(n.Attempt), note)
		}
	}
	return nil
}
