package delivery

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"folio/admission"
	"folio/commands/delivery"
	"folio/commands/replay"
	"folio/events"
	"folio/processors/lanes"
	"folio/tables"
)

const replaysList = "delivery_replays"

// newReplay is the lane of a replay: it goes on until the replay is over.
func (p *Processor) newReplay(id string) lanes.Func {
	return func(ctx context.Context) lanes.Next {
		within, stop := context.WithCancel(ctx)
		defer stop()
		p.mu.Lock()
		p.stops[id] = stop
		p.mu.Unlock()
		it, err := p.replays.Get(ctx, id)
		if err == nil {
			err = p.replay(within, id, it.At)
		}
		p.mu.Lock()
		delete(p.stops, id)
		p.mu.Unlock()
		if err != nil && !errors.Is(err, tables.ErrNotFound) && within.Err() == nil {
			return lanes.Failed(err)
		}
		return lanes.Done()
	}
}

// stopReplay ends the walk of a replay that is over.
func (p *Processor) stopReplay(id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if stop := p.stops[id]; stop != nil {
		stop()
	}
}

// Owed is a delivery of the past that a replay may ask for again.
type Owed struct {
	Delivery, Code string
	At             time.Time
	Scheduled      events.Position
}

// Past lists what a company was owed, and nothing of anybody else.
type Past interface {
	// Owed lists the deliveries that were scheduled after a position and not after until, in
	// the order of the log: at most limit, none when nothing follows. It waits until it
	// knows everything up to until.
	Owed(ctx context.Context, company string, after, until events.Position, limit int) ([]Owed, error)
}

// replaysAtOnce is how many companies' replays go on at a time; each company has one, and
// the others wait for their turn.
const replaysAtOnce = 8

func newReplayGate() *admission.Gate {
	return admission.New("replays", admission.Limits{All: replaysAtOnce, Each: 1, Line: math.MaxInt, Lines: math.MaxInt})
}

// rereading is one walk of a replay through a company's past.
type rereading struct {
	*Processor
	id       string
	until    events.Position // where the replay was asked for
	s        replay.State
	done     int64
	recorded int64
	noted    time.Time
	asked    int             // since the lists were last known to be up to date
	last     events.Position // of the last resend
}

// progressEvery is how often a replay says how far it came.
const progressEvery = 5 * time.Second

// replay asks for the deliveries of a replay in the order of the log, when it is its
// company's turn. Taken up again it goes on from its last progress; a delivery that was
// asked for already stays as it is.
func (p *Processor) replay(ctx context.Context, id string, at events.Position) error {
	s, _, err := p.log.Replays.Load(ctx, id)
	if err != nil || s.Status != replay.Running {
		return err
	}
	return p.replaying.Pass(ctx, s.Started.Company, 1, func() error {
		w := &rereading{Processor: p, id: id, until: at, s: s, done: s.Done, recorded: s.Done, noted: p.Clock.Now()}
		return w.walk(ctx, s.Reached)
	})
}

// walk goes through everything that was scheduled after reached.
func (w *rereading) walk(ctx context.Context, reached events.Position) error {
	for ctx.Err() == nil {
		owed, err := w.c.Past.Owed(ctx, w.s.Started.Company, reached, w.until, 2*replayRoom)
		if err != nil {
			return err
		}
		if len(owed) == 0 {
			return w.execute(ctx, replay.Finish{Done: w.done}, "finish")
		}
		for _, o := range owed {
			if w.covers(o) {
				if err := w.resend(ctx, o.Delivery); err != nil {
					return err
				}
				w.done++
			}
			if err := w.progress(ctx, o.Scheduled); err != nil {
				return err
			}
			reached = o.Scheduled
		}
	}
	return ctx.Err()
}

func (w *rereading) covers(o Owed) bool {
	c := w.s.Started
	return o.Code != delivery.Ping && (c.From == nil || !o.At.Before(*c.From)) && (c.To == nil || o.At.Before(*c.To)) &&
		(len(c.Codes) == 0 || slices.Contains(c.Codes, o.Code))
}

// replayRoom is how many deliveries a replay puts before a company's lane at a time, so
// that what happens meanwhile does not wait behind the whole past.
const replayRoom = 32

func (w *rereading) resend(ctx context.Context, id string) error {
	company := w.s.Started.Company
	for {
		if w.asked >= replayRoom/2 && !w.listed() {
			if !w.sleep(ctx, behind) {
				return ctx.Err()
			}
			continue
		}
		due, err := w.list(company).Due(ctx, w.Clock.Now(), replayRoom)
		if err != nil {
			return err
		}
		if len(due) < replayRoom {
			break
		}
		if !w.sleep(ctx, behind) {
			return ctx.Err()
		}
	}
	sub, err := w.subs.now(ctx, company)
	if err != nil {
		return err
	}
	if !sub.Exists() {
		return w.execute(ctx, replay.Cancel{Company: company}, "cancel") // its fact ends this walk
	}
	out, err := w.log.Deliveries.Execute(ctx, id,
		delivery.Resend{Company: company, Webhook: sub.Webhook, Replay: w.id, Due: w.Clock.Now().UTC()},
		w.request(id, "replay", w.id))
	if err != nil {
		return fmt.Errorf("resend delivery %s: %w", id, err)
	}
	if w.last.Before(out.Position) {
		w.last, w.asked = out.Position, w.asked+1
	}
	return nil
}

// listed says whether the lists hold what the replay asked for so far.
func (w *rereading) listed() bool {
	at := w.heardTo.Load()
	if at == nil || at.Before(w.last) {
		return false
	}
	w.asked = 0
	return true
}

func (w *rereading) progress(ctx context.Context, at events.Position) error {
	now := w.Clock.Now()
	if w.done == w.recorded || now.Sub(w.noted) < progressEvery {
		return nil
	}
	w.recorded, w.noted = w.done, now
	return w.execute(ctx, replay.Progress{Done: w.done, Reached: at}, "progress", at.String())
}

func (w *rereading) execute(ctx context.Context, c replay.Command, step ...string) error {
	_, err := w.log.Replays.Execute(ctx, w.id, c, w.request(w.id, step...))
	return err
}
