package main

import (
	"context"
	"fmt"
	"time"

	"folio/commands"
	"folio/processors/notary"
	"folio/processors/reactor"
)

type notaryCmd struct {
	Rotate notaryRotateCmd `cmd:"" help:"Replace the key that signs checkpoints; the old one signs the new one."`
	Begin  notaryBeginCmd  `cmd:"" help:"Begin another tree, because log or vault are an older copy. It commits to the last checkpoint that was signed."`
}

type notaryRotateCmd struct {
	dataFlags
	Reason string `help:"Why. It is recorded." required:"" type:"words"`
}

// Run works beside a running service, which signs with the new key from its next checkpoint on.
func (c *notaryRotateCmd) Run(ctx context.Context) error {
	return onStores(ctx, c.dataFlags, func(s *stores) error {
		from, to, err := s.trees("folio notary rotate").Rotate(ctx, c.Reason)
		if err != nil {
			return err
		}
		fmt.Printf("checkpoints were signed with\n  %s\nand are from the next one on with\n  %s\n", from, to)
		return nil
	})
}

type notaryBeginCmd struct {
	dataFlags
	Reason string `help:"Why. It is recorded." required:"" type:"words"`
}

// Run works beside a running service, which goes on with the new tree.
func (c *notaryBeginCmd) Run(ctx context.Context) error {
	return onStores(ctx, c.dataFlags, func(s *stores) error {
		tree, err := s.trees("folio notary begin").BeginAgain(ctx, c.Reason)
		if err != nil {
			return err
		}
		fmt.Printf("the tree %s has begun; its verifier key is\n  %s\n", tree.Origin, tree.Key)
		// A service that stands at what is wrong with the old tree looks again after minutes; this it hears in seconds.
		return reactor.AskRebuild(ctx, s.tables, s.id, notary.Name)
	})
}

func (s *stores) trees(actor string) notary.Trees {
	return notary.Trees{Executor: commands.NewExecutor(s.log, time.Now), Secrets: s.vault, Log: s.id, Actor: actor,
		Now: time.Now}
}
