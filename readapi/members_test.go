package readapi_test

import (
	"strings"
	"testing"

	"folio/events"
)

// A role gives no more than the account may be anywhere, and an account that was disabled has nothing of it.
func TestMembersAreShownWithWhatTheyMay(t *testing.T) {
	granted := func(account, email, role string) given {
		return given{Stream: "company-C1", Event: events.AccessGranted{Account: account, Email: email, Role: role}}
	}
	w := newWorld(t, company("A1", "C1"), granted("A2", "issuer@example.com", "issuer"),
		granted("A3", "auditor@example.com", "issuer"), granted("A4", "disabled@example.com", "auditor"))
	list := w.get("/api/companies/C1/members", ana).want(200).Body.String()
	for _, want := range []string{
		`"email":"issuer@example.com","role":"issuer","scopes":["read","issue"]`,
		`"email":"auditor@example.com","role":"issuer","scopes":["read"]`,
		`"email":"disabled@example.com","role":"auditor","scopes":[]`,
	} {
		if !strings.Contains(list, want) {
			t.Errorf("%s is not in %s", want, list)
		}
	}
}
