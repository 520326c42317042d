package console

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// The cookies. The session is the API's own token; where it is good and for how long, the API
// decides at every page.
const (
	sessionCookie  = "folio_session"
	entryCookie    = "folio_entry" // of who is not logged in: what the form of the log-in is bound to
	languageCookie = "folio_language"
)

// csrfField is the member of every form that proves that it comes from a page of the console.
const csrfField = "csrf"

// csrfOf is bound to a session, and cannot be made without knowing its token.
func csrfOf(token string) string {
	m := hmac.New(sha256.New, []byte(token))
	m.Write([]byte("folio console form"))
	return base64.RawURLEncoding.EncodeToString(m.Sum(nil))
}

func proves(token, given string) bool {
	return token != "" && hmac.Equal([]byte(csrfOf(token)), []byte(given))
}

// keyOf is the Idempotency-Key of a page's forms, drawn when it is shown first and kept while it
// is shown again with faults.
func keyOf(form url.Values) string {
	if key := form.Get("_key"); key != "" {
		return key
	}
	return rand.Text()
}

// setCookie keeps a value in the browser for the console alone; "" removes it.
func (s *console) setCookie(w http.ResponseWriter, r *http.Request, name, value string, life time.Duration) {
	age := int(life / time.Second)
	if value == "" {
		age = -1
	}
	http.SetCookie(w, &http.Cookie{Name: name, Value: value, Path: Path, MaxAge: age, HttpOnly: true,
		Secure: s.Secure != nil && s.Secure(r), SameSite: http.SameSiteStrictMode})
}

func cookie(r *http.Request, name string) string {
	c, err := r.Cookie(name)
	if err != nil {
		return ""
	}
	return c.Value
}

// session is the token of a request, "" for none.
func (s *console) session(r *http.Request) string {
	return cookie(r, sessionCookie)
}

func (s *console) loginPage(w http.ResponseWriter, r *http.Request) {
	v := s.visit(w, r)
	if s.session(r) != "" && v.get(route("account"), &struct{}{}) == nil {
		v.redirect("/")
		return
	}
	s.showLogin(v, http.StatusOK, nil)
}

// showLogin binds the form to a cookie of its own: there is no session yet.
func (s *console) showLogin(v *visit, status int, problem *Problem) {
	entry := cookie(v.r, entryCookie)
	if entry == "" {
		entry = rand.Text()
		s.setCookie(v.w, v.r, entryCookie, entry, time.Hour)
	}
	v.csrf = csrfOf(entry)
	v.problem = problem
	v.render(status, "login", "Log in", struct{ Back string }{v.r.FormValue("back")})
}

// maxEntry bounds the form of the log-in, in bytes: anybody may send it.
const maxEntry = 8 << 10

func (s *console) login(w http.ResponseWriter, r *http.Request) {
	v := s.visit(w, r)
	r.Body = http.MaxBytesReader(w, r.Body, maxEntry)
	if err := r.ParseForm(); err != nil {
		s.showLogin(v, http.StatusBadRequest, unreadable)
		return
	}
	if !proves(cookie(r, entryCookie), r.PostForm.Get(csrfField)) {
		s.showLogin(v, http.StatusForbidden, noProof)
		return
	}
	v.form = r.PostForm
	var token struct {
		Token   string `json:"access_token"`
		Expires int    `json:"expires_in"`
	}
	if err := v.caller.post(r.Context(), route("login"), map[string]string{"email": r.PostForm.Get("email"),
		"password": r.PostForm.Get("password")}, &token); err != nil {
		p := v.problemOf(err)
		v.form.Del("password")
		s.showLogin(v, p.Status, p)
		return
	}
	s.setCookie(w, r, entryCookie, "", 0)
	s.setCookie(w, r, sessionCookie, token.Token, time.Duration(token.Expires)*time.Second)
	v.redirect(localPath(r.PostForm.Get("back")))
}

// logout ends the session everywhere. Whoever cannot be logged out is told so, and stays in.
func (v *visit) logout() error {
	if err := v.post(route("logout"), nil, nil); err != nil {
		return err
	}
	v.console.setCookie(v.w, v.r, sessionCookie, "", 0)
	v.w.Header().Set("Clear-Site-Data", `"cache"`)
	v.redirect("/login")
	return nil
}

// localPath is a path of the console to go back to; the start for everything else.
func localPath(path string) string {
	rest, ok := strings.CutPrefix(path, Path)
	if !ok || !strings.HasPrefix(rest, "/") || strings.ContainsAny(rest, "\\\r\n") || strings.HasPrefix(rest, "//") ||
		strings.HasPrefix(rest, "/log") {
		return "/"
	}
	return rest
}
