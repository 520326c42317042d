package access

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"

	"folio/commands"
	"folio/commands/account"
	"folio/fault"
)

// checkPassword refuses a password outside MinPassword to MaxPassword bytes; path is the
// member that it came in.
func checkPassword(path, password string) error {
	if len(password) < MinPassword || len(password) > MaxPassword {
		return fault.Field(path, "PASSWORD_LENGTH",
			fmt.Sprintf("Use %d to %d characters (bytes of UTF-8).", MinPassword, MaxPassword))
	}
	return nil
}

// sealPassword seals the hash of a new password and gives its reference. The references
// of earlier ones stay: a log that is restored from a backup refers to them again.
func (a *Accounts) sealPassword(ctx context.Context, id, password string) (ref string, err error) {
	sealed, err := a.hasher.hash(ctx, id, password)
	if err != nil {
		return "", err
	}
	ref = "account/" + id + "/password/" + ulid.Make().String()
	if err := a.secrets.Seal(ctx, ref, sealed); err != nil {
		return "", fmt.Errorf("seal the password: %w", err)
	}
	return ref, nil
}

// ChangePassword replaces the password of whoever knows the present one, which is
// throttled like a log-in. Every token of the account stops.
func (a *Accounts) ChangePassword(ctx context.Context, to account.Renewal, r commands.Request) error {
	if err := checkPassword("new_password", to.Password); err != nil {
		return err
	}
	id := account.ID(to.Email)
	s, err := a.prove(ctx, id, to.Proof, to.Place)
	if err != nil {
		return err
	}
	ref, err := a.sealPassword(ctx, s.Account, to.Password)
	if err != nil {
		return err
	}
	return a.decide(ctx, id, account.ChangePassword{Secret: ref, Was: s.Secret}, r)
}

// SetPassword replaces an account's password on the operator's word. Every token of the
// account stops.
func (a *Accounts) SetPassword(ctx context.Context, email, next string, r commands.Request) error {
	if err := checkPassword("password", next); err != nil {
		return err
	}
	id := account.ID(email)
	s, found, err := a.accounts.Load(ctx, id)
	if err == nil && !found {
		err = account.ErrUnknown
	}
	if err != nil {
		return err
	}
	ref, err := a.sealPassword(ctx, s.Account, next)
	if err != nil {
		return err
	}
	return a.decide(ctx, id, account.ChangePassword{Secret: ref}, r)
}

// OfferReset draws a code with which the account's password can be set once, within life.
// Only its hash is kept.
func (a *Accounts) OfferReset(ctx context.Context, email string, life time.Duration, r commands.Request) (code string,
	err error) {
	code = rand.Text()
	return code, a.decide(ctx, account.ID(email), account.OfferReset{SHA256: resetHash(code), Until: r.At.Add(life)}, r)
}

// ResetPassword sets the password with a code of OfferReset. An unknown account and a
// wrong, used or late code are the same fault. Guesses count like wrong passwords of the
// remote address; a code has 130 random bits, so that the account needs no such count.
func (a *Accounts) ResetPassword(ctx context.Context, to account.Renewal, r commands.Request) error {
	if err := checkPassword("new_password", to.Password); err != nil {
		return err
	}
	id, place := account.ID(to.Email), subject{"resets " + to.Place, crowdRule}
	if err := a.throttle.check(place); err != nil {
		return err
	}
	s, _, err := a.accounts.Load(ctx, id) // the offer came from another process, just now
	if err != nil {
		return err
	}
	hash := resetHash(to.Proof)
	if !s.Resets(hash, r.At) {
		a.throttle.failed(place)
		return account.ErrResetCode
	}
	ref, err := a.sealPassword(ctx, s.Account, to.Password)
	if err != nil {
		return err
	}
	return a.decide(ctx, id, account.ResetPassword{SHA256: hash, Secret: ref, At: r.At}, r)
}

// EndSessions stops every token of an account.
func (a *Accounts) EndSessions(ctx context.Context, email string, r commands.Request) error {
	return a.decide(ctx, account.ID(email), account.EndSessions{}, r)
}

func (a *Accounts) decide(ctx context.Context, id string, c account.Command, r commands.Request) error {
	_, err := a.accounts.Execute(ctx, id, c, r)
	return err
}

// resetHash is what is kept of a code. It is typed by people: case and spaces around it
// do not matter.
func resetHash(code string) string {
	sum := sha256.Sum256([]byte(strings.ToUpper(strings.TrimSpace(code))))
	return hex.EncodeToString(sum[:])
}
