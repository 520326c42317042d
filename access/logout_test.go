package access

import (
	"errors"
	"testing"

	"folio/commands"
	"folio/httpapi"
)

func TestALogOutEndsOneTokenInEveryProcess(t *testing.T) {
	log, clock := newJournal(), newClock()
	h, other := newHouse(t, log, clock), newHouse(t, log, clock)
	h.register(t, email, password)
	left, kept := h.login(t, email, password), h.login(t, email, password)
	if err := h.accounts.Logout(ctx, left, commands.Request{ID: commands.Derived("logout", "1"),
		At: h.now()}); err != nil {
		t.Fatal(err)
	}
	for name, in := range map[string]*house{"where it was logged out of": h, "another process": other} {
		if _, err := in.accounts.Bearer(ctx, left); !errors.Is(err, httpapi.ErrBadCredential) ||
			whose(err).Actor() == "" {
			t.Errorf("%s: the token is %v, of %+v", name, err, whose(err))
		}
		if _, err := in.accounts.Bearer(ctx, kept); err != nil {
			t.Errorf("%s: another token of the account: %v", name, err)
		}
	}
	if err := h.accounts.Logout(ctx, "no token", commands.Request{At: h.now()}); !errors.Is(err,
		httpapi.ErrBadCredential) {
		t.Errorf("no token logs out: %v", err)
	}
}
