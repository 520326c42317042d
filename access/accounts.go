package access

import (
	"context"
	"errors"
	"fmt"
	"net/mail"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/oklog/ulid/v2"

	"folio/commands"
	"folio/commands/account"
	"folio/fault"
	"folio/httpapi"
	"folio/scope"
)

// Secrets is what access needs of the vault.
type Secrets interface {
	Seal(ctx context.Context, ref string, secret []byte) error
	Open(ctx context.Context, ref string) ([]byte, error)
}

// Accounts registers people and lets them in.
type Accounts struct {
	x        *commands.Executor
	accounts commands.Aggregates[account.State, account.Command]
	secrets  Secrets
	now      func() time.Time
	hasher   hasher
	throttle *throttle
	places   *places
	signing  []byte
	offline  Offline
}

// NewAccounts makes the door for accounts. Signing is the key of tokens: at least 32
// random bytes, kept in the vault, the same in every process.
func NewAccounts(x *commands.Executor, secrets Secrets, signing []byte, now func() time.Time) (*Accounts, error) {
	if len(signing) < 32 {
		return nil, errors.New("the signing key of tokens has fewer than 32 bytes")
	}
	return &Accounts{x: x, accounts: commands.Bind(x, account.Decider), secrets: secrets, now: now, hasher: newHasher(),
		throttle: newThrottle(now),
		places:   newPlaces(signing, now), signing: signing}, nil
}

// Offline lets tokens go on that only read while the log is away, those of accounts that this
// process knows; without it they do so for a minute.
func (a *Accounts) Offline(o Offline) { a.offline = o }

// Register makes an account that may be everything. It refuses an address that is none or is
// taken, and a password outside MinPassword to MaxPassword bytes.
func (a *Accounts) Register(ctx context.Context, email, password, actor string) (id string, err error) {
	return a.RegisterAs(ctx, "", email, password, actor)
}

// RegisterAs is Register of an account that may be no more than the role anywhere.
func (a *Accounts) RegisterAs(ctx context.Context, most scope.Role, email, password,
	actor string) (id string, err error) {
	if addr, err := mail.ParseAddress(email); err != nil || addr.Address != email {
		return "", fault.Field("email", "NOT_AN_EMAIL", "Write an address such as ana@example.com.")
	}
	if err := checkPassword("password", password); err != nil {
		return "", err
	}
	id = ulid.Make().String()
	ref, err := a.sealPassword(ctx, id, password)
	if err != nil {
		return "", err
	}
	_, err = a.accounts.Execute(ctx, account.ID(email),
		account.Register{Account: id, Email: email, Secret: ref, Role: most},
		commands.Request{ID: commands.Derived("account", id), Correlation: id, Actor: actor, At: a.now()})
	return id, err
}

// Most is what the account of an address may anywhere by its own role; nothing for one that is disabled or not there.
func (a *Accounts) Most(ctx context.Context, email string) (scope.Set, error) {
	s, found, err := a.cachedAccount(ctx, account.ID(email))
	if err != nil || !found || s.Disabled {
		return 0, err
	}
	return s.Role.Scopes(), nil
}

// claims are what a token says.
type claims struct {
	jwt.RegisteredClaims        // subject: the account's id
	Stream               string `json:"acc"` // the account's aggregate id
	Secret               string `json:"pwd"` // which password it was got with
	Sessions             int    `json:"ses"` // how often the account's sessions had been ended
}

// Login checks the password and gives a token with its life in seconds. A wrong
// password and an unknown address are the same fault and take the same time; both are
// throttled: see prove. Remote names where the caller is.
func (a *Accounts) Login(ctx context.Context, email, password, remote string) (token string, expiresIn int, err error) {
	id := account.ID(email)
	s, err := a.prove(ctx, id, password, remote)
	if err != nil {
		return "", 0, err
	}
	now := a.now()
	signed, err := jwt.NewWithClaims(jwt.SigningMethodHS256, claims{
		RegisteredClaims: jwt.RegisteredClaims{Subject: s.Account, IssuedAt: jwt.NewNumericDate(now),
			ExpiresAt: jwt.NewNumericDate(now.Add(account.TokenLife)), ID: ulid.Make().String()},
		Stream: id, Secret: s.Secret, Sessions: s.Sessions,
	}).SignedString(a.signing)
	if err != nil {
		return "", 0, fmt.Errorf("sign a token: %w", err)
	}
	return signed, int(account.TokenLife / time.Second), nil
}

var errLogin = fault.New(fault.Unauthorized, "LOGIN_FAILED",
	"The e-mail and the password do not belong together. Check both; an operator can make an account with 'folio "+
		"account add'.")

// maxToken bounds what is parsed at all.
const maxToken = 2048

// Bearer is who a token belongs to. A token of a disabled account, one that was logged out of, and one got with an
// earlier password or before all sessions were ended, is refused at once.
func (a *Accounts) Bearer(ctx context.Context, token string) (httpapi.Principal, error) {
	c, err := a.read(token)
	if err != nil {
		return httpapi.Principal{}, err
	}
	s, found, err := a.cachedAccount(ctx, c.Stream)
	if err != nil {
		return httpapi.Principal{}, err
	}
	if !found || s.Disabled || s.Account != c.Subject || s.Secret != c.Secret || s.Sessions != c.Sessions ||
		s.HasEnded(c.ID) {
		return httpapi.Principal{}, refusedToken(c)
	}
	return httpapi.Principal{Kind: httpapi.Account, Account: s.Account, Scopes: s.Role.Scopes()}, nil
}

// refusedToken refuses a token that this service signed.
func refusedToken(c claims) error {
	return &httpapi.RefusedCredential{Whose: httpapi.Principal{Kind: httpapi.Account, Account: c.Subject},
		Err: httpapi.ErrBadCredential}
}

// read is what a token says that this service signed and that has not ended by itself.
func (a *Accounts) read(token string) (c claims, err error) {
	if len(token) > maxToken {
		return c, httpapi.ErrBadCredential
	}
	_, err = jwt.ParseWithClaims(token, &c, func(*jwt.Token) (any, error) { return a.signing, nil },
		jwt.WithValidMethods([]string{jwt.SigningMethodHS256.Alg()}), jwt.WithExpirationRequired(), jwt.WithTimeFunc(a.now))
	if errors.Is(err, jwt.ErrTokenExpired) { // asked after the signature
		return c, refusedToken(c)
	}
	if err != nil {
		return c, httpapi.ErrBadCredential
	}
	return c, nil
}

// Logout stops one token in every process. Other tokens of the account go on.
func (a *Accounts) Logout(ctx context.Context, token string, r commands.Request) error {
	c, err := a.read(token)
	if err != nil {
		return err
	}
	return a.decide(ctx, c.Stream, account.EndSession{Session: c.ID, Until: c.ExpiresAt.Time, At: a.now()}, r)
}
