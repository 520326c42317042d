package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/oklog/ulid/v2"

	"folio/commands/account"
	"folio/events"
	"folio/eventstore"
	"folio/fault"
)

type serveCmd struct {
	serveFlags
	BootstrapEmail    string `help:"E-mail of the first account of an empty service." placeholder:"EMAIL"`
	BootstrapPassword string `help:"Its password. Without both, an account is made and printed once." placeholder:"PASSWORD"`
}

// Run serves until ctx ends.
func (c *serveCmd) Run(ctx context.Context) error {
	s, err := newService(ctx, c.serveFlags, c.logger())
	if err != nil {
		return err
	}
	if err := s.bootstrap(ctx, c.BootstrapEmail, c.BootstrapPassword); err != nil {
		return errors.Join(err, s.close(ctx))
	}
	return s.run(ctx, func() { fmt.Printf("listening on %s\n", s.address) })
}

// bootstrap makes the first account of an empty service: the one that was asked for,
// or one with a drawn password that is printed once and kept nowhere.
func (s *service) bootstrap(ctx context.Context, email, password string) error {
	if !s.flags.has(roleWrite) {
		return nil
	}
	for _, err := range s.log.All(ctx, events.Position{}, eventstore.Filter{Streams: []string{account.Decider.Category + "-"}}) {
		if err != nil {
			return fmt.Errorf("look for accounts: %w", err)
		}
		return nil
	}
	drawn := email == "" || password == ""
	if drawn {
		email, password = "admin@folio.example", ulid.Make().String()
	}
	if _, err := s.accounts.Register(ctx, email, password, "folio serve"); err != nil {
		if f := fault.As(err); f != nil && f.Constant == account.ErrExists.Constant {
			return nil
		}
		return fmt.Errorf("make the first account: %w", err)
	}
	if drawn {
		fmt.Fprintf(os.Stdout, "first account, shown this once: e-mail %s, password %s\n", email, password)
	} else {
		fmt.Fprintf(os.Stdout, "first account: %s\n", email)
	}
	return nil
}
