package processors

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"folio/tables"
)

// FoldThenWork runs fold, which folds the log into a worklist until ctx ends, and beside
// it work, from the first time that fold calls caughtUp: then the worklist is as new as
// the log was at the start. It returns what fold does, once both are over, and keeps the
// health.
func FoldThenWork(ctx context.Context, h *Health, clock Clock, fold func(ctx context.Context, caughtUp func()) error, work func(context.Context)) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	h.Begin(clock.Now())
	defer func() { h.End(clock.Now()) }()
	var first sync.Once
	var working sync.WaitGroup
	err := fold(ctx, func() {
		first.Do(func() {
			h.CaughtUp(clock.Now())
			working.Go(func() { work(ctx) })
		})
	})
	cancel()
	working.Wait()
	return err
}

const (
	longestWait = time.Hour // the clock of the machine may be set meanwhile
	faultPause  = 10 * time.Second
)

// Worker works off a worklist in turns.
type Worker struct {
	Clock   Clock
	Logger  *slog.Logger
	List    tables.Worklist
	Wake    <-chan struct{} // kicked when the list changes
	Failing string          // what an error means, for the operator: "notices are not given"
	Turn    func(context.Context) error
}

// Run takes turns until ctx ends: when the first item of the list is due, an hour later at
// the latest, at once after a kick, and ten seconds after an error.
func (w Worker) Run(ctx context.Context) {
	for ctx.Err() == nil {
		until, err := w.turn(ctx)
		if err != nil && ctx.Err() == nil {
			w.Logger.Warn(w.Failing+", trying again", "error", err)
			until = w.Clock.Now().Add(faultPause)
		}
		select {
		case <-w.Wake:
		case <-w.Clock.At(until):
		case <-ctx.Done():
		}
	}
}

// turn takes one and says until when the next one can wait.
func (w Worker) turn(ctx context.Context) (until time.Time, err error) {
	if err := w.Turn(ctx); err != nil {
		return time.Time{}, err
	}
	latest := w.Clock.Now().Add(longestWait)
	next, ok, err := w.List.NextDue(ctx)
	if err != nil || !ok || next.After(latest) {
		return latest, err
	}
	return next, nil
}

// Kick wakes who waits on the channel, whose room for one is enough: it says "look again".
func Kick(wake chan struct{}) {
	select {
	case wake <- struct{}{}:
	default:
	}
}
