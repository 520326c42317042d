package tables

import (
	"context"
	"fmt"
	"time"
)

// Grant is a lease that was given.
type Grant struct {
	Name  string
	Owner string
	// Token is the fencing token: higher with every new owner, so that whoever sees two
	// knows which is stale.
	Token int64
	// Until is when the lease ends by the owner's own clock, read before the store was
	// asked. An owner stops acting by then, whatever the renewal in flight may bring.
	Until time.Time
}

// Leases choose one active owner for a feed or a worklist among replicas.
//
// Expiry is judged by one clock: that of the database server in MongoDB, that of the
// machine (or the injected one) in SQLite. A lease protects against work done twice
// most of the time; a paused owner can wake up after its lease ended, so what it could
// still do must be harmless, and Batch.Lease refuses what it would still write.
type Leases interface {
	// Acquire takes a free or expired lease, or extends the caller's own. False, with the
	// present owner's grant, says that somebody else holds it. Owner must be unique to
	// the running process, not to the machine: a restarted process is another owner.
	Acquire(ctx context.Context, name, owner string, ttl time.Duration) (Grant, bool, error)
	// Renew extends g by ttl from now; false when it has expired or is another's.
	Renew(ctx context.Context, g Grant, ttl time.Duration) (Grant, bool, error)
	// Release gives the lease up at once, if g still holds it.
	Release(ctx context.Context, g Grant) error
}

// CheckLease refuses arguments that make no lease.
func CheckLease(name, owner string, ttl time.Duration) error {
	if name == "" || owner == "" || !text(name) || !text(owner) || ttl < time.Millisecond {
		return fmt.Errorf("lease %q for %q, %s: want a name, an owner and at least a millisecond: %w",
			clip(name), clip(owner), ttl, ErrInvalid)
	}
	return nil
}
