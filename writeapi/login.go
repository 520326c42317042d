package writeapi

import (
	"net"
	"net/http"
	"net/netip"

	"folio/httpapi"
)

func (a api) login(w http.ResponseWriter, r *http.Request) error {
	body, err := httpapi.ReadJSON(w, r)
	if err != nil {
		return err
	}
	o := body.Object()
	email, password := o.String("email", httpapi.Required, httpapi.MaxLen(320)), o.String("password", httpapi.Required, httpapi.MaxLen(256))
	if err := o.Done(); err != nil {
		return err
	}
	token, expiresIn, err := a.Login.Login(r.Context(), email, password, remote(r))
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

// remote is whose failures count together: an address, of IPv6 the /64 that one host
// owns whole. X-Forwarded-For is never read: anyone can write it.
func remote(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	address, err := netip.ParseAddr(host)
	if err != nil {
		return host
	}
	address = address.Unmap().WithZone("")
	if address.Is6() {
		return netip.PrefixFrom(address, 64).Masked().String()
	}
	return address.String()
}
