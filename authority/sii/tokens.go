package sii

import (
	"context"
	"time"

	"folio/authority/wire"
)

// Vault keeps secrets sealed across restarts.
type Vault = wire.Vault

// tokenLife is how long a token is used. SII's own limit is not published; an hour has
// been seen, and one that ended sooner is renewed when it is refused.
const tokenLife = 50 * time.Minute

// token is one of a certificate and system: the one at hand, unless it is the refused one, or
// a new one.
func (t talk) token(ctx context.Context, s system, refused wire.Ticket) (wire.Ticket, error) {
	login := wire.Login{Ref: "token-sii-" + t.endpoints.Environment + "-" + string(s) + "-" + t.fingerprint,
		Do: func(ctx context.Context) (wire.Ticket, error) {
			token, err := t.login(ctx, t.identity, s)
			return wire.Ticket{Token: token, Expires: t.now().Add(tokenLife)}, err
		}}
	if refused.Token == "" {
		return t.tokens.Get(ctx, login)
	}
	return t.tokens.Renew(ctx, login, refused, false)
}
