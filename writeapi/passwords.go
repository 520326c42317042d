package writeapi

import (
	"context"
	"net/http"

	"folio/commands"
	"folio/commands/account"
	"folio/httpapi"
	"folio/strict"
)

// maxPassword bounds what is read at all; how long a new password may be is for Login to
// say.
const maxPassword = 1024

// What proves that a password is one's own to change.
const (
	presentPassword = "current_password"
	resetCode       = "code"
)

// changePassword needs no token: the present password is the credential.
func (a api) changePassword(w http.ResponseWriter, r *http.Request) error {
	return renewPassword(w, r, presentPassword, a.Login.ChangePassword)
}

// resetPassword takes a code of the operator in its place.
func (a api) resetPassword(w http.ResponseWriter, r *http.Request) error {
	return renewPassword(w, r, resetCode, a.Login.ResetPassword)
}

func renewPassword(w http.ResponseWriter, r *http.Request, proof string,
	renew func(context.Context, account.Renewal, commands.Request) error) error {
	body, err := httpapi.ReadShortJSON(w, r, maxLogin)
	if err != nil {
		return err
	}
	o := body.Object()
	to := readRenewal(o, proof)
	to.Place = httpapi.Place(r.Context())
	if err := o.Done(); err != nil {
		return err
	}
	if err := renew(r.Context(), to, request(r)); err != nil {
		return err
	}
	httpapi.NoContent(w)
	return nil
}

func readRenewal(o strict.Object, proof string) account.Renewal {
	return account.Renewal{
		Email:    o.String("email", strict.Required, strict.MaxLen(320)),
		Proof:    o.String(proof, strict.Required, strict.MaxLen(256)),
		Password: o.String("new_password", strict.Required, strict.MaxLen(maxPassword)),
	}
}
