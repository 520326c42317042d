package wire_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"folio/authority/drivertest"
	"folio/authority/wire"
)

// Of an authority whose refusals are not held, such as SII.
func TestATicketIsKeptUntilItEndsOrIsRefused(t *testing.T) {
	now, logins := time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC), 0
	var away error
	vault := &drivertest.Vault{}
	login := wire.Login{Ref: "token-test", Do: func(context.Context) (wire.Ticket, error) {
		logins++
		return wire.Ticket{Token: fmt.Sprint("secret-", logins), Expires: now.Add(time.Hour)}, away
	}}
	open := func() *wire.Tickets {
		return wire.NewTickets(wire.TicketOptions{Vault: vault, Now: func() time.Time { return now }})
	}
	tickets := open()
	get := func(want string, from *wire.Tickets) wire.Ticket {
		t.Helper()
		got, err := from.Get(t.Context(), login)
		if err != nil || got.Token != want {
			t.Fatalf("%q, %v; want %q", got.Token, err, want)
		}
		return got
	}
	first := get("secret-1", tickets)
	get("secret-1", open()) // another process of the same vault
	now = now.Add(time.Hour)
	get("secret-2", tickets)
	if got, err := tickets.Renew(t.Context(), login, first, false); err != nil || got.Token != "secret-2" {
		t.Errorf("%q, %v: another caller had replaced it", got.Token, err)
	}
	away = errors.New("away")
	if _, err := tickets.Renew(t.Context(), login, wire.Ticket{Token: "secret-2"}, false); !errors.Is(err, away) {
		t.Errorf("%v", err)
	}
	if blob := string(vault.Secrets()["token-test"]); blob == "" || wire.Keep([]byte(blob), "secret-2") == nil ||
		string(wire.Keep([]byte(blob), "secret-2")) != blob {
		t.Errorf("a refused ticket is kept: %s", blob)
	}
	away = nil
	get("secret-4", tickets)
}
