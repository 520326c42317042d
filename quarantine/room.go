// Package quarantine keeps the trouble of one stream of the log to that stream: what cannot
// be read, applied or is cut holds the stream for whoever needs it, and nobody else waits.
//
// The room knows what operators decided (facts in the log, streams quarantine-…), and keeps
// what is held, by whom and since when, in the tables. A reader of many streams has a Feed:
// from the first event that it cannot take on, it takes no more of that stream, because
// order within a stream is sacred. Commands read one stream, and are refused.
package quarantine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"folio/events"
	"folio/eventstore"
	"folio/tables"
)

// Log is the event log as the room reads it; *eventstore.Log is one.
type Log interface {
	Read(ctx context.Context, stream string, from uint64) iter.Seq2[events.Recorded, error]
	Follow(ctx context.Context, after events.Position, f eventstore.Filter, o eventstore.FollowOptions,
		handle func(context.Context, eventstore.Batch) error) error
}

// Room is the quarantine of one process. It is safe for concurrent use.
type Room struct {
	log    Log
	list   tables.Worklist
	now    func() time.Time
	logger *slog.Logger

	decisions atomic.Bool // there are any; most logs have none, and every event is asked about

	mu       sync.Mutex
	skipped  map[string][]events.TroubleSkipped // by stream
	met      map[string]bool                    // streams that commands could not read
	foreign  map[string]uint64                  // entries passed over, by reader
	position events.Position                    // decisions are known up to here
}

// Types are the events that decide about held streams: whoever has a Feed listens to them,
// too.
var Types = []string{events.Name[events.TroubleSkipped](), events.Name[events.TroubleRetried]()}

// Open makes a room that knows every decision in the log at this moment. A log that is away is waited for, one that is
// damaged is not: it would be for good, without a word.
func Open(ctx context.Context, log Log, store tables.Store, now func() time.Time, logger *slog.Logger) (*Room, error) {
	r := &Room{log: log, list: store.Worklist(listName), now: now, logger: logger,
		skipped: map[string][]events.TroubleSkipped{}, met: map[string]bool{}, foreign: map[string]uint64{}}
	whole, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	options := eventstore.FollowOptions{CheckpointEvery: pastEvery, OnState: func(s eventstore.FollowState) {
		if errors.Is(s.Err, eventstore.ErrDamaged) {
			stop(s.Err)
		}
	}}
	err := log.Follow(whole, events.Position{}, decisions, options,
		func(_ context.Context, b eventstore.Batch) error {
			r.learn(b)
			if b.CaughtUp {
				return errKnown
			}
			return nil
		})
	if err != errKnown {
		return nil, fmt.Errorf("read what was decided about streams in quarantine: %w", cmp.Or(context.Cause(whole), err))
	}
	held, err := r.Held(ctx)
	if err != nil {
		return nil, err
	}
	for _, h := range held {
		if h.Feed == commandsFeed {
			r.met[h.Stream] = true
			t := h.Trouble()
			if r.Covers(&t) || r.Skips(events.Recorded{Stream: h.Because, Revision: h.Revision, ID: h.Event}) {
				r.Sound(h.Stream) // decided while no process ran
				continue
			}
		}
		r.tell(h)
	}
	return r, nil
}

var (
	errKnown  = fmt.Errorf("every decision is known")
	decisions = eventstore.Filter{Streams: []string{streams}}
)

// pastEvery is how many events of no interest are passed over at a time while what was decided is read.
const pastEvery = 1024

// streams is the beginning of the names of the streams that hold decisions.
const streams = "quarantine-"

// Follow learns decisions as they are made, until ctx ends.
func (r *Room) Follow(ctx context.Context) error {
	return r.log.Follow(ctx, r.position, decisions, eventstore.FollowOptions{},
		func(_ context.Context, b eventstore.Batch) error {
			r.learn(b)
			return nil
		})
}

func (r *Room) learn(b eventstore.Batch) {
	for _, e := range b.Events {
		if events.KinshipOf(e) != events.Known {
			continue
		}
		opened, err := events.Open(e)
		if err != nil {
			// Without it the stream that it is about stays held, which is safe.
			r.logger.Error("a decision about a stream in quarantine cannot be read", "stream", e.Stream, "error", err)
			continue
		}
		// A command may never read the stream again, so what it held ends with the decision.
		// If the trouble is still there, the next command holds the stream anew.
		r.Sound(r.decided(opened))
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.position = b.Position
}

// decided notes a decision, heard before or not.
func (r *Room) decided(d events.Recorded) (stream string) {
	switch e := d.Event.(type) {
	case events.TroubleRetried:
		return e.Stream
	case events.TroubleSkipped:
		r.mu.Lock()
		defer r.mu.Unlock()
		for _, known := range r.skipped[e.Stream] {
			if known == e {
				return e.Stream
			}
		}
		r.skipped[e.Stream] = append(r.skipped[e.Stream], e)
		r.decisions.Store(true)
		return e.Stream
	}
	return ""
}

// Skips implements commands.Guard.
func (r *Room) Skips(e events.Recorded) bool {
	if !r.decisions.Load() {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.ContainsFunc(r.skipped[e.Stream], func(s events.TroubleSkipped) bool { return s.Lets(e) })
}

// Covers implements commands.Guard.
func (r *Room) Covers(t *events.Trouble) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.ContainsFunc(r.skipped[t.Stream], func(s events.TroubleSkipped) bool {
		return s.Covers(t)
	})
}

// Foreign implements commands.Guard.
func (r *Room) Foreign(e events.Recorded) { r.passedOver(commandsFeed) }

func (r *Room) passedOver(feed string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.foreign[feed]++
}

// PassedOver is how many entries of the log each reader of this process passed over since
// the start, because they are not Folio's. An entry counts each time that it is met.
func (r *Room) PassedOver() map[string]uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := make(map[string]uint64, len(r.foreign))
	maps.Copy(out, r.foreign)
	return out
}
