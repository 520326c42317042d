package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"text/tabwriter"
	"time"

	"folio/access"
	"folio/commands"
	"folio/commands/account"
	"folio/eventstore"
)

type accountPasswordCmd struct {
	dataFlags
	Email string `arg:"" help:"E-mail address of the account."`
	passwordFlag
}

// Run works beside a running service and without one.
func (c *accountPasswordCmd) Run(ctx context.Context) error {
	return onAccounts(ctx, c.dataFlags, func(_ *stores, a *access.Accounts) error {
		password, drawn, err := c.password()
		if err != nil {
			return err
		}
		if err := a.SetPassword(ctx, c.Email, password, operated("account password")); err != nil {
			return err
		}
		fmt.Printf("password set, and every session of %s ended\n", account.Normal(c.Email))
		showDrawn(password, drawn)
		return nil
	})
}

type accountResetCmd struct {
	dataFlags
	Email string        `arg:"" help:"E-mail address of the account."`
	For   time.Duration `help:"How long the code is good for." default:"1h"`
}

// Validate is called by the parser.
func (c *accountResetCmd) Validate() error {
	if c.For <= 0 || c.For > 7*24*time.Hour {
		return errors.New("--for: a code is good for some time, a week (168h) at most")
	}
	return nil
}

// Run works beside a running service and without one.
func (c *accountResetCmd) Run(ctx context.Context) error {
	return onAccounts(ctx, c.dataFlags, func(_ *stores, a *access.Accounts) error {
		code, err := a.OfferReset(ctx, c.Email, c.For, operated("account reset"))
		if err != nil {
			return err
		}
		fmt.Printf("reset code, shown this once, good for %s: %s\n", c.For, code)
		fmt.Println("its owner sends it with POST /api/account/password-reset; until then the old password works")
		return nil
	})
}

type accountEndSessionsCmd struct {
	dataFlags
	Email string `arg:"" optional:"" help:"E-mail address of the account."`
	All   bool   `help:"End the sessions of every account."`
}

// Validate is called by the parser.
func (c *accountEndSessionsCmd) Validate() error {
	if (c.Email == "") != c.All {
		return errors.New("name an account, or say --all")
	}
	return nil
}

// Run works beside a running service and without one.
func (c *accountEndSessionsCmd) Run(ctx context.Context) error {
	return onAccounts(ctx, c.dataFlags, func(s *stores, a *access.Accounts) error {
		emails := []string{c.Email}
		if c.All {
			all, err := allAccounts(ctx, s.log)
			if err != nil {
				return err
			}
			emails = nil
			for _, one := range all {
				emails = append(emails, one.Email)
			}
		}
		for _, email := range emails {
			if err := a.EndSessions(ctx, email, operated("account end-sessions")); err != nil {
				return err
			}
			fmt.Printf("every session of %s ended\n", account.Normal(email))
		}
		return nil
	})
}

type accountListCmd struct{ dataFlags }

// Run works beside a running service and without one.
func (c *accountListCmd) Run(ctx context.Context) error {
	return onStores(ctx, c.dataFlags, func(s *stores) error {
		all, err := allAccounts(ctx, s.log)
		if err != nil {
			return err
		}
		w := tabwriter.NewWriter(os.Stdout, 0, 4, 2, ' ', 0)
		fmt.Fprintln(w, "ACCOUNT\tE-MAIL\tSTATE\tROLE")
		for _, a := range all {
			state := "goes on"
			if a.Disabled {
				state = "disabled"
			}
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", a.Account, a.Email, state, a.Role)
		}
		return w.Flush()
	})
}

// allAccounts folds every account, in order of registration.
func allAccounts(ctx context.Context, log *eventstore.Log) ([]account.State, error) {
	states, order, err := foldAll(ctx, log, account.Decider)
	if err != nil {
		return nil, err
	}
	out := make([]account.State, len(order))
	for i, id := range order {
		out[i] = states[id]
	}
	return out, nil
}

// onAccounts is onStores with the door for accounts.
func onAccounts(ctx context.Context, d dataFlags, do func(*stores, *access.Accounts) error) error {
	return onStores(ctx, d, func(s *stores) error {
		a, err := openAccounts(ctx, commands.NewExecutor(s.log, time.Now), s.vault)
		if err != nil {
			return err
		}
		return do(s, a)
	})
}
