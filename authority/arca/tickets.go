package arca

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"folio/authority/wire"
)

const (
	// refreshBefore is how long before its end a ticket is replaced.
	refreshBefore = 12 * time.Minute
	// faultHold is how long a refusal of WSAA is repeated without asking again: its
	// specification wants at least 60 s between tries.
	faultHold = 60 * time.Second
	// askedHold is the same where a person asked for the login: impatience must not
	// become a login a second.
	askedHold = 5 * time.Second
	// renewHold is how long a ticket that lacks a taxpayer is not replaced again: the
	// guard window of WSAA in homologation.
	renewHold = 10 * time.Minute
)

// newTickets keeps tickets as WSAA wants it. A refusal of WSAA is held, and so is a ticket
// that had ended when it was given: the next login would be refused by the guard window.
func newTickets(vault wire.Vault, now func() time.Time, log *slog.Logger) *wire.Tickets {
	return wire.NewTickets(wire.TicketOptions{
		Vault: vault, Now: now, Log: log, Early: refreshBefore, Hold: faultHold, AskedHold: askedHold, RenewHold: renewHold,
		Holds: func(err error) bool {
			var fault *LoginFault
			return errors.As(err, &fault) || errors.Is(err, ErrClock)
		},
		Given: func(err error) bool { return errors.Is(err, ErrAlreadyAuthenticated) },
	})
}

// fresh wants a ticket that has not ended: a clock that runs ahead makes it seem so.
func fresh(t Ticket, now time.Time) (Ticket, error) {
	if !t.Valid(now) {
		return Ticket{}, fmt.Errorf("%w: the authority's fresh ticket ended at %s", ErrClock,
			t.Expires.UTC().Format(time.RFC3339))
	}
	return t, nil
}

// login is the way to a ticket of a certificate for a service.
func (c *Client) login(cred Credential, service string) wire.Login {
	return wire.Login{Ref: "ticket-" + c.endpoints.Environment + "-" + service + "-" + cred.Fingerprint(),
		AskAgain: cred.AskAgain,
		Do: func(ctx context.Context) (Ticket, error) {
			t, err := WSAA{c.http, c.endpoints.WSAA}.Login(ctx, cred, service, c.now())
			if err != nil {
				return t, err
			}
			return fresh(t, c.now())
		}}
}
