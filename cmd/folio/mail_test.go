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

// What is said of half of the settings names the flag that is missing.
func TestHalfOfAMailServerIsRefused(t *testing.T) {
	for want, f := range map[string]mailFlags{
		"--smtp-host needs --smtp-from, the sender of the messages": {SMTPHost: "mail.example.com"},
		"--smtp-from and --smtp-user need --smtp-host":              {SMTPFrom: "facturas@example.com"},
	} {
		if _, err := f.server(); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
