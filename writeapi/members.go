package writeapi

import (
	"net/http"
	"time"

	"folio/commands/account"
	"folio/commands/company"
	"folio/httpapi"
	"folio/scope"
	"folio/strict"

	"github.com/go-chi/chi/v5"
)

func readGrant(o strict.Object) (email string, role scope.Role) {
	email = o.String("email", strict.Required, strict.MaxLen(254))
	role = scope.Role(o.String("role", strict.Required, strict.MaxLen(20)))
	if role != "" && role != scope.Issuer && role != scope.Auditor {
		o.Fail("role", strict.CodeNotAllowed, "Use issuer or auditor: the owner is the account that the company belongs to.")
	}
	return email, role
}

// grantAccess lets another account look at the company, or issue for it.
func (a api) grantAccess(w http.ResponseWriter, r *http.Request) error {
	body, err := httpapi.ReadJSON(w, r)
	if err != nil {
		return err
	}
	o := body.Object()
	email, role := readGrant(o)
	if err := o.Done(); err != nil {
		return err
	}
	s, err := a.ownCompany(r, chi.URLParam(r, "id_company"))
	if err != nil {
		return err
	}
	to, found, err := a.log.Accounts.Load(r.Context(), account.ID(email))
	switch {
	case err != nil:
		return err
	case !found:
		return account.ErrUnknown
	case to.Disabled:
		return account.ErrDisabled
	}
	out, err := a.log.Companies.Execute(r.Context(), s.Company,
		company.Grant{Account: to.Account, Email: to.Email, Role: role}, request(r))
	if err != nil {
		return err
	}
	a.shown(w, r, "companies", out.Position)
	status := http.StatusCreated
	if len(out.Events) == 0 {
		status = http.StatusOK
	}
	return httpapi.JSON(w, status, struct {
		Account string    `json:"id_account"`
		Email   string    `json:"email"`
		Role    string    `json:"role"`
		Scopes  []string  `json:"scopes"`
		Since   time.Time `json:"since"`
	}{to.Account, to.Email, string(role), (role.Scopes() & to.Role.Scopes()).Names(), out.State.Since(to.Account)})
}

// withdrawAccess takes it back: the next request of the account is refused.
func (a api) withdrawAccess(w http.ResponseWriter, r *http.Request) error {
	id, err := httpapi.PathID(r, "id_account")
	if err != nil {
		return company.ErrNoMember
	}
	s, err := a.ownCompany(r, chi.URLParam(r, "id_company"))
	if err != nil {
		return err
	}
	out, err := a.log.Companies.Execute(r.Context(), s.Company, company.Withdraw{Account: id}, request(r))
	if err != nil {
		return err
	}
	a.shown(w, r, "companies", out.Position)
	httpapi.NoContent(w)
	return nil
}
