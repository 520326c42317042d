// Package lease makes sure that one process at a time does a named piece of work.
package lease

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"folio/clock"
	"folio/tables"
)

// Keeper holds one lease for a run. It is used for one Hold at a time.
type Keeper struct {
	Leases tables.Leases
	Name   string
	Owner  string
	TTL    time.Duration // how long a dead owner blocks the others; renewed three times in that span
	// Early makes the keeper renew before its time; may be nil.
	Early <-chan struct{}
	// Look is called before each renewal, since unlike that it waits for nobody who writes; its error ends the run as
	// the cause of its context. May be nil.
	Look func(ctx context.Context) error

	mu    sync.Mutex
	grant tables.Grant
	taken time.Time // until when another owner has the lease, by our clock; zero when nobody is known to
}

// releaseTime bounds giving the lease back, which spares the next owner the wait until it runs out.
const releaseTime = 2 * time.Second

// Grant is the right to write, for tables.Batch.
func (k *Keeper) Grant() tables.Grant {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.grant
}

func (k *Keeper) set(g tables.Grant) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.grant = g
}

func (k *Keeper) setTaken(until time.Time) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.taken = until
}

// Pause is how long whoever stands by waits before the next Hold: atMost, or until the lease that another owner has
// runs out, if it is not renewed. So a dead owner blocks the others for the TTL and no longer.
func (k *Keeper) Pause(atMost time.Duration) time.Duration {
	k.mu.Lock()
	defer k.mu.Unlock()
	if left := time.Until(k.taken) + expired; !k.taken.IsZero() && left < atMost {
		return max(left, expired)
	}
	return atMost
}

// expired is how long after its end a lease is asked for: the store's clock may be read a little earlier than ours.
const expired = 20 * time.Millisecond

// Hold takes the lease, runs while it can be renewed, and gives it back. mine is false when another owner has it or
// nobody could be asked. The context of run ends with the lease, whatever a renewal under way may still bring; its
// cause is then tables.ErrLeaseLost, or the error of Look, and so is the error of Hold.
func (k *Keeper) Hold(ctx context.Context, run func(context.Context) error) (mine bool, err error) {
	grant, mine, err := k.Leases.Acquire(ctx, k.Name, k.Owner, k.TTL)
	if err != nil || !mine {
		k.setTaken(grant.Until)
		return false, err
	}
	k.setTaken(time.Time{})
	k.set(grant)
	held, cancel := context.WithCancelCause(ctx)
	end := time.AfterFunc(time.Until(grant.Until), func() { cancel(tables.ErrLeaseLost) })
	var keeping sync.WaitGroup
	keeping.Go(func() { cancel(k.keep(held, end)) })
	err = run(held)
	cancel(nil)
	keeping.Wait()
	end.Stop()
	if cause := context.Cause(held); ctx.Err() == nil && !errors.Is(cause, context.Canceled) && !errors.Is(err, cause) {
		err = cause
	}
	ctx, done := context.WithTimeout(context.WithoutCancel(ctx), releaseTime)
	defer done()
	if e := k.Leases.Release(ctx, k.Grant()); e != nil {
		err = errors.Join(err, fmt.Errorf("release the lease %s: %w", k.Name, e))
	}
	return true, err
}

// keep renews until ctx ends, and says why the run must end.
func (k *Keeper) keep(ctx context.Context, end *time.Timer) error {
	for pause := k.TTL / 3; clock.SleepUnless(ctx, pause, k.Early); {
		if k.Look != nil {
			if err := k.Look(ctx); err != nil {
				return err
			}
		}
		next, still, err := k.Leases.Renew(ctx, k.Grant(), k.TTL)
		switch {
		case err != nil: // tried again until the lease ends
			pause = k.TTL / 12
			continue
		case !still:
			return tables.ErrLeaseLost
		}
		k.set(next)
		end.Reset(time.Until(next.Until))
		pause = k.TTL / 3
	}
	return nil
}
