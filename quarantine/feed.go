package quarantine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"runtime/debug"
	"slices"
	"sync"

	"folio/events"
	"folio/tables"
)

// Feed stands between the log and one reader of many streams. It is used by one goroutine,
// except for Company.
type Feed struct {
	room  *Room
	name  string
	types map[string]bool

	mu   sync.Mutex
	held map[string]Held // by stream
	// freed go on, and are written as held until the reader has saved what it made of them.
	freed []Held
}

// Handle takes one event that was opened. An error that is, or wraps, a *events.Trouble
// holds the event's stream; so does a panic. After any other error it is called again.
type Handle = func(context.Context, events.Recorded) error

// Feed is the one of a reader: its name never changes, types are those that it takes.
func (r *Room) Feed(name string, types ...string) *Feed {
	f := &Feed{room: r, name: name, types: map[string]bool{}, held: map[string]Held{}}
	for _, t := range types {
		f.types[t] = true
	}
	return f
}

// Types are what it must hear beside those that the reader takes.
func (f *Feed) Types() []string { return Types }

// Begin learns what an earlier owner held, and tries it again with this program. It is
// called before Deliver, each time that the reader begins.
func (f *Feed) Begin(ctx context.Context, handle Handle) error {
	if err := f.load(ctx); err != nil {
		return err
	}
	for _, h := range f.all() {
		if err := f.again(ctx, h, events.Position{}, handle); err != nil {
			return err
		}
	}
	return nil
}

func (f *Feed) load(ctx context.Context) error {
	held, err := f.room.heldBy(ctx, f.name)
	if err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	clear(f.held)
	for _, h := range held {
		f.held[h.Stream] = h
	}
	return nil
}

func (f *Feed) all() []Held {
	f.mu.Lock()
	defer f.mu.Unlock()
	out := make([]Held, 0, len(f.held))
	for _, h := range f.held {
		out = append(out, h)
	}
	return out
}

// Deliver hands r to handle, unless it is not Folio's, its stream is held, or an operator
// has everybody go on without it. A decision of an operator about a stream that is held
// delivers what the stream has from where it was held, up to the decision. An error means
// that r was not dealt with: deliver it again.
func (f *Feed) Deliver(ctx context.Context, r events.Recorded, handle Handle) error {
	if !f.Admits(r) {
		return nil
	}
	if events.Category(r.Stream)+"-" == streams {
		if err := f.decided(ctx, r, handle); err != nil {
			return err
		}
	}
	return f.one(ctx, r, handle)
}

// decided delivers what a decision sets free. One that cannot be read sets nothing free,
// and the room tells of it.
func (f *Feed) decided(ctx context.Context, r events.Recorded, handle Handle) error {
	opened, err := events.Open(r)
	if err != nil {
		return nil
	}
	stream := f.room.decided(opened)
	for _, h := range f.all() {
		if h.Stream == stream || h.Because == stream {
			if err := f.again(ctx, h, r.Position, handle); err != nil {
				return err
			}
		}
	}
	return nil
}

// Admits says whether r is for the reader. The event at which its stream was held is: a
// reader that starts over hears it again.
func (f *Feed) Admits(r events.Recorded) bool {
	if events.KinshipOf(r) != events.Known {
		f.room.passedOver(f.name)
		return false
	}
	f.mu.Lock()
	h, held := f.held[r.Stream]
	f.mu.Unlock()
	return !(held && r.Revision > h.From) && !f.room.Skips(r)
}

// one delivers an event of a stream that is not held before it.
func (f *Feed) one(ctx context.Context, r events.Recorded, handle Handle) error {
	err := attempt(ctx, r, handle)
	if t := trouble(err); t != nil {
		return f.Hold(ctx, r, t)
	}
	if err != nil {
		return err
	}
	f.release(r.Stream)
	return nil
}

// attempt opens and handles r. A panic is the event's own trouble, and so is a key or a body
// that no state of the tables takes: it would be refused each time.
func attempt(ctx context.Context, r events.Recorded, handle Handle) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = r.About(events.Unappliable, fmt.Errorf("panic: %v\n%s", p, debug.Stack()))
		}
	}()
	if r, err = events.Open(r); err != nil {
		return err
	}
	err = handle(ctx, r)
	if errors.Is(err, tables.ErrInvalid) && trouble(err) == nil {
		err = r.About(events.Unappliable, err)
	}
	return err
}

func trouble(err error) *events.Trouble {
	var t *events.Trouble
	if !errors.As(err, &t) {
		return nil
	}
	return t
}

// Hold holds the stream of r from r on. t is the reason; the trouble may be with another stream.
func (f *Feed) Hold(ctx context.Context, r events.Recorded, t *events.Trouble) error {
	h := heldBy(f.name, r, t, f.room.now())
	f.mu.Lock()
	old, known := f.held[r.Stream]
	f.mu.Unlock()
	if known && old.From == h.From && old.Fault == h.Fault {
		return nil
	}
	if err := f.room.put(ctx, h); err != nil {
		return err
	}
	f.room.tell(h)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.held[h.Stream] = h
	f.freed = slices.DeleteFunc(f.freed, func(old Held) bool { return old.Stream == h.Stream })
	return nil
}

func (f *Feed) release(stream string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	h, held := f.held[stream]
	if !held {
		return
	}
	f.room.logger.Info("a stream that was held goes on", "held_by", f.name, "stream", stream)
	h.Released = true
	f.freed = append(f.freed, h)
	delete(f.held, stream)
}

// Saved says that the reader has saved what it made of everything delivered.
func (f *Feed) Saved(ctx context.Context) error {
	f.mu.Lock()
	freed := f.freed
	f.freed = nil
	f.mu.Unlock()
	for i, h := range freed {
		h.Since = f.room.now().UTC()
		if err := f.room.put(ctx, h); err != nil {
			f.mu.Lock()
			defer f.mu.Unlock()
			f.freed = append(f.freed, freed[i:]...)
			return err
		}
	}
	return nil
}

// again delivers what a held stream has from where it is held, before a position (zero:
// all of it), and holds it again at the first event that cannot be taken.
func (f *Feed) again(ctx context.Context, h Held, before events.Position, handle Handle) error {
	read := func(from uint64) iter.Seq2[events.Recorded, error] { return f.room.log.Read(ctx, h.Stream, from) }
	for r, err := range events.Beyond(read, h.From, f.room.Covers) {
		if t := trouble(err); t != nil {
			return f.Hold(ctx, events.Recorded{Stream: h.Stream, Revision: t.Revision}, t)
		}
		if err != nil {
			return fmt.Errorf("read %.200s again: %w", h.Stream, err)
		}
		if !before.IsZero() && !r.Position.Before(before) {
			break // it comes by itself
		}
		if !f.types[r.Type] || events.KinshipOf(r) != events.Known || f.room.Skips(r) {
			continue
		}
		err = attempt(ctx, r, handle)
		if t := trouble(err); t != nil {
			return f.Hold(ctx, r, t)
		}
		if err != nil {
			return err
		}
	}
	f.release(h.Stream)
	return nil
}

// Company says why documents of a company may be missing from what the reader took: an
// event that creates one cannot be read. Nil when none is.
func (f *Feed) Company(company string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, h := range f.held {
		if h.Company == company && h.Type == created {
			t := h.Trouble()
			return &t
		}
	}
	return nil
}

var created = events.Name[events.InvoiceCreated]()

// companyOf is whose event r is, read as leniently as can be: the rest of it is at fault.
func companyOf(r events.Recorded) string {
	var of struct {
		Company string `json:"company"`
	}
	if json.Unmarshal(r.Raw, &of) != nil {
		return ""
	}
	return of.Company
}
