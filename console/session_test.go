package console

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestABodyIsMadeOfPaths(t *testing.T) {
	form := url.Values{"csrf": {"x"}, "_form": {"y"}, "legal_name": {" Ana "}, "address.region": {"AR-C"}, "empty": {" "},
		"items[0].quantity:n": {"2.50"}, "items[10].description": {"ten"}, "items[2].description": {"two"},
		"items[0].taxes[0].rate:n": {"21"}, "bad:n": {"1,5"}, "scopes[]": {"read", "issue"}, "a b": {"no path"},
		"x.__proto__[9999]": {"no path"}}
	got, err := json.Marshal(bodyOf(form, "en"))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"address":{"region":"AR-C"},"bad":"1,5","items":[{"quantity":2.50,"taxes":[{"rate":21}]},` +
		`{"description":"two"},{"description":"ten"}],"legal_name":"Ana","scopes":["read","issue"]}`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// The Spanish pages write a comma before decimals, and take one.
func TestASpanishNumberHasAComma(t *testing.T) {
	for text, want := range map[string]string{"1234,50": "1234.50", "1.234,50": "1234.50", "-0,5": "-0.5", "99,90": "99.90",
		"12.34,5": `"12.34,5"`, "1,2,3": `"1,2,3"`, "10.5": "10.5", "1.234.567,00": "1234567.00", ",5": `",5"`} {
		got, err := json.Marshal(bodyOf(url.Values{"a:n": {text}}, "es"))
		if err != nil || string(got) != `{"a":`+want+`}` {
			t.Errorf("%s is %s, %v", text, got, err)
		}
	}
	if got := bodyOf(url.Values{"a": {"1,5"}}, "es"); got["a"] != "1,5" {
		t.Errorf("text is %v", got["a"])
	}
}

func TestAFormIsProvenBySessionOnly(t *testing.T) {
	if !proves("token", csrfOf("token")) || proves("token", csrfOf("other")) || proves("token", "") ||
		proves("", csrfOf("")) {
		t.Error("only the token of its own session proves a form")
	}
}

func TestOnlyTheConsoleIsGoneBackTo(t *testing.T) {
	for path, want := range map[string]string{
		"/console/c/1/invoices?page=2": "/c/1/invoices?page=2", "": "/", "https://evil.example/": "/", "//evil.example": "/",
		"/console//evil.example": "/", "/console\\evil": "/", "/console/\\evil": "/", "/consolex": "/",
		"/console/logout": "/",
		"/console/login":  "/",
	} {
		if got := localPath(path); got != want {
			t.Errorf("%q leads to %q, want %q", path, got, want)
		}
	}
}

func TestAnIDInAPathNamesNoOtherResource(t *testing.T) {
	if got := route("companies", "../invoices?x=1#y", "keys"); got != "/api/companies/..%2Finvoices%3Fx=1%23y/keys" {
		t.Error(got)
	}
}

// The API hears the person's address, language and company, and its refusals keep their paths.
func TestTheAPIIsCalledForThePerson(t *testing.T) {
	var seen *http.Request
	api := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen = r
		w.WriteHeader(http.StatusUnprocessableEntity)
		_, _ = w.Write([]byte(`{"title":"T","status":422,"detail":"D","message":"VALIDATION_FAILED",` +
			`"errors":[{"path":"items[0].quantity","code":"REQUIRED","message":"write it"}]}`))
	})
	from := httptest.NewRequest(http.MethodPost, "/console/x", nil)
	from.RemoteAddr = "203.0.113.7:1234"
	from.Header.Set("X-Forwarded-For", "198.51.100.1")
	from.Header.Set("Cookie", "folio_session=secret")
	c := caller{api: api, from: from, token: "tok", company: "C1", language: "es"}
	err := c.post(t.Context(), "/api/x", map[string]any{"a": 1}, nil)
	p, ok := err.(*Problem) //nolint:errorlint // it is not wrapped
	want := []faultLine{{"items[0].quantity", "REQUIRED", "write it"}}
	if !ok || p.Status != http.StatusUnprocessableEntity || !reflect.DeepEqual(p.Faults, want) {
		t.Fatalf("%+v", err)
	}
	for name, want := range map[string]string{"Authorization": "Bearer tok", "Folio-Company": "C1",
		"Accept-Language": "es", "X-Forwarded-For": "198.51.100.1", "Cookie": "", "Content-Type": "application/json"} {
		if got := seen.Header.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if seen.RemoteAddr != from.RemoteAddr {
		t.Errorf("the API hears %s", seen.RemoteAddr)
	}
}

func TestALargeFormIsRefusedAndStaticFilesAreOnlyThose(t *testing.T) {
	api := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(`{"id_account":"A"}`)) })
	h := New(Config{API: api})
	r := httptest.NewRequest(http.MethodPost, "/console/logout", strings.NewReader("x="+strings.Repeat("y", maxForm)))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.AddCookie(&http.Cookie{Name: sessionCookie, Value: "t"})
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if w.Code != http.StatusRequestEntityTooLarge {
		t.Errorf("a form of more than %d bytes: %d", maxForm, w.Code)
	}
	for path, want := range map[string]int{"/console/static/console.css": 200, "/console/static/htmx.min.js": 200,
		"/console/static/..%2fview.go": 404, "/console/static/nothing.css": 404} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		if w.Code != want {
			t.Errorf("%s: %d, want %d", path, w.Code, want)
		}
	}
}

// The refusal is a page like any other, in the language of whoever is brought to it.
func TestAFormOfAnotherSiteIsRefusedOnAPage(t *testing.T) {
	called := false
	h := New(Config{API: http.HandlerFunc(func(http.ResponseWriter, *http.Request) { called = true })})
	for language, want := range map[string]string{"en": "This form comes from another site",
		"es-UY,es;q=0.9": "Este formulario viene de otro sitio"} {
		for _, path := range []string{"/console/login", "/console/c/1/keys", "/console/nowhere"} {
			r := httptest.NewRequest(http.MethodPost, path, strings.NewReader("x=1"))
			r.Header.Set("Sec-Fetch-Site", "cross-site")
			r.Header.Set("Accept-Language", language)
			r.AddCookie(&http.Cookie{Name: sessionCookie, Value: "t"})
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			if page := w.Body.String(); w.Code != http.StatusForbidden || called || !strings.Contains(page, "<h1>"+want) ||
				!strings.Contains(page, csrfOf("t")) || w.Header().Get("Content-Type") != "text/html; charset=utf-8" ||
				w.Header().Get("Content-Security-Policy") != policy {
				t.Errorf("%s %s: %d %v\n%s", path, language, w.Code, w.Header(), page)
			}
		}
	}
}

func TestTheSessionIsACookieThatNoScriptAndNoOtherSiteGets(t *testing.T) {
	api := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"access_token":"tok","expires_in":43200}`))
	})
	for _, secure := range []bool{true, false} {
		h := New(Config{API: api, Secure: func(*http.Request) bool { return secure }})
		form := url.Values{"email": {"ana@example.com"}, "password": {"x"}, csrfField: {csrfOf("entry")}}
		r := httptest.NewRequest(http.MethodPost, "/console/login", strings.NewReader(form.Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.AddCookie(&http.Cookie{Name: entryCookie, Value: "entry"})
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != http.StatusSeeOther || w.Header().Get("Location") != "/console/" {
			t.Fatalf("the log-in: %d %v", w.Code, w.Header())
		}
		found := false
		for _, c := range w.Result().Cookies() {
			if c.Name != sessionCookie {
				continue
			}
			found = true
			if c.Value != "tok" || !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.Secure != secure ||
				c.Path != Path || c.MaxAge != 43200 {
				t.Errorf("secure %v: %v", secure, c)
			}
		}
		if hsts := w.Header().Get("Strict-Transport-Security") != ""; !found || hsts != secure {
			t.Errorf("secure %v: session %v, HSTS %v", secure, found, hsts)
		}
	}
}

func TestTheEnvironmentIsThatOfTheNewestCertificate(t *testing.T) {
	early := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	for want, all := range map[string][]certificate{"Production": nil,
		"Testing": {{Environment: "Production", UploadedAt: early}, {Environment: "Testing", UploadedAt: early.Add(1)}},
	} {
		if got := environmentOf(all); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
