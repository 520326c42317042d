package httpapi

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"folio/scope"
)

func TestWhoMayPass(t *testing.T) {
	mux, _, _ := testRouter(Limits{})
	who := func(w http.ResponseWriter, r *http.Request) { _, _ = w.Write([]byte(Caller(r.Context()).Actor())) }
	mux.With(RequireBearer).Get("/bearer", who)
	mux.With(RequireCompany(scope.Read)).Get("/key", who)
	mux.With(RequireCompany(scope.Read)).Get("/companies/{id_company}/logo", who)
	mux.With(RequireEither).Get("/companies/{id_company}", who)
	const bearer, key = "Authorization: Bearer good-token", "X-Api-Key: good-key"
	for _, c := range []struct {
		name, path string
		headers    []string
		status     int
		want       string // the caller, or the fault's constant
	}{
		{"a token where a token is needed", "/bearer", []string{bearer}, 200, "account:acc1"},
		{"the scheme is not case-sensitive", "/bearer", []string{"Authorization: bEARER  good-token"}, 200, "account:acc1"},
		{"no credential", "/bearer", nil, 401, "BEARER_REQUIRED"},
		{"a key where a token is needed", "/bearer", []string{key}, 401, "BEARER_REQUIRED"},
		{"a bad token", "/bearer", []string{"Authorization: Bearer nonsense"}, 401, "BAD_CREDENTIAL"},
		{"another scheme", "/bearer", []string{"Authorization: Basic good-token"}, 401, "BEARER_REQUIRED"},
		{"two tokens", "/bearer", []string{bearer, bearer}, 401, "BEARER_REQUIRED"},
		{"an endless token", "/bearer", []string{"Authorization: Bearer " + strings.Repeat("x", 5000)}, 401,
			"BEARER_REQUIRED"},
		{"a key where a key is needed", "/key", []string{key}, 200, "key:key1"},
		{"both where a token is needed", "/bearer", []string{key, bearer}, 200, "account:acc1"},
		{"a token where a key is needed", "/key", []string{bearer}, 401, "API_KEY_REQUIRED"},
		{"an empty key", "/key", []string{"X-Api-Key: "}, 401, "API_KEY_REQUIRED"},
		{"a revoked key", "/key", []string{"X-Api-Key: revoked"}, 401, "BAD_CREDENTIAL"},
		{"a key that cannot be checked", "/key", []string{"X-Api-Key: unsure-key"}, 503, "AUTH_UNAVAILABLE"},
		{"the key of the company in the path", "/companies/company1/logo", []string{key}, 200, "key:key1"},
		{"the key of another company", "/companies/company2/logo", []string{key}, 403, "OTHER_COMPANY"},
		{"either: another company's key", "/companies/company2", []string{key}, 403, "OTHER_COMPANY"},
		{"either: a token, whose companies the handler knows", "/companies/company2", []string{bearer}, 200, "account:acc1"},
		{"either: the key counts when both are shown", "/companies/company1", []string{bearer, key}, 200, "key:key1"},
		{"either: nothing", "/companies/company1", nil, 401, "CREDENTIAL_REQUIRED"},
	} {
		w := call(mux, "GET", c.path, "", c.headers...)
		got := w.Body.String()
		if w.Code != 200 {
			got = problemOf(t, w).Message
		}
		if w.Code != c.status || got != c.want {
			t.Errorf("%s: %d %s, want %d %s", c.name, w.Code, got, c.status, c.want)
		}
		if challenged := w.Header().Get("WWW-Authenticate") != ""; challenged != (c.status == 401) {
			t.Errorf("%s: WWW-Authenticate is %q on a %d", c.name, w.Header().Get("WWW-Authenticate"), w.Code)
		}
		if strings.Contains(w.Body.String(), "nonsense") {
			t.Errorf("%s: the answer repeats the credential", c.name)
		}
	}
}

func TestLimitsAreOfTheCredentialOrElseOfTheAddress(t *testing.T) {
	mux, _, _ := testRouter(Limits{PerSecond: 3})
	get := func(headers ...string) int { return call(mux, "GET", "/", "", headers...).Code }
	for i := range 3 {
		if got := get("X-Api-Key: good-key"); got != 404 {
			t.Fatalf("call %d of the key: %d", i, got)
		}
	}
	if got := get("X-Api-Key: good-key"); got != 429 {
		t.Errorf("the key's 4th call: %d, want 429", got)
	}
	if got := get("Authorization: Bearer good-token"); got != 404 {
		t.Errorf("the account's 1st call: %d, want 404: it has its own budget", got)
	}
	for i, want := range []int{404, 404, 404, 429} {
		got := get(fmt.Sprintf("X-Api-Key: guess%d", i), fmt.Sprintf("X-Forwarded-For: 10.0.0.%d", i))
		if got != want {
			t.Errorf("call %d of the address, under another key and X-Forwarded-For: %d, want %d", i+1, got, want)
		}
	}
}
