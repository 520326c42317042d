package engine

import (
	"context"
	"errors"
	"sync"

	"folio/tables"
	"folio/tables/lease"
)

// holding is the worker's right to write, and who uses it.
type holding struct {
	*lease.Keeper
	w     *worker
	mu    sync.Mutex
	feeds []*feed // that write under it
}

// holding is what the worker takes to fold its projection.
func (w *worker) holding() *holding {
	h := &holding{w: w}
	h.Keeper = &lease.Keeper{Leases: w.o.Tables, Name: "projection-" + buildID(w.p.name, w.p.version), Owner: w.o.Owner,
		TTL: w.o.Lease, Early: w.poke, Look: h.look}
	return h
}

// look looks, with each renewal of the lease, whether the build changed under the feeds and whether the tables
// still hold what the feeds saved. When the build changed the other projections look at theirs, too: what is built anew
// together reads the log together.
func (h *holding) look(ctx context.Context) error {
	if b, err := loadBuild(ctx, h.w.o.Tables, h.w.p); err == nil && b.change > h.w.change.Load() {
		h.w.others()
		return errBuildChanged
	}
	return h.verify(ctx)
}

// verifies has the feeds compared with the tables each time the lease is renewed.
func (h *holding) verifies(feeds []*feed) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.feeds = feeds
}

// verify is tables.ErrCheckpointMoved when the tables lost what a feed had saved. An error
// of the tables shows elsewhere.
func (h *holding) verify(ctx context.Context) error {
	h.mu.Lock()
	feeds := h.feeds
	h.mu.Unlock()
	for _, f := range feeds {
		if err := f.verify(ctx); errors.Is(err, tables.ErrCheckpointMoved) {
			return err
		}
	}
	return nil
}
