package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

type vaultCmd struct {
	Renew  vaultRenewCmd  `cmd:"" help:"Begin a new vault for a log whose own cannot be opened any more: its secrets and files are given up."`
	Rotate vaultRotateCmd `cmd:"" help:"Seal every secret and file anew with a new data key, beside a running service too. If it is interrupted, run it again."`
}

type vaultRotateCmd struct {
	dataFlags
	Master  bool `help:"Change the master key first. The old one is kept beside it: backups from before need it."`
	Prepare bool `help:"Only make the next master key, for hosts that must have it before the change: copy it to each of them."`
	Tokens  bool `help:"Draw a new key for the signatures of tokens too: every session ends once each process was started again."`
}

// Validate is called by the parser.
func (c *vaultRotateCmd) Validate() error {
	if c.Prepare && (c.Master || c.Tokens) {
		return errors.New("--prepare goes alone: copy the key to every host, then run this again with --master")
	}
	return nil
}

// Run works beside a running service and without one.
func (c *vaultRotateCmd) Run(ctx context.Context) error {
	return onStores(ctx, c.dataFlags, func(s *stores) error {
		if c.Prepare {
			return prepareMasterKey(s)
		}
		if c.Master {
			if err := c.rotateMaster(ctx, s); err != nil {
				return err
			}
		}
		if c.Tokens {
			if err := drawTokenKey(ctx, s.vault.Seal); err != nil {
				return err
			}
			fmt.Println("tokens are signed with a new key: start every process of the service again")
		}
		return rotateData(ctx, s)
	})
}

func prepareMasterKey(s *stores) error {
	path, err := s.vault.PrepareMasterKey()
	if err != nil {
		return err
	}
	fmt.Printf("the next master key is %s: copy it to the same place on every host, then run 'folio vault rotate "+
		"--master' on one\n", path)
	return nil
}

func (c *vaultRotateCmd) rotateMaster(ctx context.Context, s *stores) error {
	kept, err := s.vault.RotateMasterKey(ctx)
	if err != nil {
		return err
	}
	fmt.Printf("%s holds a new master key: keep a copy elsewhere, without it the vault cannot be opened\n", c.masterKey())
	fmt.Printf("the old one is %s: keep it with the backups from before, which it opens, and off this machine\n", kept)
	return nil
}

func rotateData(ctx context.Context, s *stores) error {
	bar := startValues("sealed anew")
	r, err := s.vault.RotateDataKey(ctx, func(values int) { _ = bar.Set(values) })
	_ = bar.Finish()
	if err != nil {
		return fmt.Errorf("%w: nothing is lost, run it again", err)
	}
	if r.Resumed {
		fmt.Println("a rotation that had been interrupted is finished: run this again for a key that is drawn now")
	}
	fmt.Printf("values sealed with the new data key: %d\n", r.Resealed)
	if len(r.Damaged) > 0 {
		return fmt.Errorf("these open with no key, so they were spoilt before: %s", strings.Join(r.Damaged, ", "))
	}
	return nil
}
