package apikey_test

import (
	"errors"
	"testing"
	"time"

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
		_, err := apikey.Decider.Decide(apikey.Issue{Key: "K1", Company: "C2", SHA256: "cd"}, s)
		var f *fault.Error
		if !errors.As(err, &f) || f.Constant != "API_KEY_EXISTS" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestARevokedKeyKeepsItsHashAndStaysRevoked(t *testing.T) {
	s := apikey.Decider.Fold(issued, events.APIKeyRevoked{})
	if want := (apikey.State{Key: "K1", Company: "C1", SHA256: "ab", Scopes: scope.All, Revoked: true,
		Description: "shop"}); s != want {
		t.Errorf("%+v, want %+v", s, want)
	}
}

func TestAReplacedKeyEndsWithTheOverlapAndNoLaterThanItWouldHave(t *testing.T) {
	noon := time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)
	expiring := issued
	soon := noon.Add(time.Hour)
	expiring.ExpiresAt = &soon
	for _, c := range []struct {
		name  string
		key   events.APIKeyIssued
		until time.Time
		want  time.Time
	}{{"for ever", issued, noon.Add(2 * time.Hour), noon.Add(2 * time.Hour)},
		{"until soon", expiring, noon.Add(2 * time.Hour), soon},
		{"at once", expiring, noon, noon}} {
		s := apikey.Decider.Fold(c.key)
		replace := apikey.Replace{Company: "C1", By: "K2", Until: c.until}
		facts, err := apikey.Decider.Decide(replace, s)
		if err != nil || len(facts) != 1 {
			t.Fatal(c.name, facts, err)
		}
		if s = apikey.Decider.Evolve(s, facts[0]); !s.ExpiresAt.Equal(c.want) || s.Expired(c.want.Add(-1)) ||
			!s.Expired(c.want) {
			t.Errorf("%s: it ends at %s, want %s", c.name, s.ExpiresAt, c.want)
		}
		if again, err := apikey.Decider.Decide(replace, s); err != nil || len(again) > 0 {
			t.Errorf("%s: the same again gives %v %v", c.name, again, err)
		}
		for _, other := range []apikey.Replace{{Company: "C1", By: "K3"}, {Company: "C2", By: "K3"}} {
			if _, err := apikey.Decider.Decide(other, s); err == nil {
				t.Errorf("%s: %+v is taken", c.name, other)
			}
		}
	}
}
