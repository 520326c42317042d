package company

import (
	"maps"
	"time"

	"folio/events"
	"folio/fault"
	"folio/scope"
)

// Role is what an account is to the company; empty: nothing.
func (s State) Role(account string) scope.Role {
	if account != "" && account == s.Account {
		return scope.Owner
	}
	return s.members[account].role
}

// Since is when the account was given what it may in the company (UTC); the zero time for one
// that was given nothing.
func (s State) Since(account string) time.Time { return s.members[account].since }

// membership is what an account was given, and when.
type membership struct {
	role  scope.Role
	since time.Time
}

// Refusals about those who may do something in a company.
var (
	ErrOwner = fault.New(
		fault.Conflict,
		"ACCOUNT_IS_OWNER",
		"The account is the company's owner and may everything. The operator moves a company to another account ('folio "+
			"company move').",
	)
	ErrNoMember = fault.New(fault.NotFound, "MEMBER_NOT_FOUND",
		"The account was given no access to this company: list those that were with GET /api/companies/{id_company}/members.")
)

// Grant lets another account do what the role may, in place of what it was given before.
type Grant struct {
	Account, Email string
	Role           scope.Role // Issuer or Auditor
}

func (c Grant) decide(s State) ([]events.Event, error) {
	switch {
	case !s.Exists():
		return nil, ErrUnknown
	case c.Account == s.Account:
		return nil, ErrOwner
	case s.members[c.Account].role == c.Role:
		return nil, nil
	}
	return []events.Event{events.AccessGranted{Account: c.Account, Email: c.Email, Role: string(c.Role)}}, nil
}

// Withdraw takes an account's access back.
type Withdraw struct{ Account string }

func (c Withdraw) decide(s State) ([]events.Event, error) {
	switch {
	case !s.Exists():
		return nil, ErrUnknown
	case s.members[c.Account].role == "":
		return nil, ErrNoMember
	}
	return []events.Event{events.AccessWithdrawn{Account: c.Account}}, nil
}

// member gives the members with one of them changed; an empty role takes it out. Others may
// hold the state that this one is made from, so the map is copied.
func (s State) member(account string, role scope.Role) map[string]membership {
	out := map[string]membership{}
	maps.Copy(out, s.members)
	out[account] = membership{role, s.recorded.UTC()}
	if role == "" {
		delete(out, account)
	}
	return out
}
