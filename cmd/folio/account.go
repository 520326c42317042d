package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"
	"golang.org/x/term"

	"folio/commands"
	"folio/commands/account"
)

type accountCmd struct {
	Add     accountAddCmd     `cmd:"" help:"Add an account: whoever has it can make companies and their API keys."`
	Disable accountDisableCmd `cmd:"" help:"Disable an account; its tokens stop at once."`
}

type accountAddCmd struct {
	dataFlags
	Email    string `arg:"" help:"E-mail address to log in with."`
	Password string `help:"Password; better given as FOLIO_PASSWORD or typed. Empty: one is drawn and printed." placeholder:"PASSWORD"`
}

// Run works beside a running service and without one.
func (c *accountAddCmd) Run(ctx context.Context) error {
	s, err := openStores(ctx, c.dataFlags, false, c.logger())
	if err != nil {
		return err
	}
	err = c.add(ctx, s)
	return errors.Join(err, s.close(ctx))
}

func (c *accountAddCmd) add(ctx context.Context, s *stores) error {
	password, drawn, err := c.password()
	if err != nil {
		return err
	}
	accounts, err := openAccounts(ctx, commands.NewExecutor(s.log, time.Now), s.vault)
	if err != nil {
		return err
	}
	if _, err := accounts.Register(ctx, c.Email, password, "folio account add"); err != nil {
		return err
	}
	fmt.Printf("account added: %s\n", c.Email)
	if drawn {
		fmt.Printf("password, shown this once: %s\n", password)
	}
	return nil
}

// password is the flag's, or one that is typed at a terminal, or a drawn one.
func (c *accountAddCmd) password() (password string, drawn bool, err error) {
	if c.Password != "" {
		return c.Password, false, nil
	}
	if term.IsTerminal(int(os.Stdin.Fd())) {
		fmt.Fprint(os.Stderr, "password (empty: one is drawn): ")
		typed, err := term.ReadPassword(int(os.Stdin.Fd()))
		fmt.Fprintln(os.Stderr)
		if err != nil {
			return "", false, fmt.Errorf("read the password: %w", err)
		}
		if len(typed) > 0 {
			return string(typed), false, nil
		}
	} else if line, _ := bufio.NewReader(os.Stdin).ReadString('\n'); strings.TrimSpace(line) != "" {
		return strings.TrimRight(line, "\r\n"), false, nil
	}
	return rand.Text(), true, nil
}

type accountDisableCmd struct {
	dataFlags
	Email string `arg:"" help:"E-mail address of the account."`
}

// Run works beside a running service and without one.
func (c *accountDisableCmd) Run(ctx context.Context) error {
	if err := c.exists(); err != nil {
		return err
	}
	s, err := openStores(ctx, c.dataFlags, false, c.logger())
	if err != nil {
		return err
	}
	_, err = commands.Execute(ctx, commands.NewExecutor(s.log, time.Now), account.Decider, account.ID(c.Email),
		account.Command(account.Disable{}), commands.Request{ID: commands.Derived("disable", ulid.Make().String()), Actor: "folio account disable", At: time.Now()})
	if err == nil {
		fmt.Printf("account disabled: %s\n", account.Normal(c.Email))
	}
	return errors.Join(err, s.close(ctx))
}
