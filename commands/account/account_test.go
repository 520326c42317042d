package account_test

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"folio/commands/account"
	"folio/commands/commandtest"
	"folio/events"
	"folio/scope"
)

type row = commandtest.Case[account.Command]

var noon = time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)

func TestAccount(t *testing.T) {
	offered := events.PasswordResetOffered{SHA256: "h1", Until: noon}
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
		row{Name: "a new password is refused when the one that was proved is not the account's any more",
			Given: []events.Event{registered, events.PasswordChanged{Secret: "s2"}},
			When:  account.ChangePassword{Secret: "s3", Was: "s1"}, Err: account.ErrPasswordChanged},
		row{Name: "a disabled account's owner cannot change its password",
			Given: []events.Event{registered, events.AccountDisabled{}},
			When:  account.ChangePassword{Secret: "s2", Was: "s1"}, Err: account.ErrPasswordChanged},
		row{Name: "a reset is offered", Given: []events.Event{registered},
			When: account.OfferReset{SHA256: "h1", Until: noon}, Then: []events.Event{offered}},
		row{Name: "a disabled account is offered none", Given: []events.Event{registered, events.AccountDisabled{}},
			When: account.OfferReset{SHA256: "h1", Until: noon}, Err: account.ErrDisabled},
		row{Name: "nobody is offered one", When: account.OfferReset{SHA256: "h1", Until: noon}, Err: account.ErrUnknown},
		row{Name: "a code sets the password", Given: []events.Event{registered, offered},
			When: account.ResetPassword{SHA256: "h1", Secret: "s2", At: noon.Add(-1)},
			Then: []events.Event{events.PasswordChanged{Secret: "s2"}}},
		row{Name: "a code is good once", Given: []events.Event{registered, offered, events.PasswordChanged{Secret: "s2"}},
			When: account.ResetPassword{SHA256: "h1", Secret: "s3", At: noon.Add(-1)}, Err: account.ErrResetCode},
		row{Name: "a code is not good at its end", Given: []events.Event{registered, offered},
			When: account.ResetPassword{SHA256: "h1", Secret: "s2", At: noon}, Err: account.ErrResetCode},
		row{Name: "a later code replaces it", Given: []events.Event{registered, offered,
			events.PasswordResetOffered{SHA256: "h2", Until: noon}},
			When: account.ResetPassword{SHA256: "h1", Secret: "s2", At: noon.Add(-1)}, Err: account.ErrResetCode},
		row{Name: "a code does not bring a disabled account back",
			Given: []events.Event{registered, offered, events.AccountDisabled{}},
			When:  account.ResetPassword{SHA256: "h1", Secret: "s2", At: noon.Add(-1)}, Err: account.ErrResetCode},
		row{Name: "without an offer there is no code, not even an empty one", Given: []events.Event{registered},
			When: account.ResetPassword{Secret: "s2"}, Err: account.ErrResetCode},
		row{Name: "sessions end each time that it is asked for", Given: []events.Event{registered, events.SessionsEnded{}},
			When: account.EndSessions{}, Then: []events.Event{events.SessionsEnded{}}},
		row{Name: "a session ends alone", Given: []events.Event{registered},
			When: account.EndSession{Session: "T1", Until: noon},
			Then: []events.Event{events.SessionEnded{Session: "T1", Until: noon}}},
		row{Name: "a session ends once", Given: []events.Event{registered, events.SessionEnded{Session: "T1", Until: noon}},
			When: account.EndSession{Session: "T1", Until: noon}},
		row{Name: "whoever logs out of very many sessions ends all of them", Given: slices.Concat(
			[]events.Event{registered}, slices.Repeat([]events.Event{events.SessionEnded{Session: "T1", Until: noon}}, 500)),
			When: account.EndSession{Session: "T2", Until: noon.Add(time.Hour), At: noon},
			Then: []events.Event{events.SessionsEnded{}}},
		row{Name: "tokens that ended by themselves since are not counted", Given: slices.Concat(
			[]events.Event{registered}, slices.Repeat([]events.Event{events.SessionEnded{Session: "T1", Until: noon}}, 500)),
			When: account.EndSession{Session: "T2", Until: noon.Add(time.Hour), At: noon.Add(1)},
			Then: []events.Event{events.SessionEnded{Session: "T2", Until: noon.Add(time.Hour)}}},
		row{Name: "nobody logs out", When: account.EndSession{Session: "T1", Until: noon}, Err: account.ErrUnknown},
		row{Name: "nobody has no sessions", When: account.EndSessions{}, Err: account.ErrUnknown},
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

func TestATokenThatWasLoggedOutOfIsForgottenWhenItWouldHaveEndedAnyway(t *testing.T) {
	first := account.Decider.Fold(events.SessionEnded{Session: "T1", Until: noon})
	both := account.Decider.Evolve(first, events.SessionEnded{Session: "T2", Until: noon.Add(account.TokenLife)})
	later := account.Decider.Evolve(both, events.SessionEnded{Session: "T3", Until: noon.Add(account.TokenLife + 1)})
	if !first.HasEnded("T1") || !both.HasEnded("T1") || !both.HasEnded("T2") || later.HasEnded("T1") ||
		!later.HasEnded("T2") || !later.HasEnded("T3") {
		t.Errorf("%+v, then %+v, then %+v", first.Ended, both.Ended, later.Ended)
	}
}

func TestTheStateHoldsWhatLoggingInNeeds(t *testing.T) {
	s := account.Decider.Fold(
		events.AccountRegistered{Account: "A1", Email: "ana@example.com", Secret: "s1"},
		events.PasswordChanged{Secret: "s2"}, events.SessionsEnded{}, events.AccountDisabled{}, events.APIKeyRevoked{})
	if want := (account.State{Account: "A1", Email: "ana@example.com", Secret: "s2", Role: scope.Owner, Sessions: 1,
		Disabled: true}); !reflect.DeepEqual(s, want) {
		t.Errorf("%+v, want %+v", s, want)
	}
}
