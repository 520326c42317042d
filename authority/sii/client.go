package sii

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"folio/authority"
	"folio/authority/wire"
)

// Options of a client; Endpoints is required.
type Options struct {
	Endpoints Endpoints
	// HTTP is wire.NewClient(0) when nil.
	HTTP *http.Client
	// Vault keeps tokens, and what was sent of each document with its track id, across restarts; nil
	// keeps them in memory only.
	Vault Vault
	// Now is time.Now when nil. It dates stamps and signatures.
	Now func() time.Time
	Log *slog.Logger
}

// Client speaks to one environment. It is safe for concurrent use.
type Client struct {
	endpoints Endpoints
	http      *http.Client
	now       func() time.Time
	tokens    *wire.Tickets
	// sent is what was sent last of each document, with the receipt.
	sent *wire.Kept
}

// New makes a client. It does no I/O.
func New(o Options) *Client {
	client, now := wire.Ready(o.HTTP, o.Now)
	c := &Client{endpoints: o.Endpoints, http: client, now: now}
	c.tokens = wire.NewTickets(wire.TicketOptions{Vault: o.Vault, Now: c.now, Log: o.Log})
	c.sent = &wire.Kept{Vault: o.Vault}
	return c
}

// talk is a client that acts with one certificate and records what is said.
type talk struct {
	*Client
	identity
	record authority.Recorder
}

// errToken is an answer that refuses the token and nothing else.
var errToken = errors.New("the token is refused")

// call makes a request with a token and reads the answer. When read says that the
// token is refused, a new one is got and the request made once more: nothing came of
// the first.
func (t talk) call(ctx context.Context, s system, make func(token string) request, read func(reply) error) error {
	var token wire.Ticket
	for again := true; ; again = false {
		var err error
		if token, err = t.token(ctx, s, token); err != nil {
			return err
		}
		err = t.once(ctx, make(token.Token), read)
		if !errors.Is(err, errToken) {
			return err
		}
		if !again {
			return authority.NotSent(err)
		}
	}
}

// once makes one call and records it.
func (t talk) once(ctx context.Context, r request, read func(reply) error) error {
	x := authority.Exchange{Operation: r.op, At: t.now()}
	shown := r.shown
	if shown == nil {
		shown = r.body
	}
	if shown == nil {
		shown = []byte(r.method + " " + r.url)
	}
	x.Request = wire.Keep(shown, r.token)
	got, err := do(ctx, t.http, r)
	x.Answer = wire.Keep(got.Body, r.token)
	if err == nil {
		err = read(got)
	}
	wire.Tell(t.record, x, err)
	return err
}
