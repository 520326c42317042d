package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"folio/access"
	"folio/eventstore/node"
	"folio/vault"
	vaultsqlite "folio/vault/sqlite"
)

type vaultRenewCmd struct {
	dataFlags
	GiveUp bool `name:"give-up-secrets" required:"" help:"Nobody has the master key, no backup can be restored, and what the vault held is given up."`
}

// renewing is what vaultMark says while a renewal is not finished.
const renewing = "renewing"

// Run works without a running service only: one that runs has the keys in memory.
func (c *vaultRenewCmd) Run(ctx context.Context) error {
	if c.inMongo() {
		return errors.New("folio vault renew is for the vault in the data folder: restore the MongoDB database from its " +
			"backup")
	}
	if err := c.exists(); err != nil {
		return err
	}
	if _, err := node.FindAddress(c.nodeDir()); !errors.Is(err, node.ErrNotRunning) {
		return errors.Join(errors.New("a service runs on this folder and has the keys in memory: stop it first"), err)
	}
	begun, err := c.look(ctx)
	if err != nil {
		return err
	}
	if !begun {
		if err := c.begin(ctx); err != nil {
			return err
		}
	}
	return c.finish(ctx)
}

func (c *vaultRenewCmd) file() string { return filepath.Join(c.Data, "vault.db") }

// look says whether a renewal was begun and interrupted. A vault that opens with its own
// secrets is not given up.
func (c *vaultRenewCmd) look(ctx context.Context) (begun bool, err error) {
	v, err := vaultsqlite.Open(ctx, c.file(), c.masterKey())
	if errors.Is(err, vault.ErrWrongMasterKey) || errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, v.Close()) }()
	mark, err := v.Open(ctx, vaultMark)
	switch {
	case errors.Is(err, vault.ErrNotFound):
		return true, v.Seal(ctx, vaultMark, []byte(renewing)) // new, or never this log's
	case err != nil:
		return false, err
	case string(mark) != renewing:
		return false, errors.New("the vault opens with its master key: there is nothing to give up")
	}
	return true, nil
}

// begin puts the old vault and the key that does not open it away, and makes new ones.
// Nothing is deleted: the right key may turn up.
func (c *vaultRenewCmd) begin(ctx context.Context) error {
	if _, err := os.Stat(c.file() + "-wal"); err == nil {
		return fmt.Errorf("another process has %s open: end it first", c.file())
	}
	suffix := ".lost-" + time.Now().UTC().Format("20060102T150405Z")
	for _, name := range []string{c.masterKey(), c.file()} {
		switch err := os.Rename(name, name+suffix); {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return err
		}
		fmt.Printf("%s is now %s\n", name, filepath.Base(name+suffix))
	}
	v, err := vaultsqlite.Open(ctx, c.file(), c.masterKey())
	if err != nil {
		return err
	}
	return errors.Join(v.Seal(ctx, vaultMark, []byte(renewing)), v.Close())
}

// finish replaces every account's password, whose hash was in the old vault, by one that
// nobody knows: it can then be set anew like a forgotten one.
func (c *vaultRenewCmd) finish(ctx context.Context) error {
	return onAccounts(ctx, c.dataFlags, func(s *stores, a *access.Accounts) error {
		all, err := allAccounts(ctx, s.log)
		if err != nil {
			return err
		}
		for _, one := range all {
			if err := a.SetPassword(ctx, one.Email, rand.Text(), operated("vault renew")); err != nil {
				return err
			}
			fmt.Printf("the password of %s is lost: 'folio account reset %s'\n", one.Email, one.Email)
		}
		if err := s.trees("folio vault renew").NewVault(ctx, "the vault was given up"); err != nil {
			return fmt.Errorf("begin another tree of the transparency log: %w", err)
		}
		if err := s.vault.Seal(ctx, vaultMark, []byte(s.id)); err != nil {
			return fmt.Errorf("mark the vault as used: %w", err)
		}
		fmt.Printf("a new vault begins, with the master key %s: keep a copy of it elsewhere\n", c.masterKey())
		fmt.Println("each company must upload its certificate, numbering files and logo again: the same files are taken")
		return nil
	})
}
