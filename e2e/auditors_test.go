package e2e

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// TestAnAuditorReadsAndWritesNothing gives an account a company to audit: it reads everything
// that is no secret, changes nothing, and the owner sees what it read.
func TestAnAuditorReadsAndWritesNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := serve(t, dir, append([]string{"--retry-base", "50ms"}, unlimited...)...)
	owner := login(t, p.base, email, password)
	c := issuing(t, p, dir, 41)
	i := c.issue(t, body("FCA", 1, "auditada"))
	for name, role := range map[string]string{"luz": "auditor", "sol": "owner"} {
		succeed(t, "account", "add", name+"@example.com", "--role", role, "--password", password+name, "--data", dir)
	}
	luz, sol := login(t, p.base, "luz@example.com", password+"luz"), login(t, p.base, "sol@example.com", password+"sol")
	as := func(who client) client { return who.with("Folio-Company", c.id) }
	invoicePath := "/api/invoices/" + i.ID

	// Before anything is given there is no such company.
	as(luz).refused(t, 404, "COMPANY_NOT_FOUND", http.MethodGet, invoicePath, nil)
	luz.refused(t, 404, "COMPANY_NOT_FOUND", http.MethodGet, c.path(""), nil)
	sol.refused(
		t,
		404,
		"COMPANY_NOT_FOUND",
		http.MethodPost,
		c.path("/members"),
		map[string]string{"email": "sol@example.com", "role": "auditor"},
	)
	owner.refused(
		t,
		404,
		"ACCOUNT_NOT_FOUND",
		http.MethodPost,
		c.path("/members"),
		map[string]string{"email": "nobody@example.com", "role": "auditor"},
	)
	owner.refused(
		t,
		422,
		"VALIDATION_FAILED",
		http.MethodPost,
		c.path("/members"),
		map[string]string{"email": "luz@example.com", "role": "owner"},
	)
	given := decode[struct {
		Account string `json:"id_account"`
		Scopes  []string
	}](t, owner.want(t, 201, http.MethodPost, c.path("/members"),
		map[string]string{"email": "luz@example.com", "role": "auditor"}))
	owner.want(
		t,
		201,
		http.MethodPost,
		c.path("/members"),
		map[string]string{"email": "sol@example.com", "role": "issuer"},
	)
	if strings.Join(given.Scopes, " ") != "read" {
		t.Errorf("%+v", given)
	}

	read := []string{
		invoicePath,
		invoicePath + "/events",
		invoicePath + "/explain",
		invoicePath + "/calls",
		invoicePath + "/download-pdf/A4",
		"/api/invoices?page=1",
		c.path(""),
		c.path("/events"),
		c.path("/numbering"),
		c.path("/certificates"),
		c.path("/purchases"),
	}
	for _, path := range read {
		a := as(luz).want(t, 200, http.MethodGet, path, nil)
		if strings.Contains(string(a.body), certificatePassword) || strings.Contains(string(a.body), c.key) {
			t.Errorf("%s shows a secret", path)
		}
	}
	for _, w := range []struct{ method, path string }{{"POST", "/api/invoices"}, {"POST", invoicePath + "/process"},
		{"POST", c.path("/certificates")},
		{"PUT", c.path("/fiscal-profile")}, {"POST", c.path("/webhooks")}, {"POST", "/api/companies"},
		{"POST", "/api/companies/apikey"}} {
		as(luz).refused(t, 403, "SCOPE_MISSING", w.method, w.path, map[string]any{"id_company": c.id})
	}
	luz.refused(t, 403, "SCOPE_MISSING", http.MethodPost, "/api/companies/apikey", map[string]any{"id_company": c.id})
	for _, path := range []string{"/apikeys", "/members", "/access-log"} {
		luz.refused(t, 403, "OWNER_ONLY", http.MethodGet, c.path(path), nil)
		sol.refused(t, 403, "OWNER_ONLY", http.MethodGet, c.path(path), nil)
	}
	sol.refused(t, 403, "OWNER_ONLY", http.MethodPost, "/api/companies/apikey", map[string]any{"id_company": c.id})
	sol.refused(t, 403, "OWNER_ONLY", http.MethodDelete, c.path("/members/"+given.Account), nil)

	// An issuer issues and does not manage.
	as(sol).want(t, 201, http.MethodPost, "/api/invoices", body("FCA", 1, "de-sol"))
	as(sol).refused(t, 403, "SCOPE_MISSING", http.MethodPut, c.path("/fiscal-profile"), map[string]any{})

	// The owner sees every read of the auditor and what it tried beyond that, and nobody else's.
	want := append(slices.Clone(read), "POST /api/invoices SCOPE_MISSING", "POST "+invoicePath+"/process SCOPE_MISSING",
		"POST "+c.path("/certificates SCOPE_MISSING"), "PUT "+c.path("/fiscal-profile SCOPE_MISSING"),
		"POST "+c.path("/webhooks SCOPE_MISSING"), "POST /api/companies/apikey SCOPE_MISSING",
		"POST /api/companies/apikey SCOPE_MISSING", c.path("/apikeys OWNER_ONLY"), c.path("/members OWNER_ONLY"),
		c.path("/access-log OWNER_ONLY"))
	eventually(t, verdictLimit, "the owner sees what the auditor read and tried", func() (string, bool) {
		seen := get[struct {
			Data []struct{ Email, Method, Path, Query, Refused string }
		}](t, owner, c.path("/access-log"))
		var got []string
		for _, l := range slices.Backward(seen.Data) {
			if l.Email != "luz@example.com" {
				t.Fatalf("%+v is not the auditor's", l)
			}
			path := l.Path
			if l.Query != "" {
				path += "?" + l.Query
			}
			got = append(got, strings.TrimSpace(strings.TrimPrefix(l.Method+" "+path+" "+l.Refused, "GET ")))
		}
		return fmt.Sprintf("kept %q, want %q", got, want), slices.Equal(got, want)
	})
	mine := get[struct {
		Scopes []string
		Given  []struct {
			ID, Role string
		}
	}](t, luz, "/api/account")
	if strings.Join(mine.Scopes, " ") != "read" || len(mine.Given) != 1 || mine.Given[0].Role != "auditor" {
		t.Errorf("%+v", mine)
	}

	// Access ends with the next request.
	owner.want(t, 204, http.MethodDelete, c.path("/members/"+given.Account), nil)
	as(luz).refused(t, 404, "COMPANY_NOT_FOUND", http.MethodGet, invoicePath, nil)
	owner.refused(t, 404, "MEMBER_NOT_FOUND", http.MethodDelete, c.path("/members/"+given.Account), nil)
	p.stop(t)
}

// awaitReads finds what a key has read, or was refused, oldest first, in the owner's access log, and nothing that other
// keys read.
func awaitReads(t *testing.T, owner client, c company, key string, paths ...string) {
	t.Helper()
	eventually(t, verdictLimit, "the owner sees what the key read", func() (string, bool) {
		seen := get[struct {
			Data []struct {
				Account *string `json:"id_account"`
				Key     string  `json:"key_id"`
				Path    string
			}
		}](t, owner, c.path("/access-log"))
		var got []string
		for _, l := range slices.Backward(seen.Data) {
			if l.Account != nil || l.Key != key {
				t.Fatalf("%+v is not a read of the key %s", l, key)
			}
			got = append(got, l.Path)
		}
		return fmt.Sprint(got), slices.Equal(got, paths)
	})
	one := get[struct {
		Total int `json:"total_results"`
	}](t, owner, c.path("/access-log?key_id="+key))
	none := get[struct {
		Total int `json:"total_results"`
	}](t, owner, c.path("/access-log?key_id=another"))
	if one.Total != len(paths) || none.Total != 0 {
		t.Errorf("%d lines of the key, %d of another one", one.Total, none.Total)
	}
}

// TestAKeyThatOnlyReads makes a key for a reader, whose reads the owner sees.
func TestAKeyThatOnlyReads(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := serve(t, dir, append([]string{"--retry-base", "50ms"}, unlimited...)...)
	owner := login(t, p.base, email, password)
	c := issuing(t, p, dir, 42)
	i := c.issue(t, body("FCA", 1, "leída"))
	made := decode[struct {
		ID     string `json:"key_id"`
		Key    string `json:"api_key"`
		Scopes []string
	}](t, owner.want(t, 201, http.MethodPost, "/api/companies/apikey",
		map[string]any{"id_company": c.id, "scopes": []string{"read"}}))
	reader := client{base: p.base, key: made.Key}
	reader.want(t, 200, http.MethodGet, "/api/invoices/"+i.ID, nil)
	reader.want(t, 200, http.MethodGet, c.path("/numbering"), nil)
	reader.refused(t, 403, "SCOPE_MISSING", http.MethodPost, "/api/invoices", body("FCA", 1, "no"))
	reader.refused(t, 403, "SCOPE_MISSING", http.MethodPut, c.path("/fiscal-profile"), map[string]any{})
	awaitReads(t, owner, c, made.ID, "/api/invoices/"+i.ID, c.path("/numbering"), "/api/invoices",
		c.path("/fiscal-profile"))
	issuer := decode[struct {
		Key string `json:"api_key"`
	}](t, owner.want(t, 201, http.MethodPost, "/api/companies/apikey",
		map[string]any{"id_company": c.id, "scopes": []string{"issue", "read"}}))
	company{client: client{base: p.base, key: issuer.Key}, id: c.id}.issue(t, body("FCA", 1, "sí"))
	bad := owner.refused(
		t,
		422,
		"VALIDATION_FAILED",
		http.MethodPost,
		"/api/companies/apikey",
		map[string]any{"id_company": c.id, "scopes": []string{"read", "write"}},
	)
	if len(bad.Errors) != 1 || bad.Errors[0].Path != "scopes[1]" {
		t.Errorf("%+v", bad)
	}
	keys := get[struct {
		Data []struct{ Scopes []string }
	}](t, owner, c.path("/apikeys"))
	if len(keys.Data) != 3 || strings.Join(keys.Data[0].Scopes, " ") != "read issue" ||
		strings.Join(keys.Data[2].Scopes, " ") != "read issue manage" {
		t.Errorf("%+v", keys)
	}
	p.stop(t)
}
