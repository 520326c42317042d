package console

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// visit is one request to the console, and what its page is made of.
type visit struct {
	console *console
	w       http.ResponseWriter
	r       *http.Request
	caller
	csrf    string
	form    url.Values // what was posted, to be shown again beside its faults
	problem *Problem
	here    *company // the company of the path; nil on pages of none
}

func (s *console) visit(w http.ResponseWriter, r *http.Request) *visit {
	language := languageOf(r)
	return &visit{console: s, w: w, r: r, caller: caller{api: s.API, from: r, language: language}}
}

func (v *visit) get(path string, out any) error { return v.caller.get(v.r.Context(), path, out) }

func (v *visit) post(path string, body, out any) error {
	return v.caller.post(v.r.Context(), path, body, out)
}

func (v *visit) call(method, path string, body any) (*answer, error) {
	return v.sendJSON(v.r.Context(), method, path, body)
}

func (v *visit) put(path string, body any) error {
	return v.write(v.r.Context(), http.MethodPut, path, body, nil)
}

func (v *visit) remove(path string) error {
	return v.write(v.r.Context(), http.MethodDelete, path, nil, nil)
}

// page puts the session before a handler, reads a posted form, and shows what the API refuses.
func (s *console) page(h handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v := s.visit(w, r)
		if v.token = s.session(r); v.token == "" {
			v.enter()
			return
		}
		v.csrf, v.company = csrfOf(v.token), r.PathValue("company")
		if err := v.serve(h); err != nil {
			v.fail(err)
		}
	})
}

func (v *visit) serve(h handler) error {
	if v.company != "" {
		v.here = &company{}
		if err := v.get(route("companies", v.company), v.here); err != nil {
			return err
		}
	}
	if v.r.Method != http.MethodPost {
		return h(v)
	}
	return v.read(func() error { return h(v) })
}

// maxForm bounds a posted form, files included, in bytes; the API bounds its parts more closely.
const maxForm = 768 << 10

// read has the session confirmed by the API before a byte of the form is read, reads it when it
// is the account's turn, and refuses one that is not of a page of this session.
func (v *visit) read(then func() error) error {
	var who struct {
		Account string `json:"id_account"`
	}
	if err := v.get(route("account"), &who); err != nil {
		return err
	}
	cost := int64(maxForm)
	if n := v.r.ContentLength; n >= 0 {
		cost = min(max(n, 4<<10), maxForm)
	}
	return v.console.forms.Pass(v.r.Context(), who.Account, cost, func() error {
		v.r.Body = http.MaxBytesReader(v.w, v.r.Body, maxForm)
		err := v.r.ParseForm()
		if err == nil {
			if err = v.r.ParseMultipartForm(maxForm); errors.Is(err, http.ErrNotMultipart) {
				err = nil // a plain form
			}
		}
		tooLarge := (*http.MaxBytesError)(nil)
		switch {
		case errors.As(err, &tooLarge):
			return oversized
		case err != nil:
			return unreadable
		}
		if v.r.MultipartForm != nil {
			defer v.r.MultipartForm.RemoveAll() //nolint:errcheck // the form is in memory: there are no files
		}
		v.form = v.r.PostForm
		if !proves(v.token, v.form.Get(csrfField)) {
			return noProof
		}
		v.key = v.form.Get("_key")
		return then()
	})
}

// The problems that are the console's own.
var (
	noProof = &Problem{Status: http.StatusForbidden, Constant: "FORM_NOT_OURS",
		Title: "This form is out of date", Detail: "Nothing was changed. Open the page again and send the form from there."}
	otherSite = &Problem{Status: http.StatusForbidden, Constant: "FORM_OF_ANOTHER_SITE",
		Title:  "This form comes from another site",
		Detail: "Nothing was changed. Open the page here and send the form from there."}
	unreadable = &Problem{Status: http.StatusBadRequest, Constant: "FORM_UNREADABLE",
		Title: "The form cannot be read", Detail: "Nothing was changed. Open the page again and send the form from there."}
	oversized = &Problem{Status: http.StatusRequestEntityTooLarge, Constant: "FORM_TOO_LARGE",
		Title: "The form is too large", Detail: "Nothing was changed. A logo may have 512 KiB, other files 64 KiB."}
	notFound = &Problem{Status: http.StatusNotFound, Constant: "NO_SUCH_PAGE",
		Title: "There is no such page", Detail: "It may have moved, or it is not yours. Start from your companies."}
)

// problemOf is err as it may be shown. What is no refusal of the API is the service's fault.
func (v *visit) problemOf(err error) *Problem {
	var p *Problem
	if errors.As(err, &p) {
		return p
	}
	if a := faultOf(err); a != nil {
		return a
	}
	return &Problem{Status: http.StatusInternalServerError, Constant: "INTERNAL_ERROR",
		Title: "Something went wrong on our side", Detail: "Try again in a moment."}
}

// fail shows what was refused on a page of its own; who has no session any more logs in.
func (v *visit) fail(err error) {
	p := v.problemOf(err)
	if p.Status == http.StatusUnauthorized {
		v.console.setCookie(v.w, v.r, sessionCookie, "", 0)
		v.enter()
		return
	}
	if v.here != nil && v.here.ID == "" {
		v.here = nil // the company itself was refused
	}
	v.render(p.Status, "problem", p.Title, p)
}

// refuseOtherSite answers a form that another site's page sent.
func (s *console) refuseOtherSite(w http.ResponseWriter, r *http.Request) {
	v := s.visit(w, r)
	if token := s.session(r); token != "" {
		v.csrf = csrfOf(token) // of the button to log out
	}
	v.fail(otherSite)
}

// missing answers a path that no page has; without a session it says no more than the log-in.
func (v *visit) missing() {
	if v.token = v.console.session(v.r); v.token == "" {
		v.enter()
		return
	}
	v.csrf = csrfOf(v.token)
	v.fail(notFound)
}

// enter sends to the log-in, and back afterwards where that is a page to look at.
func (v *visit) enter() {
	to := Path + "/login"
	if v.r.Method == http.MethodGet && v.r.URL.Path != Path+"/" {
		to += "?back=" + url.QueryEscape(v.r.URL.RequestURI())
	}
	v.send303(to)
}

// redirect sends to a page of the console, so that a reload does not post again.
func (v *visit) redirect(path string) { v.send303(Path + path) }

func (v *visit) send303(to string) {
	if v.r.Header.Get("HX-Request") != "" { // htmx would follow into a part of the page
		v.w.Header().Set("HX-Redirect", to)
		v.w.WriteHeader(http.StatusNoContent)
		return
	}
	http.Redirect(v.w, v.r, to, http.StatusSeeOther)
}

// zone is where the fiscal day of the company is counted; UTC where there is no company.
func (v *visit) zone() *time.Location {
	if v.here == nil {
		return time.UTC
	}
	return v.console.country(v.here.Country).Zone
}

// within is a page of the company.
func (v *visit) within(parts ...string) string {
	var b strings.Builder
	b.WriteString("/c/" + url.PathEscape(v.company))
	for _, p := range parts {
		b.WriteString("/" + url.PathEscape(p))
	}
	if len(parts) == 0 {
		b.WriteByte('/')
	}
	return b.String()
}

// again shows a page with what was refused beside its fields; what refuses the whole page fails.
func (v *visit) again(err error, show func(status int) error) error {
	p := v.problemOf(err)
	if p.Status == http.StatusUnauthorized || p.Status == http.StatusNotFound && len(p.Faults) == 0 {
		return err
	}
	v.problem = p
	return show(p.Status)
}

// done leads to a page and has it say what happened.
func (v *visit) done(path, note string) error {
	v.redirect(path + "?done=" + url.QueryEscape(note))
	return nil
}
