package scope_test

import (
	"errors"
	"slices"
	"testing"

	"folio/scope"
)

func TestScopesAreReadAsTheyAreWritten(t *testing.T) {
	for s := scope.Set(0); s <= scope.All; s++ {
		if again, err := scope.Parse(s.Names()); err != nil || again != s {
			t.Errorf("%v is read as %v, %v", s.Names(), again.Names(), err)
		}
	}
	if !slices.Equal(scope.All.Names(), []string{"read", "issue", "manage"}) {
		t.Errorf("all are %v", scope.All.Names())
	}
	var unknown *scope.UnknownError
	if _, err := scope.Parse([]string{"read", "write"}); !errors.As(err, &unknown) || unknown.Index != 1 {
		t.Errorf("%v", err)
	}
}

func TestWhatRolesMay(t *testing.T) {
	for role, want := range map[scope.Role][]string{
		scope.Owner: {"read", "issue", "manage"}, scope.Issuer: {"read", "issue"}, scope.Auditor: {"read"}, "": {},
		"admin": {}} {
		if got := role.Scopes().Names(); !slices.Equal(got, want) {
			t.Errorf("%q may %v, want %v", role, got, want)
		}
	}
	if scope.Read.Has(scope.Issue) || scope.Issue.Has(scope.Read) || !scope.All.Has(scope.Issue|scope.Read) {
		t.Error("a scope holds another one")
	}
}
