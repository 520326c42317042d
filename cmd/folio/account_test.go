package main

import (
	"context"
	"regexp"
	"strings"
	"testing"
	"time"

	"folio/access"
	"folio/commands"
	"folio/commands/apikey"
	"folio/commands/company"
	"folio/events"
)

const longPassword = "una-clave-bastante-larga"

// estate is a folder with two accounts; Ana has two companies, Beto one, each with a key,
// and Beto made a second key for Ana's first company while it was his.
func estate(t *testing.T) (dir string, keys map[string]string) {
	t.Helper()
	dir, keys = t.TempDir(), map[string]string{}
	for _, email := range []string{"ana@folio.example", "beto@folio.example"} {
		if _, err := run(t, "account", "add", email, "--password", longPassword, "--data", dir); err != nil {
			t.Fatal(err)
		}
	}
	s := open(t, dir)
	defer shut(t, s)
	all, err := allAccounts(t.Context(), s.log)
	if err != nil || len(all) != 2 {
		t.Fatalf("%d accounts, %v", len(all), err)
	}
	ana, beto := all[0].Account, all[1].Account
	issue := func(name, id, companyID, account string) {
		key, hash, err := access.NewKey(id, "")
		if err != nil {
			t.Fatal(err)
		}
		keys[name] = key
		s.record(t, apikey.Decider.Stream(id), events.APIKeyIssued{Key: id, Company: companyID, Account: account,
			Description: name, SHA256: hash})
	}
	for id, account := range map[string]string{one: ana, two: ana, three: beto} {
		s.record(t, company.Decider.Stream(id),
			events.CompanyRegistered{Company: id, Account: account, Country: "AR", LegalName: "Molinos",
				TaxIdentifier: "30712345671"})
	}
	issue("ana-one", "01KJQ8KAAAAAAAAAAAAAAAAAA1", one, ana)
	issue("ana-two", "01KJQ8KAAAAAAAAAAAAAAAAAA2", two, ana)
	issue("beto-three", "01KJQ8KAAAAAAAAAAAAAAAAAA3", three, beto)
	issue("beto-one", "01KJQ8KAAAAAAAAAAAAAAAAAA4", one, beto)
	return dir, keys
}

const (
	one   = "01KJQ8KBBBBBBBBBBBBBBBBBB1"
	two   = "01KJQ8KBBBBBBBBBBBBBBBBBB2"
	three = "01KJQ8KBBBBBBBBBBBBBBBBBB3"
)

// working are the descriptions of the keys that still work.
func working(t *testing.T, dir string) string {
	t.Helper()
	out, err := run(t, "key", "list", "--data", dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, m := range regexp.MustCompile(`works +(\S+)`).FindAllStringSubmatch(out, -1) {
		names = append(names, m[1])
	}
	return strings.Join(names, " ")
}

func TestDisablingAnAccountRevokesItsKeysOnlyWhenAsked(t *testing.T) {
	dir, _ := estate(t)
	out, err := run(t, "account", "disable", "Ana@folio.example", "--data", dir)
	if err != nil || !strings.Contains(out, "--revoke-keys") || working(t, dir) != "ana-one ana-two beto-three beto-one" {
		t.Errorf("%v: %s, then work %s", err, out, working(t, dir))
	}
	for _, want := range []string{"API keys revoked: 3", "API keys revoked: 0"} {
		out, err = run(t, "account", "disable", "ana@folio.example", "--revoke-keys", "--data", dir)
		if err != nil || !strings.Contains(out, want) || working(t, dir) != "beto-three" {
			t.Errorf("%v: %s, want %s; then work %s", err, out, want, working(t, dir))
		}
	}
}

func TestAKeyIsRevokedByItsIDAndByItself(t *testing.T) {
	dir, keys := estate(t)
	for _, c := range []struct{ key, left string }{
		{keys["ana-one"], "ana-two beto-three beto-one"},
		{"01KJQ8KAAAAAAAAAAAAAAAAAA3", "ana-two beto-one"},
		{"01KJQ8KAAAAAAAAAAAAAAAAAA3", "ana-two beto-one"},
	} {
		out, err := run(t, "key", "revoke", c.key, "--data", dir)
		if err != nil || working(t, dir) != c.left || len(c.key) > 26 && strings.Contains(out, c.key) {
			t.Errorf("%v: %s; then work %s, want %s", err, out, working(t, dir), c.left)
		}
	}
	for _, bad := range []string{"01KJQ8KAAAAAAAAAAAAAAAAAA9", "fk_", "x"} {
		if _, err := run(t, "key", "revoke", bad, "--data", dir); err == nil ||
			!strings.Contains(err.Error(), "folio key list") {
			t.Errorf("%s: %v", bad, err)
		}
	}
	out, err := run(t, "key", "list", "--revoked", "--company", one, "--data", dir)
	if err != nil || strings.Count(out, one) != 2 || strings.Count(out, "revoked 20") != 1 || !strings.Contains(out, "Z by folio key revoke") ||
		!strings.Contains(out, "never") {
		t.Errorf("%v: %s", err, out)
	}
}

func TestACompanyMovesToAnAccountThatGoesOn(t *testing.T) {
	dir, _ := estate(t)
	if out, err := run(t, "company", "move", one, "beto@folio.example", "--data", dir); err != nil ||
		!strings.Contains(out, "moved to beto@folio.example") || !strings.Contains(out, "its API keys go on") {
		t.Fatalf("%v: %s", err, out)
	}
	out, err := run(t, "company", "list", "--data", dir)
	if err != nil || strings.Count(out, "beto@folio.example") != 2 || strings.Count(out, "ana@folio.example") != 1 {
		t.Errorf("%v: %s", err, out)
	}
	if out, err := run(t, "company", "move", one, "beto@folio.example", "--data", dir); err != nil ||
		!strings.Contains(out, "already") {
		t.Errorf("%v: %s", err, out)
	}
	if _, err := run(t, "account", "disable", "ana@folio.example", "--revoke-keys", "--data", dir); err != nil {
		t.Fatal(err)
	}
	if out, err := run(t, "company", "move", two, "beto@folio.example", "--data", dir); err != nil ||
		!strings.Contains(out, "no API key that works") || strings.Contains(out, "go on") {
		t.Errorf("a company without keys: %v: %s", err, out)
	}
	for says, args := range map[string][]string{
		"is disabled":       {one, "ana@folio.example"},
		"no account":        {one, "carla@folio.example"},
		"no such company":   {"01KJQ8KBBBBBBBBBBBBBBBBBB9", "beto@folio.example"},
		"is no company id:": {"C1", "beto@folio.example"},
	} {
		if _, err := run(t, append([]string{"company", "move", "--data", dir}, args...)...); err == nil ||
			!strings.Contains(explain(err), says) {
			t.Errorf("%v: %v, want %s", args, err, says)
		}
	}
}

func TestSessionsEndForOneAccountAndForAll(t *testing.T) {
	dir, _ := estate(t)
	tokens := func() (out []string) {
		for _, email := range []string{"ana@folio.example", "beto@folio.example"} {
			onAccountsOf(t, dir, func(a *access.Accounts) {
				token, _, err := a.Login(context.Background(), email, longPassword, "192.0.2.1")
				if err != nil {
					t.Fatal(err)
				}
				out = append(out, token)
			})
		}
		return out
	}
	live := func(tokens []string) (n int) {
		onAccountsOf(t, dir, func(a *access.Accounts) {
			for _, token := range tokens {
				if _, err := a.Bearer(context.Background(), token); err == nil {
					n++
				}
			}
		})
		return n
	}
	got := tokens()
	if _, err := run(t, "account", "end-sessions", "beto@folio.example", "--data", dir); err != nil || live(got) != 1 {
		t.Errorf("one account: %v, %d live", err, live(got))
	}
	got = tokens()
	if _, err := run(t, "account", "end-sessions", "--all", "--data", dir); err != nil || live(got) != 0 {
		t.Errorf("all: %v, %d live", err, live(got))
	}
	if _, err := run(t, "account", "end-sessions", "--data", dir); err == nil {
		t.Error("nobody's sessions were ended")
	}
	out, err := run(t, "account", "password", "ana@folio.example", "--password", "otra-clave-larga", "--data", dir)
	if err != nil || strings.Contains(out, "otra-clave") {
		t.Errorf("%v: %s", err, out)
	}
	out, err = run(t, "account", "list", "--data", dir)
	if err != nil || strings.Count(out, "goes on") != 2 {
		t.Errorf("%v: %s", err, out)
	}
}

// onAccountsOf opens a folder as a service does.
func onAccountsOf(t *testing.T, dir string, do func(*access.Accounts)) {
	t.Helper()
	s := open(t, dir)
	defer shut(t, s)
	a, err := openAccounts(t.Context(), commands.NewExecutor(s.log, time.Now), s.vault)
	if err != nil {
		t.Fatal(err)
	}
	do(a)
}

func TestAKeyTellsUntilWhenItWorks(t *testing.T) {
	noon := time.Date(2026, 3, 2, 15, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		key            issuedKey
		state, expires string
	}{
		{issuedKey{}, "works", "never"},
		{issuedKey{APIKeyIssued: events.APIKeyIssued{ExpiresAt: new(noon.Add(time.Second))}}, "works",
			"2026-03-02T15:00:01Z"},
		{issuedKey{APIKeyIssued: events.APIKeyIssued{ExpiresAt: &noon}}, "expired", "2026-03-02T15:00:00Z"},
		{issuedKey{APIKeyIssued: events.APIKeyIssued{ExpiresAt: &noon}, revoked: "2026-03-01T15:00:00Z by account:A"},
			"revoked 2026-03-01T15:00:00Z by account:A", "2026-03-02T15:00:00Z"},
	} {
		if state, expires := c.key.standing(noon); state != c.state || expires != c.expires {
			t.Errorf("%s, %s, want %s, %s", state, expires, c.state, c.expires)
		}
	}
}
