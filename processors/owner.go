// Package processors holds what reacts to facts with effects. Each processor folds
// events into a worklist of its own; workers take what is due, act, and record what
// happened as commands. Losing the tables costs time, never an effect twice.
package processors

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"folio/tables"
)

// Processor is a named consumer of the log. The name is its checkpoint and its
// lease, and never changes.
type Processor interface {
	Name() string
	// Run works until ctx ends or the processor cannot go on. Only the owner of the
	// lease runs it.
	Run(ctx context.Context) error
	// Status says whether it runs, and why not.
	Status() Status
	// WakeAll ends every pause after a failure: what failed is tried again at once,
	// because the log or an authority is back.
	WakeAll()
}

// Status is the health of a processor.
type Status struct {
	Name     string    `json:"name"`
	Owner    bool      `json:"owner"`     // this process runs it; otherwise it stands by
	CaughtUp bool      `json:"caught_up"` // it has heard all that is in the log
	Fault    string    `json:"fault,omitempty"`
	Since    time.Time `json:"since"`
}

// leaseTime is how long a dead owner blocks others.
const leaseTime = 10 * time.Second

// Own runs a function while this process holds the lease, again and again, until ctx
// ends. Losing the lease cancels the function's context.
func Own(ctx context.Context, log *slog.Logger, leases tables.Leases, name, owner string, run func(context.Context) error) error {
	told := false // one line tells that the leases are away, however long they are
	for ctx.Err() == nil {
		grant, mine, err := leases.Acquire(ctx, name, owner, leaseTime)
		if err != nil && ctx.Err() == nil && !told {
			log.Warn("the lease cannot be asked for", "processor", name, "error", err)
		}
		told = err != nil
		if err == nil && mine {
			err := hold(ctx, leases, grant, run)
			switch {
			case err == nil || ctx.Err() != nil:
			case errors.Is(err, errLost), errors.Is(err, tables.ErrCheckpointMoved), errors.Is(err, tables.ErrUnavailable):
				log.Warn("processor stopped, asking for its lease again", "processor", name, "error", err)
			default:
				log.Warn("processor stopped, starting it again", "processor", name, "error", err)
			}
		}
		wait(ctx, leaseTime/4)
	}
	return nil
}

// errLost is no fault: the owner changes when the tables answer too late.
var errLost = errors.New("the lease ended before it was renewed, or went to another owner")

// hold runs while the lease can be renewed. The run's context ends with the lease,
// whatever a renewal that is under way may still bring (tables.Grant.Until).
func hold(ctx context.Context, leases tables.Leases, grant tables.Grant, run func(context.Context) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	end := time.AfterFunc(time.Until(grant.Until), func() { cancel(errLost) })
	defer end.Stop()
	o := &owned{}
	ctx = context.WithValue(ctx, ownedKey{}, o)
	renewed := make(chan struct{})
	go func() {
		defer close(renewed)
		for wait(ctx, leaseTime/3) {
			next, still, err := leases.Renew(ctx, grant, leaseTime)
			switch {
			case err != nil: // tried again until the lease ends
			case !still:
				cancel(errLost)
				return
			default:
				grant.Until = next.Until
				end.Reset(time.Until(grant.Until))
				if verify := o.verify.Load(); verify != nil {
					(*verify)(ctx)
				}
			}
		}
	}()
	err := run(ctx)
	cancel(nil)
	<-renewed
	if cause := context.Cause(ctx); errors.Is(cause, errLost) {
		err = cause
	}
	release, done := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer done()
	return errors.Join(err, leases.Release(release, grant))
}

func wait(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}
