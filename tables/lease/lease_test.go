package lease_test

import (
	"context"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"folio/tables/lease"
	"folio/tables/sqlite"
)

const ttl = 9 * time.Second

// Whoever stands by has the lease of an owner that died as soon as it runs out, however seldom it asks otherwise.
func TestTheLeaseOfADeadOwnerIsTakenWhenItRunsOut(t *testing.T) {
	file := filepath.Join(t.TempDir(), "tables.db")
	for _, asks := range []time.Duration{ttl / 4, ttl / 3, ttl} {
		synctest.Test(t, func(t *testing.T) {
			store, err := sqlite.Open(t.Context(), file)
			if err != nil {
				t.Fatal(err)
			}
			defer store.Close()
			dead, ok, err := store.Acquire(t.Context(), asks.String(), "dead", ttl)
			if err != nil || !ok {
				t.Fatal(ok, err)
			}
			heir := &lease.Keeper{Leases: store, Name: asks.String(), Owner: "heir", TTL: ttl}
			if heir.Pause(asks) != asks {
				t.Errorf("before the first try it waits %s", heir.Pause(asks))
			}
			time.Sleep(700 * time.Millisecond) // of the bubble
			for held := false; !held; {
				held, err = heir.Hold(t.Context(), func(context.Context) error { return nil })
				if err != nil {
					t.Fatal(err)
				}
				if !held {
					time.Sleep(heir.Pause(asks))
				}
			}
			if late := time.Since(dead.Until); late < 0 || late > 100*time.Millisecond {
				t.Errorf("asked every %s, it has the lease %s after its end", asks, late)
			}
			if heir.Pause(asks) != asks {
				t.Errorf("after a run of its own it waits %s", heir.Pause(asks))
			}
		})
	}
}

// An owner that renews is asked as often as ever, not at each end that it moves.
func TestAnOwnerThatRenewsIsAskedNowAndThen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "tables.db"))
		if err != nil {
			t.Fatal(err)
		}
		defer store.Close()
		owner := &lease.Keeper{Leases: store, Name: "x", Owner: "owner", TTL: ttl}
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			_, _ = owner.Hold(ctx, func(ctx context.Context) error { <-ctx.Done(); return nil })
		}()
		synctest.Wait()
		other := &lease.Keeper{Leases: store, Name: "x", Owner: "other", TTL: ttl}
		asked := 0
		for began := time.Now(); time.Since(began) < time.Minute; asked++ {
			if mine, err := other.Hold(t.Context(), func(context.Context) error { return nil }); mine || err != nil {
				t.Fatal(mine, err)
			}
			time.Sleep(other.Pause(ttl / 4))
		}
		if most := int(time.Minute/(ttl/4)) + 1; asked > most {
			t.Errorf("asked %d times in a minute, want %d at most", asked, most)
		}
		stop()
		<-done
	})
}
