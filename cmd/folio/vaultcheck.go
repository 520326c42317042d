package main

import (
	"context"
	"errors"
	"fmt"

	"folio/commands/account"
	"folio/events"
	"folio/eventstore"
	"folio/vault"
)

// vaultMark is a secret of every vault that was found to be the log's, with the id of that log:
// the log is read for that once.
const vaultMark = "vault-in-use"

// checkVault refuses a new vault beside a log that refers to secrets: passwords and certificates
// cannot be rebuilt, and every answer that needs one would fail later. A vault that was in use
// with another log is taken, since logs are put aside and exchanged while incidents are cured; who
// logs in without a password there is told so.
func (s *stores) checkVault(ctx context.Context) error {
	_, err := s.vault.Open(ctx, vaultMark)
	if err == nil || !errors.Is(err, vault.ErrNotFound) {
		return err
	}
	if err := s.findPassword(ctx); err != nil {
		return err
	}
	if err := s.vault.Seal(ctx, vaultMark, []byte(s.id)); err != nil {
		return fmt.Errorf("mark the vault as used: %w", err)
	}
	return nil
}

// findPassword looks for the first account's password, which was sealed before the log
// referred to it. A log without accounts goes with any vault.
func (s *stores) findPassword(ctx context.Context) error {
	for r, err := range s.log.All(ctx, events.Position{},
		eventstore.Filter{Streams: []string{account.Decider.Category + "-"}}) {
		if err != nil {
			return fmt.Errorf("look for accounts: %w", err)
		}
		r, err = events.Open(r)
		e, ok := r.Event.(events.AccountRegistered)
		if err != nil || !ok || events.KinshipOf(r) != events.Known {
			continue // another application's, or one account's trouble
		}
		_, err = s.vault.Open(ctx, e.Secret)
		if errors.Is(err, vault.ErrNotFound) {
			return errors.New("the vault lacks the passwords and certificates that the event log refers to: bring vault.db " +
				"(or its MongoDB database) and the master key of this event log back from a backup")
		}
		return err
	}
	return nil
}
