package main

import (
	"context"
	"errors"
	"fmt"
	"testing"

	mailer "folio/processors/mail"
	"folio/projections/engine"
	"folio/tables"
)

// A try of an e-mail counts only where its documents cannot be made: what is late or away is waited for.
func TestWhatIsLateIsNoTryOfAnEmail(t *testing.T) {
	for _, c := range []struct {
		err    error
		counts bool
	}{
		{fmt.Errorf("projection submissions has not come to C:5/P:5 yet: %w", context.DeadlineExceeded), false},
		{engine.ErrNotBuilt, false},
		{fmt.Errorf("read the submission: %w", engine.ErrNotBuilt), false},
		{fmt.Errorf("read the submission: %w", tables.ErrUnavailable), false},
		{errors.New("page 1: no such glyph"), true},
		{engine.ErrNotFound, true},
	} {
		err := unmade(t.Context(), c.err)
		if counts := errors.As(err, new(*mailer.Unmade)); counts != c.counts || !errors.Is(err, c.err) {
			t.Errorf("%v: a try %t, want %t", c.err, counts, c.counts)
		}
	}
}
