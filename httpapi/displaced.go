package httpapi

import (
	"context"
	"time"
)

// Displaced waits beside a call that keeps a place while it waits itself. It is true once the call
// must leave: the service stops, or wanted, which is asked each second, says that others need the
// place. It is false when ctx ends before.
func Displaced(ctx context.Context, wanted func() bool) bool {
	look := time.NewTicker(time.Second)
	defer look.Stop()
	for {
		select {
		case <-Stopping(ctx):
			return true
		case <-look.C:
			if wanted() {
				return true
			}
		case <-ctx.Done():
			return false
		}
	}
}
