package writeapi_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"folio/access"
)

const companyBody = `{"legal_name":"Molinos del Plata S.A.","tax_identifier":"30500010912","tax_identifier_name":"CUIT",` +
	`"start_activities_date":"1999-03-01","id_currency":1}`

func TestRegisterACompany(t *testing.T) {
	w := newWorld(t)
	created := w.call("POST", "/api/companies", companyBody, ana).want(201)
	got := created.object()
	for member, want := range map[string]string{
		"country": "AR", "legal_name": "Molinos del Plata S.A.", "tax_identifier": "30500010912",
		"tax_identifier_name":   "CUIT",
		"start_activities_date": "1999-03-01", "id_currency": "1", "created_at": "2026-11-27T15:00:00.123456789Z",
		"fiscal_profile": "<nil>", "logo": "<nil>", "certificates": "[]",
	} {
		if v := fmt.Sprint(got[member]); v != want {
			t.Errorf("%s is %s, want %s", member, v, want)
		}
	}
	id := created.text("id_company")
	if loc := created.Header().Get("Location"); loc != "/api/companies/"+id {
		t.Errorf("Location is %q", loc)
	}
	if created.Header().Get("Folio-Position") == "" {
		t.Error("no Folio-Position")
	}
	if read := w.call("GET", "/api/companies/"+id, "", ana).want(200); read.Body.String() != created.Body.String() {
		t.Errorf("created\n%s\nread\n%s", created.Body, read.Body)
	}
	if step := at(got, []string{"pending_steps", "code"}); fmt.Sprint(step) != "[CERTIFICATE]" {
		t.Errorf("pending steps are %v", step)
	}
}

func TestTheCountryIsThatOfTheIdentifier(t *testing.T) {
	w := newWorld(t)
	for _, c := range []struct{ name, change, value string }{
		{"with hyphens", "tax_identifier", `"30-50001091-2"`},
		{"as a number", "tax_identifier", `30500010912`},
		{"with the name in lower case", "tax_identifier_name", `"cuit"`},
		{"with the country", "country", `"AR"`},
		{"with the country in lower case", "country", `"ar"`},
		{"without a date", "start_activities_date", ""},
		{"with a date of null", "start_activities_date", "null"},
		{"with another currency", "id_currency", "4"},
	} {
		got := w.call("POST", "/api/companies", edited(t, companyBody, c.change, c.value), ana)
		if got.Code != 201 {
			t.Errorf("%s: %s", c.name, got.Body)
			continue
		}
		if v := got.object(); v["country"] != "AR" || v["tax_identifier"] != cuit || v["tax_identifier_name"] != "CUIT" {
			t.Errorf("%s: %s", c.name, got.Body)
		}
	}
}

func TestCompaniesThatAreRefused(t *testing.T) {
	w := newWorld(t)
	for _, c := range []struct {
		name, body string
		want       []string
	}{
		{"nothing", `{}`, []string{"legal_name REQUIRED", "tax_identifier REQUIRED", "tax_identifier_name REQUIRED",
			"id_currency REQUIRED"}},
		{"everything at once", `{"legal_name":" ","tax_identifier":"30500010913","tax_identifier_name":"CUIT","start_activities_date":"1999-02-30","id_currency":99,"color":"red"}`,
			[]string{"legal_name REQUIRED", "tax_identifier BAD_TAX_IDENTIFIER", "start_activities_date NOT_A_DATE",
				"id_currency UNKNOWN_CURRENCY", "color UNKNOWN_FIELD"}},
		{"a wrong check digit", edited(t, companyBody, "tax_identifier", `"30500010913"`),
			[]string{"tax_identifier BAD_TAX_IDENTIFIER"}},
		{"too few digits", edited(t, companyBody, "tax_identifier", `"3050001091"`),
			[]string{"tax_identifier BAD_TAX_IDENTIFIER"}},
		{"letters", edited(t, companyBody, "tax_identifier", `"CUIT"`), []string{"tax_identifier BAD_TAX_IDENTIFIER"}},
		{"a name that nobody has", edited(t, companyBody, "tax_identifier_name", `"VAT"`),
			[]string{"tax_identifier_name UNKNOWN_IDENTIFIER_NAME"}},
		{"another country", edited(t, companyBody, "country", `"CL"`), []string{"country OTHER_COUNTRY"}},
		{"a country that is none", edited(t, companyBody, "country", `"Argentina"`), []string{"country TOO_LONG"}},
		{"a currency as text", edited(t, companyBody, "id_currency", `"1"`), []string{"id_currency WRONG_TYPE"}},
		{"a currency with decimals", edited(t, companyBody, "id_currency", `1.5`), []string{"id_currency NOT_AN_INTEGER"}},
		{"currency 0", edited(t, companyBody, "id_currency", `0`), []string{"id_currency OUT_OF_RANGE"}},
		{"a currency beyond 64 bits", edited(t, companyBody, "id_currency", `4294967297`),
			[]string{"id_currency OUT_OF_RANGE"}},
		{"a name that is too long", edited(t, companyBody, "legal_name", `"`+strings.Repeat("ñ", 201)+`"`),
			[]string{"legal_name TOO_LONG"}},
		{"a name that nobody sees", edited(t, companyBody, "legal_name", `"\u200b"`), []string{"legal_name BLANK"}},
		{"a name with a line break", edited(t, companyBody, "legal_name", `"a\nb"`),
			[]string{"legal_name CONTROL_CHARACTER"}},
		{"an array", `[]`, []string{"$ WRONG_TYPE"}},
	} {
		before := w.log.Count("company-")
		t.Run(c.name, func(t *testing.T) {
			a := w.call("POST", "/api/companies", c.body, ana)
			a.t = t
			a.fails(422, "VALIDATION_FAILED", c.want...)
		})
		if n := w.log.Count("company-"); n != before {
			t.Errorf("%s: %d events were recorded", c.name, n-before)
		}
	}
	w.call("POST", "/api/companies", companyBody).fails(401, "BEARER_REQUIRED")
	w.call("POST", "/api/companies", companyBody, "Authorization: Bearer x").fails(401, "BAD_CREDENTIAL")
	w.call("POST", "/api/companies", companyBody, w.company().key).fails(401, "BEARER_REQUIRED")
	w.call("POST", "/api/companies", `{"legal_name":`, ana).fails(400, "BODY_NOT_JSON")
	w.call("POST", "/api/companies", `{"legal_name":"a","legal_name":"b"}`, ana).fails(400, "DUPLICATE_MEMBER")
	w.call("POST", "/api/companies", companyBody, ana, "Content-Type: text/plain").fails(415, "JSON_REQUIRED")
	w.call("DELETE", "/api/companies", "", ana).fails(405, "METHOD_NOT_ALLOWED")
}

// edited changes one member of a JSON object, or takes it away for "".
func edited(t testing.TB, body, member, value string) string {
	t.Helper()
	v := map[string]any{}
	for k, x := range decoded(t, body) {
		v[k] = x
	}
	change(t, v, []string{member}, value)
	return encoded(t, v)
}

func TestAPIKeys(t *testing.T) {
	w := newWorld(t)
	id := w.call("POST", "/api/companies", companyBody, ana).want(201).text("id_company")
	issued := w.call("POST", "/api/companies/apikey", `{"id_company":"`+id+`","description":"Tienda"}`, ana).want(201)
	got := issued.object()
	key, keyID := issued.text("api_key"), issued.text("key_id")
	if got["id_company"] != id || got["description"] != "Tienda" || !strings.HasPrefix(key, "fk_"+keyID) ||
		got["created_at"] == nil ||
		issued.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("%s %v", issued.Body, issued.Header())
	}
	w.call("GET", "/api/invoices", "", "x-api-key: "+key).want(200) // works at once
	second := w.call("POST", "/api/companies/apikey", `{"id_company":"`+id+`"}`, ana).want(201)
	listed := w.call("GET", "/api/companies/"+id+"/apikeys", "", ana).want(200)
	if rows := listed.object()["data"].([]any); len(rows) != 2 || strings.Contains(listed.Body.String(), key[29:]) {
		t.Errorf("listed: %s", listed.Body)
	} else {
		row := rows[1].(map[string]any) // the newest is first
		if row["key_id"] != keyID || row["prefix"] != "fk_"+keyID || row["description"] != "Tienda" ||
			row["last_used_on"] != "2026-11-27" {
			t.Errorf("row: %v", row)
		}
		if row := rows[0].(map[string]any); row["last_used_on"] != nil {
			t.Errorf("a key that was never used: %v", row)
		}
	}
	w.call("DELETE", "/api/companies/"+id+"/apikeys/"+keyID, "", ana).want(204)
	w.call("GET", "/api/invoices", "", "x-api-key: "+key).fails(401, "BAD_CREDENTIAL") // stops at once
	w.call("GET", "/api/invoices", "", "x-api-key: "+second.text("api_key")).want(200)
	w.call("DELETE", "/api/companies/"+id+"/apikeys/"+keyID, "", ana).want(204) // nothing new
	if n := len(w.call("GET", "/api/companies/"+id+"/apikeys", "", ana).want(200).object()["data"].([]any)); n != 1 {
		t.Errorf("%d keys are listed", n)
	}
	other := w.call("POST", "/api/companies", companyBody, ana).want(201).text("id_company")
	w.call("DELETE", "/api/companies/"+other+"/apikeys/"+second.text("key_id"), "", ana).fails(404, "API_KEY_NOT_FOUND")
	w.call("DELETE", "/api/companies/"+id+"/apikeys/01KJQ8J0000000000000000000", "", ana).fails(404, "API_KEY_NOT_FOUND")
	w.call("DELETE", "/api/companies/"+id+"/apikeys/a%2Fb", "", ana).fails(404, "NOT_FOUND")
}

func TestAPIKeysThatAreRefused(t *testing.T) {
	w := newWorld(t)
	s := w.company()
	for _, c := range []struct {
		name, body, constant string
		status               int
		want                 []string
	}{
		{"nothing", `{}`, "VALIDATION_FAILED", 422, []string{"id_company REQUIRED"}},
		{"a company that is true", `{"id_company":true,"description":7}`, "VALIDATION_FAILED", 422,
			[]string{"id_company WRONG_TYPE", "description WRONG_TYPE"}},
		{"a company as a number, which the specification allows", `{"id_company":17}`, "COMPANY_NOT_FOUND", 404, nil},
		{"a company with decimals", `{"id_company":1.5}`, "VALIDATION_FAILED", 422, []string{"id_company NOT_AN_INTEGER"}},
		{"an unknown company", `{"id_company":"01KJQ8J0000000000000000000"}`, "COMPANY_NOT_FOUND", 404, nil},
		{"what is no id", `{"id_company":"$all/../x ñ"}`, "COMPANY_NOT_FOUND", 404, nil},
		{"a description that is too long", `{"id_company":"` + s.id + `","description":"` + strings.Repeat("x", 201) + `"}`,
			"VALIDATION_FAILED", 422, []string{"description TOO_LONG"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := w.call("POST", "/api/companies/apikey", c.body, ana)
			a.t = t
			a.fails(c.status, c.constant, c.want...)
		})
	}
	w.call("POST", "/api/companies/apikey", `{"id_company":"`+s.id+`"}`, s.key).fails(401, "BEARER_REQUIRED")
}

func TestAnotherAccountsCompanyIsNotThere(t *testing.T) {
	w := newWorld(t)
	s := w.company()
	w.call("POST", "/api/companies/apikey", `{"id_company":"`+s.id+`"}`, bob).fails(404, "COMPANY_NOT_FOUND")
	w.call("GET", "/api/companies/"+s.id, "", bob).fails(404, "COMPANY_NOT_FOUND")
	w.call("GET", "/api/companies/"+s.id+"/apikeys", "", bob).fails(404, "COMPANY_NOT_FOUND")
	w.call("DELETE", "/api/companies/"+s.id+"/apikeys/01KJQ8J0000000000000000000", "", bob).fails(404, "COMPANY_NOT_FOUND")
	if n := w.call("GET", "/api/companies", "", bob).want(200).object()["total_results"]; fmt.Sprint(n) != "0" {
		t.Errorf("the stranger has %v companies", n)
	}
	if n := w.call("GET", "/api/companies", "", ana).want(200).object()["total_results"]; fmt.Sprint(n) != "1" {
		t.Errorf("the owner has %v companies", n)
	}
}

const password = "correct horse battery"

func TestLogin(t *testing.T) {
	w := newWorld(t)
	accounts, err := access.NewAccounts(w.x, w, bytes.Repeat([]byte("k"), 32), w.now)
	check(t, err)
	_, err = accounts.Register(context.Background(), "ana@example.com", password, "test")
	check(t, err)
	w.login.entry = accounts
	in := w.call("POST", "/api/login", `{"email":"ANA@example.com","password":"`+password+`"}`).want(200)
	if got := in.object(); got["token_type"] != "Bearer" || fmt.Sprint(got["expires_in"]) != "43200" ||
		in.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("%s %v", in.Body, in.Header())
	}
	w.call("POST", "/api/logout", "", w.company().key).fails(401, "BEARER_REQUIRED")
	w.call("POST", "/api/login", `{}`).fails(422, "VALIDATION_FAILED", "email REQUIRED", "password REQUIRED")
	w.call("POST", "/api/login", `{"email":1,"password":null,"remember":true}`).fails(422, "VALIDATION_FAILED",
		"email WRONG_TYPE", "password NOT_NULL", "remember UNKNOWN_FIELD")
	bad := w.call("POST", "/api/login", `{"email":"ana@example.com","password":"hunter2hunter2"}`)
	bad.fails(401, "LOGIN_FAILED")
	if strings.Contains(bad.Body.String(), "hunter2") {
		t.Errorf("the answer repeats the password: %s", bad.Body)
	}
	for range 6 {
		w.call("POST", "/api/login", `{"email":"bob@example.com","password":"hunter2hunter2"}`).fails(401, "LOGIN_FAILED")
	}
	slow := w.call("POST", "/api/login", `{"email":"bob@example.com","password":"`+password+`"}`)
	slow.fails(429, "LOGIN_THROTTLED")
	if slow.Header().Get("Retry-After") != "1" {
		t.Errorf("Retry-After is %q", slow.Header().Get("Retry-After"))
	}
	w.call("POST", "/api/login", `{"email":"ana@example.com","password":"`+password+`"}`).want(200)
	if text := w.logs.String(); strings.Contains(text, "hunter2") || strings.Contains(text, password) {
		t.Errorf("the log holds a password: %s", text)
	}
}

func TestFiscalProfile(t *testing.T) {
	w := newWorld(t)
	s := w.company()
	path := "/api/companies/" + s.id + "/fiscal-profile"
	body := `{"address":{"country":"AR","region":"AR-C","address":"Av. Corrientes 1234","phone":"+54 11 4321-0000"},"tax_condition":"Responsable_Inscripto","gross_income_number":"901-123456-7"}`
	set := w.call("PUT", path, body, s.key).want(200)
	if got := set.object(); got["tax_condition"] != "responsable_inscripto" ||
		got["gross_income_number"] != "901-123456-7" {
		t.Errorf("%s", set.Body)
	}
	if read := w.call("GET", path, "", s.key).want(200); read.Body.String() != set.Body.String() {
		t.Errorf("set\n%s\nread\n%s", set.Body, read.Body)
	}
	before := w.log.Count("company-")
	w.call("PUT", path, body, s.key).want(200)
	if n := w.log.Count("company-"); n != before {
		t.Error("the same profile again was recorded")
	}
	// By ARCA's own id, too.
	if got := w.call("PUT", path, `{"tax_condition":"6"}`,
		s.key).want(200).object(); got["tax_condition"] != "monotributo" {
		t.Errorf("%v", got)
	}
	w.call("PUT", path, `{"tax_condition":"rich","address":{"region":7},"giro":"x"}`, s.key).
		fails(422, "VALIDATION_FAILED", "tax_condition UNKNOWN_TAX_CONDITION", "address.region WRONG_TYPE",
			"giro UNKNOWN_FIELD")
	w.call("PUT", path, body).fails(401, "API_KEY_REQUIRED")
	other := w.company()
	w.call("PUT", path, body, other.key).fails(403, "OTHER_COMPANY")
}
