package writeapi

import (
	"net/http"

	"folio/httpapi"
)

// maxPassword bounds what is read at all; how long a new password may be is for Login to
// say.
const maxPassword = 1024

// changePassword needs no token: the present password is the credential.
func (a api) changePassword(w http.ResponseWriter, r *http.Request) error {
	body, err := httpapi.ReadShortJSON(w, r, maxLogin)
	if err != nil {
		return err
	}
	o := body.Object()
	email := o.String("email", httpapi.Required, httpapi.MaxLen(320))
	present := o.String("current_password", httpapi.Required, httpapi.MaxLen(256))
	next := o.String("new_password", httpapi.Required, httpapi.MaxLen(maxPassword))
	if err := o.Done(); err != nil {
		return err
	}
	if err := a.Login.ChangePassword(r.Context(), email, present, next, httpapi.Place(r.Context()), request(r)); err != nil {
		return err
	}
	httpapi.NoContent(w)
	return nil
}

func (a api) resetPassword(w http.ResponseWriter, r *http.Request) error {
	body, err := httpapi.ReadShortJSON(w, r, maxLogin)
	if err != nil {
		return err
	}
	o := body.Object()
	email := o.String("email", httpapi.Required, httpapi.MaxLen(320))
	code := o.String("code", httpapi.Required, httpapi.MaxLen(256))
	next := o.String("new_password", httpapi.Required, httpapi.MaxLen(maxPassword))
	if err := o.Done(); err != nil {
		return err
	}
	if err := a.Login.ResetPassword(r.Context(), email, code, next, httpapi.Place(r.Context()), request(r)); err != nil {
		return err
	}
	httpapi.NoContent(w)
	return nil
}
