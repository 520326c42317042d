package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"golang.org/x/term"

	"folio/commands"
	"folio/commands/account"
	"folio/scope"
)

type accountCmd struct {
	Add         accountAddCmd         `cmd:"" help:"Add an account: whoever has it can make companies and their API keys."`
	List        accountListCmd        `cmd:"" help:"List the accounts."`
	Disable     accountDisableCmd     `cmd:"" help:"Disable an account; its tokens stop at once. With --revoke-keys its API keys stop too."`
	Password    accountPasswordCmd    `cmd:"" help:"Set an account's password; its tokens stop at once."`
	Reset       accountResetCmd       `cmd:"" help:"Print a code with which the account's owner sets a new password, once."`
	EndSessions accountEndSessionsCmd `cmd:"" name:"end-sessions" help:"Stop every token of an account, or of all of them."`
}

// passwordFlag is a password that is given, typed or drawn.
type passwordFlag struct {
	Password string `help:"Password; better given as FOLIO_PASSWORD or typed. Empty: one is drawn and printed." placeholder:"PASSWORD"`
}

type accountAddCmd struct {
	dataFlags
	Email string `arg:"" help:"E-mail address to log in with."`
	Role  string `help:"The most that it may be in any company: owner, issuer, or auditor, who only reads companies that it is given." enum:"owner,issuer,auditor" default:"owner"`
	passwordFlag
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
	if _, err := accounts.RegisterAs(ctx, scope.Role(c.Role), c.Email, password, "folio account add"); err != nil {
		return err
	}
	fmt.Printf("account added: %s\n", c.Email)
	showDrawn(password, drawn)
	return nil
}

func showDrawn(password string, drawn bool) {
	if drawn {
		fmt.Printf("password, shown this once: %s\n", password)
	}
}

// password is the flag's, or one that is typed at a terminal, or a drawn one.
func (c passwordFlag) password() (password string, drawn bool, err error) {
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
	Email      string `arg:"" help:"E-mail address of the account."`
	RevokeKeys bool   `help:"Revoke every API key that the account made, and every key of its companies. Otherwise they go on."`
}

// Run works beside a running service and without one.
func (c *accountDisableCmd) Run(ctx context.Context) error {
	return onStores(ctx, c.dataFlags, func(s *stores) error {
		x := commands.NewExecutor(s.log, time.Now)
		out, err := commands.Bind(x, account.Decider).Execute(ctx, account.ID(c.Email), account.Disable{},
			operated("account disable"))
		if err != nil {
			return err
		}
		fmt.Printf("account disabled: %s\n", out.State.Email)
		keys, err := keysOf(ctx, s, out.State.Account)
		switch {
		case err != nil:
			return err
		case c.RevokeKeys:
			return revokeKeys(ctx, x, keys)
		case len(keys) > 0:
			fmt.Println("its API keys go on: --revoke-keys stops them too, and 'folio key list' shows them")
		}
		return nil
	})
}

// keysOf are the keys that an account made and those of its companies, without those that were revoked.
func keysOf(ctx context.Context, s *stores, id string) ([]issuedKey, error) {
	companies, err := allCompanies(ctx, s.log)
	if err != nil {
		return nil, err
	}
	keys, err := allKeys(ctx, s.log)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(keys, func(k issuedKey) bool {
		return k.revoked != "" || k.Account != id && companies[k.Company].Account != id
	}), nil
}

// revokeKeys revokes the keys of an account that is disabled: no further one comes.
func revokeKeys(ctx context.Context, x *commands.Executor, keys []issuedKey) error {
	for _, k := range keys {
		if err := revokeKey(ctx, x, k.Key); err != nil {
			return err
		}
	}
	fmt.Printf("API keys revoked: %d\n", len(keys))
	return nil
}
