package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/oklog/ulid/v2"

	"folio/commands"
	"folio/commands/account"
	"folio/commands/company"
	"folio/eventstore"
)

type companyCmd struct {
	List companyListCmd `cmd:"" help:"List the companies and the accounts that they belong to."`
	Move companyMoveCmd `cmd:"" help:"Move a company to another account; its API keys go on."`
}

// allCompanies folds every company.
func allCompanies(ctx context.Context, log *eventstore.Log) (map[string]company.State, error) {
	states, _, err := foldAll(ctx, log, company.Decider)
	return states, err
}

type companyListCmd struct{ dataFlags }

// Run works beside a running service and without one.
func (c *companyListCmd) Run(ctx context.Context) error {
	return onStores(ctx, c.dataFlags, func(s *stores) error {
		states, order, err := foldAll(ctx, s.log, company.Decider)
		if err != nil {
			return err
		}
		accounts, err := allAccounts(ctx, s.log)
		if err != nil {
			return err
		}
		emails := map[string]string{}
		for _, a := range accounts {
			emails[a.Account] = a.Email
		}
		w := tabwriter.NewWriter(os.Stdout, 0, 4, 2, ' ', 0)
		fmt.Fprintln(w, "COMPANY\tCOUNTRY\tTAX IDENTIFIER\tACCOUNT\tE-MAIL\tNAME")
		for _, id := range order {
			x := states[id]
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", x.Company, x.Country, x.TaxIdentifier, x.Account, emails[x.Account],
				x.LegalName)
		}
		return w.Flush()
	})
}

type companyMoveCmd struct {
	dataFlags
	Company string `arg:"" help:"Company id as 'folio company list' shows it."`
	Email   string `arg:"" help:"E-mail address of the account that it moves to."`
}

// Run works beside a running service and without one.
func (c *companyMoveCmd) Run(ctx context.Context) error {
	if _, err := ulid.ParseStrict(c.Company); err != nil {
		return fmt.Errorf("%q is no company id: 'folio company list' shows them", c.Company)
	}
	return onStores(ctx, c.dataFlags, func(s *stores) error {
		x := commands.NewExecutor(s.log, time.Now)
		to, found, err := commands.Bind(x, account.Decider).Load(ctx, account.ID(c.Email))
		switch {
		case err != nil:
			return err
		case !found:
			return account.ErrUnknown
		case to.Disabled:
			return fmt.Errorf("the account %s is disabled: move the company to another one", to.Email)
		}
		out, err := commands.Bind(x, company.Decider).Execute(ctx, c.Company, company.Move{Account: to.Account},
			operated("company move"))
		if err != nil {
			return err
		}
		if len(out.Events) == 0 {
			fmt.Printf("company %s is %s's already\n", c.Company, to.Email)
			return nil
		}
		fmt.Printf("company %s moved to %s\n", c.Company, to.Email)
		return c.sayKeys(ctx, s)
	})
}

// sayKeys says what becomes of the keys that work. An imported company has none: an export holds no credentials.
func (c *companyMoveCmd) sayKeys(ctx context.Context, s *stores) error {
	keys, err := allKeys(ctx, s.log)
	if err != nil {
		return err
	}
	now := time.Now()
	if slices.ContainsFunc(keys, func(k issuedKey) bool {
		state, _ := k.standing(now)
		return k.Company == c.Company && state == keyWorks
	}) {
		fmt.Printf("its API keys go on: 'folio key list --company %s' shows them\n", c.Company)
		return nil
	}
	fmt.Println("it has no API key that works: its new account makes one with POST /api/companies/apikey")
	return nil
}
