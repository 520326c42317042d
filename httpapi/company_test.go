package httpapi

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"

	"folio/fault"
	"folio/scope"
)

// people are who may what: tokens and keys are the names of scopes joined by "+", and roles
// are "account company: scopes".
type people map[string]scope.Set

func (people) Bearer(_ context.Context, token string) (Principal, error) {
	most := scope.All
	if token == "capped" {
		most = scope.Read
	}
	return Principal{Kind: Account, Account: token, Scopes: most}, nil
}

func (people) Key(_ context.Context, key string) (Principal, error) {
	set, err := scope.Parse(strings.Split(key, "+"))
	return Principal{Kind: Key, Company: "C1", KeyID: key, Scopes: set}, err
}

func (p people) MayIn(_ context.Context, account, company string) (scope.Set, error) {
	if account == "unsure" {
		return 0, fault.New(fault.Unavailable, "LOG_UNAVAILABLE", "…")
	}
	return p[account+" "+company], nil
}

func TestWhoMayDoWhatInOneCompany(t *testing.T) {
	roles := people{
		"owner C1":   scope.All,
		"issuer C1":  scope.Read | scope.Issue,
		"auditor C1": scope.Read,
		"capped C1":  scope.All,
	}
	var seen []string
	lost := false
	mux := NewRouter(
		Config{
			Auth:    roles,
			Members: roles,
			Log:     slog.New(slog.DiscardHandler),
			Seen: func(_ context.Context, who Principal, r *http.Request, refused string) error {
				if lost {
					return fault.New(fault.Unavailable, "LOG_UNAVAILABLE", "…")
				}
				seen = append(seen, strings.TrimSpace(who.Actor()+" "+who.Company+" "+r.URL.Path+" "+refused))
				return nil
			},
		},
	)
	answer := func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte(Caller(r.Context()).Company + " " + Caller(r.Context()).Actor()))
	}
	for path, needed := range map[string]scope.Set{"/read": scope.Read, "/issue": scope.Issue, "/manage": scope.Manage} {
		mux.With(RequireCompany(needed)).Get(path, answer)
	}
	mux.With(RequireCompany(scope.Read)).Get("/companies/{id_company}", answer)
	mux.Group(func(r chi.Router) {
		r.Use(RequireBearer, RequireScope(scope.Manage))
		r.Get("/new", answer)
		r.Get("/of/{id_company}", answer)
	})
	for _, c := range []struct {
		name, path, key, bearer, company string
		status                           int
		message                          string // or the caller
	}{
		{"a key that may read", "/read", "read", "", "", 200, "C1 key:read"},
		{"a key that may only read does not issue", "/issue", "read", "", "", 403, "SCOPE_MISSING"},
		{"a key that may only issue does not read", "/read", "issue", "", "", 403, "SCOPE_MISSING"},
		{"a key that may issue", "/issue", "read+issue", "", "", 200, "C1 key:read+issue"},
		{"a key that may not manage", "/manage", "read+issue", "", "", 403, "SCOPE_MISSING"},
		{"an owner manages", "/manage", "", "owner", "C1", 200, "C1 account:owner"},
		{"an issuer issues", "/issue", "", "issuer", "C1", 200, "C1 account:issuer"},
		{"an issuer does not manage", "/manage", "", "issuer", "C1", 403, "SCOPE_MISSING"},
		{"an auditor reads", "/read", "", "auditor", "C1", 200, "C1 account:auditor"},
		{"an auditor reads what the path names", "/companies/C1", "", "auditor", "", 200, "C1 account:auditor"},
		{"an auditor writes nothing", "/issue", "", "auditor", "C1", 403, "SCOPE_MISSING"},
		{"an auditor of another company", "/read", "", "auditor", "C2", 404, "COMPANY_NOT_FOUND"},
		{"an id that is none", "/read", "", "auditor", "C1/x", 404, "COMPANY_NOT_FOUND"},
		{"a token that names no company", "/read", "", "owner", "", 401, "API_KEY_REQUIRED"},
		{"nobody", "/read", "", "", "C1", 401, "API_KEY_REQUIRED"},
		{"an account that may only read is an auditor everywhere", "/manage", "", "capped", "C1", 403, "SCOPE_MISSING"},
		{"and makes nothing of its own", "/new", "", "capped", "", 403, "SCOPE_MISSING"},
		{"nor for its company", "/of/C1", "", "capped", "", 403, "SCOPE_MISSING"},
		{"nor for another one", "/of/C2", "", "capped", "", 403, "SCOPE_MISSING"},
		{"an owner does", "/new", "", "owner", "", 200, " account:owner"},
		{"a log that is away", "/read", "", "unsure", "C1", 503, "LOG_UNAVAILABLE"},
		{"a key counts before a token", "/read", "read", "owner", "C1", 200, "C1 key:read"},
		{"a key that is told to be another company's", "/read", "read", "", "C2", 403, "OTHER_COMPANY"},
		{"the path counts before the header", "/companies/C1", "read", "", "C2", 200, "C1 key:read"},
	} {
		r := httptest.NewRequest(http.MethodGet, c.path, nil)
		for name, value := range map[string]string{"X-Api-Key": c.key, "Folio-Company": c.company} {
			if value != "" {
				r.Header.Set(name, value)
			}
		}
		if c.bearer != "" {
			r.Header.Set("Authorization", "Bearer "+c.bearer)
		}
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, r)
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.message) {
			t.Errorf("%s: %d %s", c.name, w.Code, w.Body)
		}
	}
	if want := []string{
		"key:read C1 /read",
		"key:read C1 /issue SCOPE_MISSING",
		"account:auditor C1 /read",
		"account:auditor C1 /companies/C1",
		"account:auditor C1 /issue SCOPE_MISSING",
		"account:capped C1 /manage SCOPE_MISSING",
		"account:capped C1 /of/C1 SCOPE_MISSING",
		"key:read C1 /read",
		"key:read C1 /read OTHER_COMPANY",
		"key:read C1 /companies/C1",
	}; !slices.Equal(seen, want) {
		t.Errorf("kept of those that may only read: %q", seen)
	}
	lost = true
	for header, value := range map[string]string{"Authorization": "Bearer auditor", "X-Api-Key": "read"} {
		r := httptest.NewRequest(http.MethodGet, "/companies/C1", nil)
		r.Header.Set(header, value)
		w := httptest.NewRecorder()
		if mux.ServeHTTP(w, r); w.Code != http.StatusServiceUnavailable {
			t.Errorf("with %s a read that cannot be kept is answered: %d %s", header, w.Code, w.Body)
		}
		r.URL.Path = "/issue"
		r.Header.Set("Folio-Company", "C1")
		w = httptest.NewRecorder()
		if mux.ServeHTTP(w, r); w.Code != http.StatusServiceUnavailable {
			t.Errorf("with %s a refusal that cannot be kept is answered: %d %s", header, w.Code, w.Body)
		}
	}
}
