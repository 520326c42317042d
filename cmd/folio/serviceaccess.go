package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"folio/access"
	"folio/commands"
	"folio/vault"
)

// openAccess opens what knows callers.
func (s *service) openAccess(ctx context.Context) (err error) {
	if s.usage, err = access.OpenUsage(ctx, s.tables, s.logger, time.Now); err != nil {
		return err
	}
	if s.accounts, err = openAccounts(ctx, s.executor, s.vault); err != nil {
		return err
	}
	return s.accounts.KeepPlaces(ctx, s.tables, s.logger)
}

// openAccounts takes the signing key of tokens from the vault, drawn at first use.
func openAccounts(ctx context.Context, x *commands.Executor, v *vault.Sealed) (*access.Accounts, error) {
	key, err := v.Open(ctx, tokenKey)
	if errors.Is(err, vault.ErrNotFound) {
		if err := drawTokenKey(ctx, v.SealFirst); err != nil {
			return nil, err
		}
		key, err = v.Open(ctx, tokenKey)
	}
	if err != nil {
		return nil, fmt.Errorf("signing key of tokens: %w", err)
	}
	return access.NewAccounts(x, v, key, time.Now)
}

// drawTokenKey seals a new signing key of tokens: with Vault.SealFirst at a first start, so
// that of two at once one decides for both.
func drawTokenKey(ctx context.Context, seal func(ctx context.Context, ref string, secret []byte) error) error {
	key := make([]byte, 32)
	if _, err := rand.Read(key); err != nil {
		return fmt.Errorf("draw the signing key of tokens: %w", err)
	}
	if err := seal(ctx, tokenKey, key); err != nil {
		return fmt.Errorf("signing key of tokens: %w", err)
	}
	return nil
}
