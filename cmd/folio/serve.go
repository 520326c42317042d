package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"

	"folio/commands/account"
	"folio/events"
	"folio/eventstore"
	"folio/fault"
)

type serveCmd struct {
	serveFlags
	BootstrapEmail    string `group:"first" help:"E-mail of the first account of an empty service. Without it an account is made and printed once." placeholder:"EMAIL"`
	BootstrapPassword string `group:"first" help:"Password of that account; better given as FOLIO_BOOTSTRAP_PASSWORD." placeholder:"PASSWORD"`

	BootstrapPasswordFile string `group:"first" help:"File that holds that password, mode 0600." type:"existingfile" placeholder:"FILE"`
}

// Validate is called by the parser.
func (c serveCmd) Validate() error {
	if (c.BootstrapEmail == "") != (c.BootstrapPassword == "" && c.BootstrapPasswordFile == "") {
		return errors.New("--bootstrap-email and --bootstrap-password go together: give both, or neither to have an " +
			"account made")
	}
	return c.serveFlags.Validate()
}

// Run serves until ctx ends.
func (c *serveCmd) Run(ctx context.Context) error {
	password, err := orFile("--bootstrap-password", c.BootstrapPassword, c.BootstrapPasswordFile)
	if err != nil {
		return err
	}
	s, err := newService(ctx, c.serveFlags, c.logger())
	if err != nil {
		return err
	}
	if err := s.bootstrap(ctx, c.BootstrapEmail, password); err != nil {
		return errors.Join(err, s.close(ctx))
	}
	return s.run(ctx, func() {
		freeMemory() // what the start alone needed
		fmt.Printf("listening on %s\n", s.address)
	})
}

// bootstrap makes the first account of an empty service: the one that was asked for,
// or one with a drawn password that is printed once and kept nowhere.
func (s *service) bootstrap(ctx context.Context, email, password string) error {
	if !s.flags.has(roleWrite) {
		return nil
	}
	for r, err := range s.log.All(ctx, events.Position{},
		eventstore.Filter{Streams: []string{account.Decider.Category + "-"}}) {
		if err != nil {
			return fmt.Errorf("look for accounts: %w", err)
		}
		if events.KinshipOf(r) == events.Known {
			return nil
		}
	}
	drawn := email == "" || password == ""
	if drawn {
		email, password = "admin@folio.example", rand.Text()
	}
	if _, err := s.accounts.Register(ctx, email, password, "folio serve"); err != nil {
		if f := fault.As(err); f != nil && f.Constant == account.ErrExists.Constant {
			return nil
		} else if f != nil && len(f.Violations) > 0 { // names the field of a request
			return errors.New("--bootstrap-" + explain(err))
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
