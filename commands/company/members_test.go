package company_test

import (
	"testing"
	"time"

	"folio/commands/commandtest"
	"folio/commands/company"
	"folio/events"
	"folio/scope"
)

func TestWhoMayDoWhatInACompany(t *testing.T) {
	registered := events.CompanyRegistered{Company: "C1", Account: "A1"}
	granted := events.AccessGranted{Account: "A2", Email: "luz@example.com", Role: "auditor"}
	grant := company.Grant{Account: "A2", Email: "luz@example.com", Role: scope.Auditor}
	type row = commandtest.Case[company.Command]
	commandtest.Run(
		t,
		company.Decider,
		row{
			Name:  "an account is given access",
			Given: []events.Event{registered},
			When:  grant,
			Then:  []events.Event{granted},
		},
		row{Name: "the same again is nothing new", Given: []events.Event{registered, granted}, When: grant},
		row{Name: "another role replaces it", Given: []events.Event{registered, granted},
			When: company.Grant{Account: "A2", Email: "luz@example.com", Role: scope.Issuer},
			Then: []events.Event{events.AccessGranted{Account: "A2", Email: "luz@example.com", Role: "issuer"}}},
		row{
			Name:  "the owner needs none",
			Given: []events.Event{registered},
			When:  company.Grant{Account: "A1", Role: scope.Auditor},
			Err:   company.ErrOwner,
		},
		row{Name: "what does not exist has no members", When: grant, Err: company.ErrUnknown},
		row{Name: "access is taken back", Given: []events.Event{registered, granted}, When: company.Withdraw{Account: "A2"},
			Then: []events.Event{events.AccessWithdrawn{Account: "A2"}}},
		row{
			Name:  "what was not given cannot be taken back",
			Given: []events.Event{registered, granted, events.AccessWithdrawn{Account: "A2"}},
			When:  company.Withdraw{Account: "A2"},
			Err:   company.ErrNoMember,
		},
	)
	given := company.Decider.Fold(registered, granted)
	taken := company.Decider.Fold(
		registered,
		granted,
		events.AccessWithdrawn{Account: "A2"},
		events.CompanyMoved{Account: "A3"},
	)
	for _, c := range []struct {
		s       company.State
		account string
		want    scope.Role
	}{{given, "A1", scope.Owner}, {given, "A2", scope.Auditor}, {given, "A3", ""}, {given, "", ""}, {taken, "A2", ""},
		{taken, "A1", ""}, {taken, "A3", scope.Owner}} {
		if got := c.s.Role(c.account); got != c.want {
			t.Errorf("%s is %q, want %q", c.account, got, c.want)
		}
	}
}

// The same grant again changes nothing, so the access is as old as the first one.
func TestAnAccessHasTheTimeOfItsGrant(t *testing.T) {
	granted := time.Date(2026, 3, 2, 15, 4, 5, 0, time.UTC)
	s := company.Decider.Fold(events.CompanyRegistered{Company: "C1", Account: "owner"})
	s = company.Decider.Next(s, events.AccessGranted{Account: "a", Role: string(scope.Auditor)}, granted)
	s = company.Decider.Next(s, events.AccessGranted{Account: "b", Role: string(scope.Auditor)}, granted.Add(time.Hour))
	if !s.Since("a").Equal(granted) || !s.Since("b").Equal(granted.Add(time.Hour)) {
		t.Errorf("a since %s, b since %s", s.Since("a"), s.Since("b"))
	}
	s = company.Decider.Next(s, events.AccessWithdrawn{Account: "a"}, granted.Add(2*time.Hour))
	if !s.Since("a").IsZero() {
		t.Errorf("without access since %s", s.Since("a"))
	}
}
