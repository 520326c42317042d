package writeapi

import (
	"net/http"

	"folio/httpapi"
	"folio/strict"
)

// maxLogin bounds the bodies that anybody may send without a credential, in bytes.
const maxLogin = 16 << 10

func readLogin(o strict.Object) (email, password string) {
	return o.String("email", strict.Required, strict.MaxLen(320)),
		o.String("password", strict.Required, strict.MaxLen(256))
}

func (a api) login(w http.ResponseWriter, r *http.Request) error {
	body, err := httpapi.ReadShortJSON(w, r, maxLogin)
	if err != nil {
		return err
	}
	o := body.Object()
	email, password := readLogin(o)
	if err := o.Done(); err != nil {
		return err
	}
	token, expiresIn, err := a.Login.Login(r.Context(), email, password, httpapi.Place(r.Context()))
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "no-store")
	return httpapi.JSON(w, http.StatusOK, struct {
		AccessToken string `json:"access_token"`
		TokenType   string `json:"token_type"`
		ExpiresIn   int    `json:"expires_in"` // seconds
	}{token, "Bearer", expiresIn})
}

// logout stops the token that the request came with.
func (a api) logout(w http.ResponseWriter, r *http.Request) error {
	if err := a.Login.Logout(r.Context(), httpapi.BearerToken(r), request(r)); err != nil {
		return err
	}
	httpapi.NoContent(w)
	return nil
}
