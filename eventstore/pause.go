package eventstore

import (
	"context"
	"math/rand/v2"
	"time"

	"folio/clock"
)

const (
	firstPause   = 20 * time.Millisecond
	longestPause = 2 * time.Second
)

// backoff is the longest wait before repetition try (from 0): doubling, capped.
func backoff(try int) time.Duration {
	return min(firstPause<<min(try, 10), longestPause)
}

// pause waits between half and the whole of backoff(try), so that many followers do
// not come back at once; false when ctx ends first.
func pause(ctx context.Context, try int) bool {
	d := backoff(try)
	return clock.Sleep(ctx, d/2+rand.N(d/2))
}
