package eventstore

import (
	"context"
	"sync/atomic"
	"time"
)

// budget is how long one request may still wait for the log, over all its calls.
type budget struct{ left atomic.Int64 }

type budgetKey struct{}

// WithBudget lets all calls made with the context wait for d together: a request that makes
// several has one deadline, however they share it. What passes between the calls, such as
// asking an authority, does not count.
func WithBudget(ctx context.Context, d time.Duration) context.Context {
	b := &budget{}
	b.left.Store(int64(d))
	return context.WithValue(ctx, budgetKey{}, b)
}

// Left is what remains of d, or of the context's budget if that is less.
func Left(ctx context.Context, d time.Duration) time.Duration {
	b, ok := ctx.Value(budgetKey{}).(*budget)
	if !ok {
		return d
	}
	return max(min(d, time.Duration(b.left.Load())), time.Millisecond)
}

// spend takes the time since began off the context's budget.
func spend(ctx context.Context, began time.Time) {
	if b, ok := ctx.Value(budgetKey{}).(*budget); ok {
		b.left.Add(-int64(time.Since(began)))
	}
}
