package verify

import (
	"context"

	"folio/events"
	"folio/eventstore"
)

// openFormat finds where a program of this format began to write.
func (r *run) openFormat(ctx context.Context) error {
	for e, err := range r.Log.Read(ctx, eventstore.StoreStream, 0) {
		if err != nil {
			return troubled(err, e)
		}
		if events.KinshipOf(e) == events.Foreign {
			continue
		}
		opened, err := events.Open(e)
		if err != nil {
			return differs(e, "it cannot be read: %v", err)
		}
		made, ok := opened.Event.(events.StoreCreated)
		if !ok {
			continue
		}
		if made.Format < events.LogFormat {
			r.formed = farthest
		} else if r.formed == farthest {
			r.formed = e.Position
		}
	}
	return nil
}

// farthest is after every event: no program of this format has written yet.
var farthest = events.Position{Commit: ^uint64(0), Prepare: ^uint64(0)}
