package reactor

import (
	"context"
	"errors"
	"fmt"
	"time"

	"folio/events"
	"folio/processors/lanes"
	"folio/tables"
)

// Items works off the worklist of a reactor one item after the other, in one lane.
type Items struct {
	*lanes.Set[lanes.Func]
	r      *Reactor
	handle Handle
}

// Handle does what an item asks for. The zero time says that the item is done; another one, when to look at it again.
type Handle func(ctx context.Context, it tables.Item) (again time.Time, err error)

const (
	atOnce = 100 // items that are read at a time
	// failurePause is the pause after a fault of our own: the log, the tables or the vault.
	failurePause = 10 * time.Second
	// troublePause is when something that needs a stream in quarantine is looked at again.
	troublePause = 10 * time.Minute
)

// Items has handle work off the worklist. Failing tells the operator what does not happen while handle fails:
// "notices are not given".
func (r *Reactor) Items(failing string, handle Handle) *Items {
	s := &Items{r: r, handle: handle}
	s.Set = lanes.New(lanes.Config[lanes.Func]{
		New: func(string) lanes.Func { return s.turn }, AtOnce: 1, Clock: r.Clock,
		Pauses: lanes.Pauses{Base: failurePause},
		Failed: func(_ string, err error, _ time.Time) { r.Logger.Warn(failing+", trying again", "error", err) },
	})
	return s
}

// Changed has the list looked at, since it changed.
func (s *Items) Changed() { s.Wake(s.r.name) }

func (s *Items) turn(ctx context.Context) lanes.Next {
	if err := s.Due(ctx); err != nil {
		return lanes.Failed(err)
	}
	return NextDue(ctx, s.r.List)
}

// Due handles everything that is due.
func (s *Items) Due(ctx context.Context) error {
	for {
		items, err := s.r.List.Due(ctx, s.r.Clock.Now(), atOnce)
		if err != nil || len(items) == 0 {
			return err
		}
		for _, it := range items {
			if err := s.one(ctx, it); err != nil {
				return fmt.Errorf("%s: %w", it.Key, err)
			}
		}
	}
}

// one handles an item. What a stream in quarantine stops waits alone.
func (s *Items) one(ctx context.Context, it tables.Item) error {
	again, err := s.handle(ctx, it)
	var t *events.Trouble
	switch {
	case errors.As(err, &t):
		s.r.Logger.Warn("an item waits: a record that it needs cannot be read",
			"processor", s.r.name, "item", it.Key, "error", err)
		again = s.r.Clock.Now().Add(troublePause)
	case err != nil:
		return err
	case again.IsZero():
		return s.r.List.Remove(ctx, it.Key, it.At)
	}
	return s.r.List.Postpone(ctx, it.Key, again)
}

// NextDue wants the next turn when the first item of a list is due, or the list changes.
func NextDue(ctx context.Context, list tables.Worklist) lanes.Next {
	next, ok, err := list.NextDue(ctx)
	switch {
	case err != nil:
		return lanes.Failed(err)
	case !ok:
		return lanes.Asleep()
	}
	return lanes.Until(next)
}

// Life is that of a processor that has these items and nothing else.
func (s *Items) Life() Life {
	return Life{Lanes: []lanes.Opener{s}, Ready: func(context.Context) (func(), error) { return s.Changed, nil }}
}
