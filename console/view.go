package console

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"html/template"
	"io/fs"
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"

	"folio/fault"
	"folio/httpapi"
)

//go:embed templates/*.html
var templateFiles embed.FS

// htmx.min.js is htmx 2.0.11 (0BSD) as npm has it.
//
//go:embed static
var staticFiles embed.FS

// views are the pages in one language, by the name of their file.
type views map[string]*template.Template

// readViews parses every page with the layout and the parts that pages share. That takes 3 MB, so it waits until
// somebody looks at one.
func readViews() map[string]views {
	all := map[string]views{}
	for _, l := range languages {
		shared := template.Must(template.New("").Funcs(functions(l)).ParseFS(templateFiles, "templates/_*.html"))
		all[l] = views{}
		files, err := fs.Glob(templateFiles, "templates/[a-z]*.html")
		if err != nil {
			panic(err) // only for a bad pattern
		}
		for _, f := range files {
			page := template.Must(template.Must(shared.Clone()).ParseFS(templateFiles, f))
			all[l][strings.TrimSuffix(path.Base(f), ".html")] = page
		}
	}
	return all
}

// view is what a template sees.
type view struct {
	Language string
	Title    string
	CSRF     string
	Key      string // of the forms on this page: each is done once, however often it is sent
	Back     string // this page, for the switch of the language
	Nav      string // which page of the company this is
	Here     *company
	Problem  *Problem
	Note     string
	Sandbox  bool // no document that this service submits has fiscal value
	Mail     bool // there is a mail server
	Now      time.Time
	Data     any
	Content  template.HTML

	form url.Values
	used map[string]field // the fields on the page, by path
	zone *time.Location
}

// notes are what a page may be asked to say after something was done; no other text is shown,
// so that a link cannot put words in the console's mouth.
var notes = map[string]string{
	"company": "The company was made. Here is what it needs next.",
	"profile": "The fiscal profile was saved.", "certificate": "The certificate was uploaded.",
	"logo": "The logo was uploaded. Documents carry it from now on.", "range": "The numbering file was uploaded.",
	"start": "The first number was set.", "issued": "The document was issued. Its state follows here by itself.",
	"process": "The document was taken up.", "webhook": "The subscription was saved.",
	"ping": "A trial delivery is on its way.", "removed": "The subscription was removed.",
	"replay": "The replay has begun.", "stopped": "The replay was stopped.", "resent": "The delivery is sent again.",
	"revoked":             "The key was revoked. It stopped at once.",
	"certificate-removed": "The certificate was removed, and its key was forgotten.",
	"contingency":         "The contingency of the point of sale was saved.",
	"contingency-open":    "The contingency is open: what was never sent is issued at the contingency point.",
	"contingency-closed":  "The contingency is closed: documents wait for the authority again.",
	"outage-open":         "The authority counts as away from now on.",
	"outage-closed":       "The outage is over.",
	"email":               "The message is on its way. The timeline tells what came of it.",
}

// render answers with a page. What cannot be rendered is a fault of ours: nothing half made is
// sent.
func (v *visit) render(status int, name, title string, data any) {
	x := v.view(name, title, data)
	page := v.console.views()[v.language][name]
	var content, all bytes.Buffer
	err := page.ExecuteTemplate(&content, "content", x)
	seen := seenOf(content.Bytes())
	if v.r.Header.Get("HX-Request") != "" && v.r.URL.Query().Get("seen") == seen {
		v.w.WriteHeader(http.StatusNoContent) // nothing moved: what has the focus keeps it
		return
	}
	if err == nil {
		made := strings.ReplaceAll(content.String(), seenMark, seen)
		x.Content = template.HTML(made) //nolint:gosec // what html/template has just made
		err = page.ExecuteTemplate(&all, "layout", x)
	}
	v.answer(status, name, all.Bytes(), err)
}

// seenMark stands in a page for what the page has, so that the next look at it can say what was
// seen; see seenOf.
const seenMark = "seen-so-far"

// seenOf names what a page has.
func seenOf(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:8])
}

// renderPart answers with a part of a page, for htmx to put in its place.
func (v *visit) renderPart(name, part string, data any) {
	var content bytes.Buffer
	err := v.console.views()[v.language][name].ExecuteTemplate(&content, part, v.view(name, "", data))
	v.answer(http.StatusOK, name, content.Bytes(), err)
}

func (v *visit) view(name, title string, data any) *view {
	x := &view{Language: v.language, Title: say(v.language, title), CSRF: v.csrf, Key: keyOf(v.form),
		Back: v.r.URL.RequestURI(), Nav: name,
		Here: v.here, Problem: v.problem, Sandbox: v.console.Sandbox, Mail: v.console.Mail,
		Now: v.console.Clock(), Data: data, form: v.form,
		used: map[string]field{},
		zone: v.zone()}
	if v.r.Method != http.MethodGet {
		x.Back = v.r.URL.Path
	}
	x.Note = say(v.language, notes[v.r.URL.Query().Get("done")])
	return x
}

func (v *visit) answer(status int, name string, body []byte, err error) {
	if err != nil {
		v.console.Log.Error("a page of the console cannot be made", "page", name, "error", err)
		http.Error(v.w, say(v.language, "Something went wrong on our side"), http.StatusInternalServerError)
		return
	}
	h := v.w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Language", v.language)
	h.Add("Vary", "Cookie, Accept-Language")
	v.w.WriteHeader(status)
	_, _ = v.w.Write(body) // the only failure is a browser that has gone
}

// faultOf is a fault of what the console shares with the rest of the service.
func faultOf(err error) *Problem {
	f := fault.As(err)
	if f == nil {
		return nil
	}
	title, status := httpapi.Titled(f.Code)
	return &Problem{Status: status, Title: title, Constant: f.Constant, Detail: f.Text}
}

// versions are the addresses of the static files, which change with their content.
var versions = func() map[string]string {
	out := map[string]string{}
	entries, err := staticFiles.ReadDir("static")
	if err != nil {
		panic(err)
	}
	for _, e := range entries {
		b, err := staticFiles.ReadFile("static/" + e.Name())
		if err != nil {
			panic(err)
		}
		sum := sha256.Sum256(b)
		out[e.Name()] = Path + "/static/" + e.Name() + "?v=" + hex.EncodeToString(sum[:6])
	}
	return out
}()

// kinds are the media types of the static files; a file of another kind is not served.
var kinds = map[string]string{".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8",
	".svg": "image/svg+xml", ".txt": "text/plain; charset=utf-8"}

func static(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("file")
	b, err := staticFiles.ReadFile("static/" + name)
	if kind := kinds[path.Ext(name)]; err == nil && kind != "" {
		w.Header().Set("Content-Type", kind)
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(b))
		return
	}
	http.NotFound(w, r)
}
