package quarantine

import (
	"context"
	"errors"
	"strings"

	"folio/events"
	"folio/eventstore"
)

// Watch looks at every stream of Folio's that somebody cut or deleted after a position, or
// does until ctx ends: it holds the stream at once, before anybody needs it, and says so.
// Forget is called first, so that nobody goes on from a state that was folded before the cut.
//
// The position is how far any process came before this one started: what was done to streams
// since then, nobody may have seen. What was done before is in the quarantine.
func (r *Room) Watch(ctx context.Context, from events.Position, forget func(stream string)) error {
	return r.log.Follow(ctx, from, eventstore.Filter{Touched: true}, eventstore.FollowOptions{},
		func(ctx context.Context, b eventstore.Batch) error {
			for _, e := range b.Events {
				stream := strings.TrimPrefix(e.Stream, "$$")
				if !events.Has(events.Category(stream)) {
					continue
				}
				forget(stream)
				if err := r.probe(ctx, stream); err != nil {
					r.logger.Warn("a stream that somebody touched cannot be looked at", "stream", stream, "error", err)
				}
			}
			return nil
		})
}

// probe reads a stream for holes.
func (r *Room) probe(ctx context.Context, stream string) error {
	for _, err := range r.log.Read(ctx, stream, 0) {
		var t *events.Trouble
		switch {
		case errors.As(err, &t):
			if !r.Covers(t) {
				r.Hold(t)
			}
			return nil
		case err != nil:
			return err
		}
	}
	r.Sound(stream)
	return nil
}
