package access

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/oklog/ulid/v2"

	"folio/commands"
	"folio/commands/accesslog"
	"folio/commands/company"
	"folio/events"
	"folio/eventstore"
	"folio/httpapi"
	"folio/scope"
)

// act decides about a company.
func (h *house) act(t *testing.T, id string, c company.Command) {
	t.Helper()
	_, err := commands.Bind(h.x, company.Decider).Execute(ctx, id, c,
		commands.Request{ID: commands.Derived(ulid.Make().String()), At: h.now()})
	if err != nil {
		t.Fatal(err)
	}
}

func TestWhatAccountsMayInCompanies(t *testing.T) {
	h := newHouse(t, newJournal(), newClock())
	h.x.Connected(true)
	id, members := ulid.Make().String(), NewMembers(h.x)
	may := func(account, company string) string {
		t.Helper()
		set, err := members.MayIn(ctx, account, company)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(set.Names(), " ")
	}
	if got := may("A1", id); got != "" {
		t.Errorf("in a company that is not there: %s", got)
	}
	h.act(t, id, company.Register{Company: events.CompanyRegistered{Company: id, Account: "A1"}})
	h.act(t, id, company.Grant{Account: "A2", Email: "luz@example.com", Role: scope.Auditor})
	h.act(t, id, company.Grant{Account: "A3", Email: "sol@example.com", Role: scope.Issuer})
	for account, want := range map[string]string{"A1": "read issue manage", "A2": "read", "A3": "read issue", "A4": "",
		"": ""} {
		if got := may(account, id); got != want {
			t.Errorf("%q may %q, want %q", account, got, want)
		}
	}
	h.act(t, id, company.Withdraw{Account: "A2"})
	if got := may("A2", id); got != "" {
		t.Errorf("after it was taken back: %s", got)
	}
	for _, bad := range []string{"", "x", "../" + id, strings.ToLower(id) + "-1"} {
		if got := may("A1", bad); got != "" {
			t.Errorf("%q: %s", bad, got)
		}
	}
}

func TestWhatAnAccountMayAtMost(t *testing.T) {
	h := newHouse(t, newJournal(), newClock())
	h.register(t, email, password)
	h.register(t, "off@example.com", password)
	disable(t, h, "off@example.com")
	if _, err := h.accounts.RegisterAs(ctx, scope.Auditor, "luz@example.com", password, "test"); err != nil {
		t.Fatal(err)
	}
	for address, want := range map[string]scope.Set{email: scope.All, "Luz@example.com": scope.Read, "off@example.com": 0,
		"nobody@example.com": 0} {
		if got, err := h.accounts.Most(ctx, address); got != want || err != nil {
			t.Errorf("%s: %v, %v", address, got.Names(), err)
		}
	}
}

func TestWhatAnAuditorReadsIsKeptBeforeItIsAnswered(t *testing.T) {
	h := newHouse(t, newJournal(), newClock())
	h.x.Connected(true)
	id, members := ulid.Make().String(), NewMembers(h.x).Offline(Offline{For: 1 << 50})
	account, err := h.accounts.RegisterAs(ctx, scope.Auditor, "luz@example.com", "correct horse battery", "test")
	if err != nil {
		t.Fatal(err)
	}
	h.accounts.Offline(Offline{For: 1 << 50})
	token := h.login(t, "luz@example.com", "correct horse battery")
	h.act(t, id, company.Register{Company: events.CompanyRegistered{Company: id, Account: "A1"}})
	h.act(t, id, company.Grant{Account: account, Email: "luz@example.com", Role: scope.Issuer}) // more than it may be
	mux := httpapi.NewRouter(httpapi.Config{Auth: Door{h.accounts, NewKeys(h.x, nil)}, Members: members, Seen: members.Saw,
		Clock: h.now})
	for path, needed := range map[string]scope.Set{"/read": scope.Read, "/issue": scope.Issue} {
		mux.With(httpapi.RequireCompany(needed)).Get(path,
			func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	}
	ask := func(path string) int {
		r := httptest.NewRequest(http.MethodGet, path, nil)
		r.Header.Set("Authorization", "Bearer "+token)
		r.Header.Set(httpapi.CompanyHeader, id)
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, r)
		return w.Code
	}
	kept := func() (paths []string) {
		for _, e := range h.Facts(t, accesslog.Decider.Stream(accesslog.ID(id, h.now()))) {
			read := e.(events.CompanyRead)
			if read.Account != account || read.Company != id || read.Method != http.MethodGet {
				t.Errorf("%+v", read)
			}
			paths = append(paths, read.Path+"?"+read.Query+read.Refused)
		}
		return paths
	}
	long := strings.Repeat("&", longest) // says nothing, and what is behind it would not be seen
	for _, c := range []struct {
		path   string
		status int
	}{{"/read?page=2", 204}, {"/issue", 403}, {"/read?page=3" + long, 422},
		{"/read?q=" + long[4:], 204}, {"/issue?q=" + long, 403}} {
		if got := ask(c.path); got != c.status {
			t.Errorf("%.20s: %d, want %d", c.path, got, c.status)
		}
	}
	if got := kept(); !slices.Equal(got, []string{"/read?page=2", "/issue?SCOPE_MISSING",
		"/read?" + ("page=3" + long)[:longest] + "TOO_LONG_TO_KEEP", "/read?q=" + long[4:],
		"/issue?" + ("q=" + long)[:longest] + "SCOPE_MISSING"}) {
		t.Errorf("kept %q", got)
	}
	h.down = eventstore.ErrUnavailable
	h.x.Connected(false)
	if got := ask("/read"); got != http.StatusServiceUnavailable {
		t.Errorf("a read that cannot be kept: %d", got)
	}
}
