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

// vaultMark is a secret that every used vault holds: without it the vault is new.
const vaultMark = "vault-in-use"

// checkVault refuses a new vault beside a log that refers to secrets: passwords and
// certificates cannot be rebuilt, and every answer that needs one would fail later.
func (s *stores) checkVault(ctx context.Context) error {
	_, err := s.vault.Open(ctx, vaultMark)
	if err == nil || !errors.Is(err, vault.ErrNotFound) {
		return err
	}
	for _, err := range s.log.All(ctx, events.Position{}, eventstore.Filter{Streams: []string{account.Decider.Category + "-"}}) {
		if err != nil {
			return fmt.Errorf("look for accounts: %w", err)
		}
		return errors.New("the vault is empty, but the event log refers to passwords and certificates in it: bring vault.db (or its MongoDB database) and the master key back from a backup")
	}
	if err := s.vault.Seal(ctx, vaultMark, []byte(s.id)); err != nil {
		return fmt.Errorf("mark the vault as used: %w", err)
	}
	return nil
}
