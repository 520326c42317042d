package account_test

import (
	"testing"

	"folio/commands/account"
	"folio/commands/commandtest"
	"folio/events"
)

type row = commandtest.Case[account.Command]

func TestAccount(t *testing.T) {
	registered := events.AccountRegistered{Account: "A1", Email: "ana@example.com", Secret: "s1"}
	commandtest.Run(t, account.Decider,
		row{Name: "the first registration of an address makes the account, in lower case and without spaces",
			When: account.Register{Account: "A1", Email: " Ana@Example.COM ", Secret: "s1"},
			Then: []events.Event{registered}},
		row{Name: "an address that has an account cannot be registered again",
			Given: []events.Event{registered},
			When:  account.Register{Account: "A2", Email: "ana@example.com", Secret: "s2"},
			Err:   account.ErrExists},
		row{Name: "a disabled account keeps its address",
			Given: []events.Event{registered, events.AccountDisabled{}},
			When:  account.Register{Account: "A2", Email: "ana@example.com", Secret: "s2"},
			Err:   account.ErrExists},
		row{Name: "a new password replaces the old one",
			Given: []events.Event{registered},
			When:  account.ChangePassword{Secret: "s2"},
			Then:  []events.Event{events.PasswordChanged{Secret: "s2"}}},
		row{Name: "the same password again is nothing new",
			Given: []events.Event{registered, events.PasswordChanged{Secret: "s2"}},
			When:  account.ChangePassword{Secret: "s2"}},
		row{Name: "nobody's password cannot be changed",
			When: account.ChangePassword{Secret: "s2"}, Err: account.ErrUnknown},
		row{Name: "an account can be disabled",
			Given: []events.Event{registered},
			When:  account.Disable{}, Then: []events.Event{events.AccountDisabled{}}},
		row{Name: "disabling twice is nothing new",
			Given: []events.Event{registered, events.AccountDisabled{}}, When: account.Disable{}},
		row{Name: "nobody cannot be disabled", When: account.Disable{}, Err: account.ErrUnknown},
	)
}

func TestAnAddressIsOneAccountHoweverItIsWritten(t *testing.T) {
	if account.ID("Ana@Example.com ") != account.ID("ana@example.com") {
		t.Error("case and spaces make another account")
	}
	if account.ID("ana@example.com") == account.ID("ana@example.org") {
		t.Error("two addresses share an account")
	}
}

func TestTheStateHoldsWhatLoggingInNeeds(t *testing.T) {
	s := account.Decider.Fold(
		events.AccountRegistered{Account: "A1", Email: "ana@example.com", Secret: "s1"},
		events.PasswordChanged{Secret: "s2"}, events.AccountDisabled{}, events.APIKeyRevoked{})
	if want := (account.State{Account: "A1", Email: "ana@example.com", Secret: "s2", Disabled: true}); s != want {
		t.Errorf("%+v, want %+v", s, want)
	}
}
