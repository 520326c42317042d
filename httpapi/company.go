package httpapi

import (
	"cmp"
	"context"
	"net/http"

	"github.com/go-chi/chi/v5"

	"folio/fault"
	"folio/scope"
)

// Members knows what an account may in a company: nothing in one that it has no business
// with, or that is not there.
type Members interface {
	MayIn(ctx context.Context, account, company string) (scope.Set, error)
}

// Seen keeps what somebody reads, or is refused, who may only read: an auditor, or a key. Refused is the constant of
// the fault that he is refused with, empty for who is answered. When it fails, the caller is not answered.
type Seen func(ctx context.Context, who Principal, r *http.Request, refused string) error

// CompanyHeader names the company that a token is used for where the path names none.
const CompanyHeader = "Folio-Company"

// ErrNoCompany is the fault of a company that is not there or not the caller's.
var ErrNoCompany = fault.New(fault.NotFound, "COMPANY_NOT_FOUND",
	"There is no such company among yours: list them with GET /api/companies and GET /api/account.")

// ErrNotOwner is the fault of a caller that may do something in the company, but not what its owner alone may.
var ErrNotOwner = fault.New(fault.Forbidden, "OWNER_ONLY", "Only the account that the company belongs to may do this: "+
	"its keys, its members and its access log are the owner's. Ask the owner.")

// MissingScope tells which scope a request needs.
func MissingScope(needed scope.Set) *fault.Error {
	return fault.New(fault.Forbidden, "SCOPE_MISSING", "This needs the scope "+needed.Names()[0]+
		", which the key or the role does not have. Use a key with it, or ask the company's owner.")
}

// RequireCompany lets pass whoever may do what is needed in one company: its API keys, and
// accounts with a role in it. Where the route's pattern has {id_company} that is the company;
// elsewhere a key is of one, and a token comes with CompanyHeader. The caller has its Company
// from then on. What a caller reads that may only read (an auditor, a key) is kept first.
func RequireCompany(needed scope.Set) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return require(
			admit(next, needed),
			challengeBearer+", "+challengeKey,
			func(x *exchange, r *http.Request) (Principal, error) {
				if x.key.shown || !x.bearer.shown {
					return x.key.or(ErrNoKey)
				}
				return x.member(r)
			},
		)
	}
}

// member is the account of the token as a member of the company that the request names.
func (x *exchange) member(r *http.Request) (Principal, error) {
	who, err := x.bearer.or(ErrNoKey)
	if err != nil {
		return who, err
	}
	company := namedCompany(r)
	if company == "" || x.members == nil {
		return Principal{}, ErrNoKey
	}
	if !plainID(company) {
		return Principal{}, ErrNoCompany
	}
	may, err := x.members.MayIn(r.Context(), who.Account, company)
	if err != nil {
		return Principal{}, err
	}
	if who.Scopes &= may; who.Scopes == 0 {
		return Principal{}, ErrNoCompany
	}
	who.Company = company
	return who, nil
}

// namedCompany is the company of the path or, where that names none, of CompanyHeader.
func namedCompany(r *http.Request) string {
	return cmp.Or(chi.URLParam(r, "id_company"), r.Header.Get(CompanyHeader))
}

// admit looks at the scopes of a caller that is known, and keeps what one reads, or is refused, that may only read.
func admit(next http.Handler, needed scope.Set) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		x := exchangeOf(r.Context())
		if !x.caller.Scopes.Has(needed) {
			Fail(w, r, Refused(r, cmp.Or(x.caller.Company, chi.URLParam(r, "id_company")), MissingScope(needed)))
			return
		}
		if err := Kept(r); err != nil {
			Fail(w, r, err)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// Kept has Seen keep that the caller is answered with something of his company, if he may only read there. What needs
// RequireCompany is kept by that.
func Kept(r *http.Request) error {
	x := exchangeOf(r.Context())
	if x.caller.Company == "" {
		return nil
	}
	return x.keep(r, x.caller, "")
}

// keep has Seen keep what a caller does in his company who may only read there.
func (x *exchange) keep(r *http.Request, who Principal, refused string) error {
	if x.seen == nil || who.Scopes != scope.Read {
		return nil
	}
	return x.seen(r.Context(), who, r, refused)
}

// Refused is what a caller is refused with in a company: why, once it is kept where he may only read there. Its owner
// wants to see what was tried beyond what was given. Who may nothing in the company leaves no line in it: otherwise
// any account could write into the log of any company.
func Refused(r *http.Request, company string, why *fault.Error) error {
	x := exchangeOf(r.Context())
	who := x.caller
	if who.Company == "" { // an account, on a path of accounts
		if x.members == nil || !plainID(company) {
			return why
		}
		may, err := x.members.MayIn(r.Context(), who.Account, company)
		if err != nil {
			return err
		}
		who.Company, who.Scopes = company, who.Scopes&may
	}
	if err := x.keep(r, who, why.Constant); err != nil {
		return err
	}
	return why
}

// RequireScope refuses callers without a scope. It stands behind another Require middleware.
func RequireScope(needed scope.Set) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler { return admit(next, needed) }
}
