package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"text/tabwriter"
	"time"

	"github.com/oklog/ulid/v2"

	"folio/access"
	"folio/commands"
	"folio/commands/apikey"
	"folio/events"
	"folio/eventstore"
)

type keyCmd struct {
	List   keyListCmd   `cmd:"" help:"List API keys, without their secrets."`
	Revoke keyRevokeCmd `cmd:"" help:"Revoke an API key; it stops at once."`
}

// issuedKey is a key as its stream tells it.
type issuedKey struct {
	events.APIKeyIssued
	at      time.Time
	revoked string // when and by whom; empty for one that is not
}

// allKeys reads every API key, in order of issue.
func allKeys(ctx context.Context, log *eventstore.Log) ([]issuedKey, error) {
	var keys []issuedKey
	place := map[string]int{} // by stream
	for r, err := range log.All(ctx, events.Position{}, eventstore.Filter{Streams: []string{apikey.Decider.Stream("")}}) {
		if err == nil {
			r, err = events.Open(r)
		}
		if err != nil {
			return nil, fmt.Errorf("read the API keys: %w", err)
		}
		switch e := r.Event.(type) {
		case events.APIKeyIssued:
			place[r.Stream] = len(keys)
			keys = append(keys, issuedKey{e, r.Meta.At, ""})
		case events.APIKeyRevoked:
			keys[place[r.Stream]].revoked = r.Meta.At.UTC().Format(time.RFC3339) + " by " + r.Meta.Actor
		case events.APIKeyReplaced:
			k := &keys[place[r.Stream]]
			if k.ExpiresAt == nil || e.Until.Before(*k.ExpiresAt) {
				k.ExpiresAt = &e.Until
			}
		}
	}
	return keys, nil
}

type keyListCmd struct {
	dataFlags
	Company string `help:"Keys of this company only." placeholder:"ID"`
	Account string `help:"Keys that this account made only." placeholder:"ID"`
	Revoked bool   `help:"Revoked ones too."`
}

// Run works beside a running service and without one.
func (c *keyListCmd) Run(ctx context.Context) error {
	return onStores(ctx, c.dataFlags, func(s *stores) error {
		keys, err := allKeys(ctx, s.log)
		if err != nil {
			return err
		}
		use, err := access.OpenUsage(ctx, s.tables, c.logger(), time.Now)
		if err != nil {
			return err
		}
		w := tabwriter.NewWriter(os.Stdout, 0, 4, 2, ' ', 0)
		fmt.Fprintln(w, "KEY\tNAME\tCOMPANY\tACCOUNT\tISSUED\tLAST USED\tEXPIRES\tSTATE\tDESCRIPTION")
		for _, k := range keys {
			if k.revoked != "" && !c.Revoked || c.Company != "" && c.Company != k.Company ||
				c.Account != "" && c.Account != k.Account {
				continue
			}
			used, err := use.LastUsed(ctx, k.Key)
			if err != nil {
				return err
			}
			used = cmp.Or(used, "never")
			state, expires := k.standing(time.Now())
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", k.Key, cmp.Or(k.Name, "-"), k.Company, k.Account,
				k.at.UTC().Format(time.DateOnly), used, expires, state, k.Description)
		}
		return w.Flush()
	})
}

// keyWorks is the state of a key that lets its holder in.
const keyWorks = "works"

// standing is whether a key works at a time, and until when.
func (k issuedKey) standing(now time.Time) (state, expires string) {
	state, expires = keyWorks, "never"
	if k.ExpiresAt != nil {
		if expires = k.ExpiresAt.UTC().Format(time.RFC3339); !now.Before(*k.ExpiresAt) {
			state = "expired"
		}
	}
	if k.revoked != "" {
		state = "revoked " + k.revoked
	}
	return state, expires
}

type keyRevokeCmd struct {
	dataFlags
	Key string `arg:"" help:"Key id as 'folio key list' shows it, or the key itself as it was found."`
}

// Run works beside a running service and without one.
func (c *keyRevokeCmd) Run(ctx context.Context) error {
	id := access.KeyID(c.Key)
	if _, err := ulid.ParseStrict(id); err != nil {
		return fmt.Errorf("this is no API key and no id of one: 'folio key list' shows them")
	}
	return onStores(ctx, c.dataFlags, func(s *stores) error {
		if err := revokeKey(ctx, commands.NewExecutor(s.log, time.Now), id); err != nil {
			return err
		}
		fmt.Printf("API key revoked: %s\n", id)
		return nil
	})
}

// revokeKey revokes a key, whichever company's it is.
func revokeKey(ctx context.Context, x *commands.Executor, id string) error {
	k, found, err := commands.Bind(x, apikey.Decider).Load(ctx, id)
	if err == nil && !found {
		err = fmt.Errorf("there is no API key %s: 'folio key list' shows them", id)
	}
	if err != nil {
		return err
	}
	_, err = commands.Bind(x, apikey.Decider).Execute(ctx, id, apikey.Revoke{Company: k.Company}, operated("key revoke"))
	return err
}
