package eventstore_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"folio/clock/clocktest"
	"folio/eventstore"
)

func TestCallsOfOneRequestShareItsDeadline(t *testing.T) {
	f, l := running(t)
	f.before = func(int) error { return status.Error(codes.Aborted, "Operation timed out: Commit phase timeout.") }
	var ctx context.Context
	clocktest.Prompt(t, "five calls, of 2 s each without the budget,", 1500*time.Millisecond, func() {
		ctx = eventstore.WithBudget(t.Context(), 300*time.Millisecond)
		for range 5 {
			if _, err := l.Append(ctx, "s-1", eventstore.NoStream, pending("A", "1")); !errors.Is(err,
				eventstore.ErrUnavailable) {
				t.Fatal(err)
			}
		}
	})
	if left := eventstore.Left(ctx, time.Second); left > time.Millisecond {
		t.Errorf("%v are left", left)
	}
}
