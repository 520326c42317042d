package writeapi_test

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"folio/access"
	"folio/commands"
)

// withAccount puts the real door for accounts in, with one account.
func (w *world) withAccount(email, password string) *access.Accounts {
	w.t.Helper()
	accounts, err := access.NewAccounts(w.x, w, bytes.Repeat([]byte("k"), 32), w.now)
	check(w.t, err)
	_, err = accounts.Register(context.Background(), email, password, "test")
	check(w.t, err)
	w.login.entry = accounts
	return accounts
}

func TestAPasswordIsChangedByWhoeverKnowsIt(t *testing.T) {
	w := newWorld(t)
	w.withAccount("ana@example.com", password)
	const path, next = "/api/account/password", "another long password"
	login := func(password string) answer {
		return w.call("POST", "/api/login", `{"email":"ana@example.com","password":"`+password+`"}`)
	}
	w.call("PUT", path, `{}`).fails(422, "VALIDATION_FAILED", "email REQUIRED", "current_password REQUIRED",
		"new_password REQUIRED")
	w.call("PUT", path, `{"email":"ana@example.com","current_password":"wrong one","new_password":"`+next+`"}`).fails(401,
		"LOGIN_FAILED")
	w.call("PUT", path, `{"email":"nobody@example.com","current_password":"`+password+`","new_password":"`+next+
		`"}`).fails(401, "LOGIN_FAILED")
	w.call("PUT", path, `{"email":"ana@example.com","current_password":"`+password+`","new_password":"short"}`).
		fails(422, "VALIDATION_FAILED", "new_password PASSWORD_LENGTH")
	login(password).want(200)
	w.call("PUT", path, `{"email":"Ana@example.com","current_password":"`+password+`","new_password":"`+next+
		`"}`).want(204)
	login(password).fails(401, "LOGIN_FAILED")
	login(next).want(200)
	// Guesses of the present password are slowed down as those of a log-in are.
	guess := func() answer {
		return w.call("PUT", path, `{"email":"bob@example.com","current_password":"wrong one","new_password":"`+next+`"}`)
	}
	slow := guess()
	for range 20 {
		if slow.Code == 429 {
			break
		}
		slow = guess()
	}
	slow.fails(429, "LOGIN_THROTTLED")
	if text := w.logs.String(); strings.Contains(text, next) || strings.Contains(text, password) {
		t.Errorf("the log holds a password: %s", text)
	}
}

func TestAResetCodeIsGoodOnce(t *testing.T) {
	w := newWorld(t)
	accounts := w.withAccount("ana@example.com", password)
	const path, next = "/api/account/password-reset", "another long password"
	offer := func() string {
		code, err := accounts.OfferReset(t.Context(), "ana@example.com", time.Hour,
			commands.Request{ID: commands.Derived(w.position()), At: w.now()})
		check(t, err)
		return code
	}
	reset := func(email, code, next string) answer {
		return w.call("POST", path, `{"email":"`+email+`","code":"`+code+`","new_password":"`+next+`"}`)
	}
	w.call("POST", path, `{}`).fails(422, "VALIDATION_FAILED", "email REQUIRED", "code REQUIRED", "new_password REQUIRED")
	reset("ana@example.com", "AAAA", next).fails(401, "RESET_CODE_REFUSED")
	late := offer()
	w.advance(time.Hour)
	reset("ana@example.com", late, next).fails(401, "RESET_CODE_REFUSED")
	old, code := offer(), offer()
	reset("ana@example.com", old, next).fails(401, "RESET_CODE_REFUSED")
	reset("bob@example.com", code, next).fails(401, "RESET_CODE_REFUSED")
	reset("ana@example.com", code, "short").fails(422, "VALIDATION_FAILED", "new_password PASSWORD_LENGTH")
	w.call("POST", "/api/login", `{"email":"ana@example.com","password":"`+password+`"}`).want(200)
	reset("ana@example.com", " "+strings.ToLower(code), next).want(204)
	reset("ana@example.com", code, next).fails(401, "RESET_CODE_REFUSED")
	w.call("POST", "/api/login", `{"email":"ana@example.com","password":"`+next+`"}`).want(200)
	if text := w.logs.String(); strings.Contains(text, code) || strings.Contains(text, next) {
		t.Errorf("the log holds a code or a password: %s", text)
	}
}
