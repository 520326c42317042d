// Package outagewatch sees when an authority is away for a company, from the calls that the
// company needs, and records the edges. Each process watches its own calls; the stream's
// expected revision keeps two of them from opening an outage twice.
package outagewatch

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"time"

	"folio/clock"
	"folio/commands"
	"folio/commands/aggregates"
	"folio/commands/outage"
	"folio/events"
	"folio/processors/reactor"
)

// Name is the actor of what it records.
const Name = "outage-watch"

// Config is what it needs.
type Config struct {
	Executor  *commands.Executor
	Threshold outage.Threshold
	NewID     func() string // ids of outages
	Clock     clock.Clock
	Logger    *slog.Logger
	Retry     time.Duration // pause after the log failed
}

// maxPlaces bounds what is remembered of companies for which nothing is amiss.
const maxPlaces = 100_000

// Watch hears calls and records what they mean.
type Watch struct {
	c    Config
	log  aggregates.Log
	wake chan struct{} // holds a token while there is something to record

	mu     sync.Mutex
	places map[outage.Place]*place
	queue  []outage.Place
}

// place is what this process knows of one.
type place struct {
	tally    outage.Tally
	answered *outage.Answered // the last call that got through, while it may close something
	queued   bool
	known    bool // state is the stream's
	state    outage.State
	news     int // that came of the stream
}

// New makes a watch. Nothing is recorded before Run.
func New(c Config) *Watch {
	return &Watch{c: c, log: aggregates.In(c.Executor), wake: make(chan struct{}, 1), places: map[outage.Place]*place{}}
}

// Failed hears of a call that failed. It does not wait.
func (w *Watch) Failed(at outage.Place, c events.FailingCall) {
	w.mu.Lock()
	defer w.mu.Unlock()
	p := w.place(at)
	p.tally = p.tally.With(c)
	w.enqueue(at, p)
}

// Answered hears of a call that got through. It does not wait.
func (w *Watch) Answered(c outage.Answered) {
	w.mu.Lock()
	defer w.mu.Unlock()
	p := w.place(c.Place)
	p.tally, p.answered = outage.Tally{}, &c
	w.enqueue(c.Place, p)
}

// News says that somebody recorded something in a stream: what is known of it is old.
func (w *Watch) News(stream string) {
	id, ours := strings.CutPrefix(stream, outage.Decider.Category+"-")
	at, err := outage.ParseID(id)
	if !ours || err != nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if p := w.places[at]; p != nil {
		p.news++
		p.known = false
	}
}

// Run records until ctx ends.
func (w *Watch) Run(ctx context.Context) error {
	for {
		select {
		case <-w.wake:
		case <-ctx.Done():
			return ctx.Err()
		}
		for {
			at, ok := w.next()
			if !ok {
				break
			}
			err := w.record(ctx, at)
			if err == nil {
				continue
			}
			w.c.Logger.Warn("an outage was not recorded", "company", at.Company, "authority", at.Authority, "error", err)
			if !w.again(at, commands.LogAway(err)) {
				continue
			}
			if !clock.Sleep(ctx, w.c.Retry) {
				return ctx.Err()
			}
		}
	}
}

// place is the one at; idle ones are forgotten when there are many.
func (w *Watch) place(at outage.Place) *place {
	if p := w.places[at]; p != nil {
		return p
	}
	if len(w.places) >= maxPlaces {
		for other, p := range w.places {
			if !p.queued && p.tally.Calls == 0 {
				delete(w.places, other)
			}
		}
	}
	p := &place{}
	w.places[at] = p
	return p
}

// enqueue has a place looked at that may have something to record.
func (w *Watch) enqueue(at outage.Place, p *place) {
	if p.queued || !p.owes(w.c.Threshold) {
		return
	}
	p.queued = true
	w.queue = append(w.queue, at)
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// owes says whether the stream may have to change. A state that is not known may be any.
func (p *place) owes(by outage.Threshold) bool {
	if p.answered != nil && p.known && (!p.state.Open() || p.state.Cause != outage.ByCalls) {
		p.answered = nil // it closes nothing
	}
	return p.answered != nil || p.tally.Due(by) && !(p.known && p.state.Open())
}

func (w *Watch) next() (outage.Place, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.queue) == 0 {
		return outage.Place{}, false
	}
	at := w.queue[0]
	w.queue = w.queue[1:]
	return at, true
}

// again has a place looked at that could not be recorded: by itself once the log is back, and
// after the next call where its stream cannot be read.
func (w *Watch) again(at outage.Place, byItself bool) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.places[at].queued = byItself
	if byItself {
		w.queue = append(w.queue, at)
	}
	return byItself
}

// record tells the stream of one place what its calls mean.
func (w *Watch) record(ctx context.Context, at outage.Place) error {
	for {
		command, news := w.command(at)
		if command == nil {
			return nil
		}
		r := reactor.Request(w.c.Clock, Name, at.ID(), w.c.NewID())
		done, err := w.log.Outages.Execute(ctx, at.ID(), command, r)
		if err != nil {
			return err
		}
		for _, e := range done.Events {
			w.tell(e)
		}
		w.learnt(at, command, done.State, news)
	}
}

// command is what the place owes, nil for nothing.
func (w *Watch) command(at outage.Place) (outage.Command, int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	p := w.places[at]
	switch {
	case !p.owes(w.c.Threshold):
		p.queued = false
		return nil, 0
	case p.answered != nil:
		return *p.answered, p.news
	}
	return outage.Failed{Place: at, Outage: w.c.NewID(), Tally: p.tally, Threshold: w.c.Threshold}, p.news
}

// learnt keeps the state that a command found or made, unless somebody has changed it since.
func (w *Watch) learnt(at outage.Place, c outage.Command, s outage.State, news int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	p := w.places[at]
	if p.known = p.news == news; p.known {
		p.state = s
	}
	switch c := c.(type) {
	case outage.Answered:
		if p.answered != nil && *p.answered == c {
			p.answered = nil
		}
	case outage.Failed:
		if !s.Open() { // these calls are of before the last outage was closed
			p.tally = outage.Tally{}
		}
	}
}

func (w *Watch) tell(e events.Event) {
	switch e := e.(type) {
	case events.AuthorityOutageOpened:
		w.c.Logger.Warn("the authority is away for a company", "company", e.Company, "authority", e.Authority,
			"environment", e.Environment, "since", e.Since, "calls", e.Calls)
	case events.AuthorityOutageClosed:
		w.c.Logger.Info("the authority is back for a company", "company", e.Company, "authority", e.Authority,
			"environment", e.Environment, "seconds", e.Seconds)
	}
}
