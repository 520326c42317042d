package reactor

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"folio/clock"
	"folio/tables"
	"folio/tables/lease"
)

// leaseTime is how long a dead owner blocks others: with the time that a new one takes to begin, ten seconds.
const leaseTime = 9 * time.Second

// errRebuild ends a run whose worklists are to be made anew; the next one begins with that.
var errRebuild = errors.New("the worklists are made anew")

// Own runs a processor while this process holds its lease, again and again, until ctx ends. With each renewal it
// looks whether the tables still hold what the processor saved, and whether a rebuild was asked for.
func Own(ctx context.Context, log *slog.Logger, leases tables.Leases, owner string, p Processor) {
	r := p.owned()
	keeper := &lease.Keeper{Leases: leases, Name: p.Name(), Owner: owner, TTL: leaseTime,
		Look: func(ctx context.Context) error {
			if asked, err := RebuildAsked(ctx, r.Tables, p.Name()); err == nil && asked {
				return errRebuild
			}
			return r.verify(ctx)
		}}
	told := false // one line tells that the leases are away, however long they are
	for ctx.Err() == nil {
		ran := false
		mine, err := keeper.Hold(ctx, func(ctx context.Context) error {
			ran = true
			r.holds(keeper)
			defer r.holds(nil)
			return p.Run(ctx)
		})
		switch {
		case ctx.Err() != nil:
			return
		case errors.Is(err, errRebuild):
			r.Health.madeAnew()
			continue
		case !mine && err == nil:
			r.Health.standby(r.Clock.Now())
		case !ran && !told:
			log.Warn("the lease cannot be asked for", "processor", p.Name(), "error", err)
		case ran && err != nil:
			log.Warn("processor stopped, asking for its lease again", "processor", p.Name(), "error", err)
		}
		told = !ran && err != nil
		clock.Sleep(ctx, keeper.Pause(leaseTime/4))
	}
}

// holds says under which lease the reactor runs; nil for none.
func (r *Reactor) holds(k *lease.Keeper) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.keeper = k
}

// Grant is the lease under which the processor runs, for what must not be written by an owner that slept; nil when it
// runs alone.
func (r *Reactor) Grant() *tables.Grant {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.keeper == nil {
		return nil
	}
	g := r.keeper.Grant()
	return &g
}
