package console

import (
	"testing"

	"folio/countries"
)

// Whoever fills in a fiscal profile reads words, not the names of the API's members.
func TestEveryMemberOfAProfileHasWords(t *testing.T) {
	for _, rules := range countries.Rules() {
		for _, f := range rules.ProfileFields() {
			if members[f.Name] == "" {
				t.Errorf("%s: %s has no words", rules.Code(), f.Name)
			}
		}
	}
}
