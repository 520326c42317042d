package readapi

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"folio/httpapi"
	"folio/projections"
	"folio/projections/engine"
	"folio/scope"
	"folio/strict"
)

// member is another account that may do something in the company.
type member struct {
	Account string    `json:"id_account"`
	Email   string    `json:"email"`
	Role    string    `json:"role"`
	Scopes  []string  `json:"scopes"` // of the role, as far as the account may have them anywhere
	Since   time.Time `json:"since"`
}

// Accounts knows what accounts may be at most.
type Accounts interface {
	// Most is what the account of an address may anywhere; nothing for one that is disabled.
	Most(ctx context.Context, email string) (scope.Set, error)
}

// listMembers lists those that the owner gave access, by when they got it.
func (a api) listMembers(w http.ResponseWriter, r *http.Request) error {
	c, err := a.company(r)
	if err != nil {
		return err
	}
	out := []member{}
	for account, m := range c.Members {
		if !m.Until.IsZero() {
			continue
		}
		most, err := a.Accounts.Most(r.Context(), m.Email)
		if err != nil {
			return err
		}
		out = append(out, member{account, m.Email, m.Role, (scope.Role(m.Role).Scopes() & most).Names(), m.Since})
	}
	slices.SortFunc(out, func(x, y member) int {
		return cmp.Or(x.Since.Compare(y.Since), cmp.Compare(x.Account, y.Account))
	})
	return httpapi.JSON(w, http.StatusOK, out)
}

// accessLine is one thing that an auditor or a key that only reads has read, or was refused.
type accessLine struct {
	At      time.Time `json:"at"`
	Account *string   `json:"id_account"` // null: a key read
	Email   *string   `json:"email"`
	Key     *string   `json:"key_id"` // null: an auditor read
	Method  string    `json:"method"`
	Path    string    `json:"path"`
	Query   *string   `json:"query"`
	Request string    `json:"request_id"`
	Refused *string   `json:"refused"` // constant of the refusal; null: it was answered
}

// listAccess lists what auditors and keys that only read have read of the company, the newest first.
func (a api) listAccess(w http.ResponseWriter, r *http.Request) error {
	c, err := a.company(r)
	if err != nil {
		return err
	}
	q := strict.ReadQuery(r)
	account, key := q.String("id_account", strict.MaxLen(64)), q.String("key_id", strict.MaxLen(64))
	return answerList(a, w, r, q, listed(projections.AccessLog,
		func(ctx context.Context, p engine.Page) (engine.List[projections.AccessLine], error) {
			return a.Documents.ListAccess(ctx, c.ID, account, key, p)
		}, sure(func(l projections.AccessLine) accessLine {
			return accessLine{
				l.At,
				pointer(l.Account),
				pointer(c.Members[l.Account].Email),
				pointer(l.Key),
				l.Method,
				l.Path,
				pointer(l.Query),
				l.Request,
				pointer(l.Refused),
			}
		})))
}

// givenCompany is a company that the account was given.
type givenCompany struct {
	Company   string    `json:"id_company"`
	LegalName string    `json:"legal_name"`
	Country   string    `json:"country"`
	Role      string    `json:"role"`
	Scopes    []string  `json:"scopes"` // of the role, as far as the account may have them anywhere
	Since     time.Time `json:"since"`
}

// readAccount tells who calls, what it may at most, and which companies it was given besides
// its own.
func (a api) readAccount(w http.ResponseWriter, r *http.Request) error {
	who := httpapi.Caller(r.Context())
	if err := a.fresh(r, projections.Memberships.Name()); err != nil {
		return err
	}
	m, err := engine.Get[projections.Membership](r.Context(), a.Documents, projections.Memberships, who.Account)
	if err != nil && !errors.Is(err, engine.ErrNotFound) {
		return err
	}
	given := []givenCompany{}
	for id, g := range m.Companies {
		c, err := a.Documents.GetCompany(r.Context(), id)
		if err != nil {
			return a.missing(r.Context(), err, errNoCompany, "company-"+id)
		}
		may := scope.Role(g.Role).Scopes() & who.Scopes
		given = append(given, givenCompany{id, c.LegalName, c.Country, g.Role, may.Names(), g.Since})
	}
	slices.SortFunc(given, func(x, y givenCompany) int { return cmp.Compare(x.Company, y.Company) })
	return httpapi.JSON(w, http.StatusOK, struct {
		Account string         `json:"id_account"`
		Scopes  []string       `json:"scopes"` // the most that it may anywhere
		Given   []givenCompany `json:"given"`
	}{who.Account, who.Scopes.Names(), given})
}
