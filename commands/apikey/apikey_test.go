package apikey_test

import (
	"errors"
	"testing"

	"folio/commands/apikey"
	"folio/commands/commandtest"
	"folio/events"
	"folio/fault"
	"folio/scope"
)

type row = commandtest.Case[apikey.Command]

var issued = events.APIKeyIssued{Key: "K1", Company: "C1", Account: "A1", Description: "shop", SHA256: "ab"}

func TestAPIKey(t *testing.T) {
	commandtest.Run(t, apikey.Decider,
		row{Name: "a key is issued with the hash of its secret only",
			When: apikey.Issue{Key: "K1", Company: "C1", Account: "A1", Description: "shop", SHA256: "ab"},
			Then: []events.Event{issued}},
		row{Name: "a company revokes its key", Given: []events.Event{issued},
			When: apikey.Revoke{Company: "C1"}, Then: []events.Event{events.APIKeyRevoked{}}},
		row{Name: "revoking twice is nothing new", Given: []events.Event{issued, events.APIKeyRevoked{}},
			When: apikey.Revoke{Company: "C1"}},
		row{Name: "another company's key is as if it were not there", Given: []events.Event{issued},
			When: apikey.Revoke{Company: "C2"}, Err: apikey.ErrUnknown},
		row{Name: "a key that never was cannot be revoked",
			When: apikey.Revoke{Company: "C1"}, Err: apikey.ErrUnknown},
	)
}

func TestAKeyIDIsTakenForEver(t *testing.T) {
	for name, s := range map[string]apikey.State{
		"live":    apikey.Decider.Fold(issued),
		"revoked": apikey.Decider.Fold(issued, events.APIKeyRevoked{}),
	} {
		_, err := apikey.Decider.Decide(s, apikey.Issue{Key: "K1", Company: "C2", SHA256: "cd"})
		var f *fault.Error
		if !errors.As(err, &f) || f.Constant != "API_KEY_EXISTS" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestARevokedKeyKeepsItsHashAndStaysRevoked(t *testing.T) {
	s := apikey.Decider.Fold(issued, events.APIKeyRevoked{})
	if want := (apikey.State{Key: "K1", Company: "C1", SHA256: "ab", Scopes: scope.All, Revoked: true}); s != want {
		t.Errorf("%+v, want %+v", s, want)
	}
}
