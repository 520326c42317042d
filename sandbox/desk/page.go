package desk

import (
	"embed"
	"encoding/json"
	"html/template"
	"io/fs"
	"net/http"
	"strconv"
	"strings"
	"time"
)

//go:embed pages/*.html
var pageFiles embed.FS

// Pages are the templates of a sandbox: those of the desk (head, foot, overview.html,
// call.html) and, later ones replacing earlier ones, those in more. Times are in zone.
func Pages(zone *time.Location, more ...fs.FS) *template.Template {
	t := template.Must(template.New("").Funcs(template.FuncMap{
		"clock": func(t time.Time) string { return t.In(zone).Format("02/01 15:04:05") },
		"shown": shown,
	}).ParseFS(pageFiles, "pages/*.html"))
	for _, files := range more {
		template.Must(t.ParseFS(files, "pages/*.html"))
	}
	return t
}

// shown breaks XML into lines for people.
func shown(body string) string { return strings.ReplaceAll(body, "><", ">\n<") }

// Show writes a page that runs no script and loads nothing.
func Show(w http.ResponseWriter, t *template.Template, name string, data any) error {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
	return t.ExecuteTemplate(w, name, data)
}

func (d *Desk) page(w http.ResponseWriter, r *http.Request, name string, data any) {
	if err := Show(w, d.pages, name, data); err != nil {
		Broken(d.log, r, err, "sandbox of "+d.Name+": page", "page", name)
	}
}

// overview shows what was received last, and what is scripted.
func (d *Desk) overview(w http.ResponseWriter, r *http.Request, k Knobs) {
	knobs, err := json.Marshal(k.shown())
	if err != nil {
		Broken(d.log, r, err, "sandbox of "+d.Name+": page")
	}
	d.page(w, r, "overview.html", struct {
		*Desk
		At          time.Time
		Knobs, Host string
	}{d, d.now(), string(knobs), r.Host})
}

// showCall shows one call with both sides of it.
func (d *Desk) showCall(w http.ResponseWriter, r *http.Request) {
	id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	for _, c := range d.Calls() {
		if err == nil && c.ID == id {
			d.page(w, r, "call.html", struct {
				*Desk
				Call Call
			}{d, c})
			return
		}
	}
	http.Error(w, "this call is not remembered any more", http.StatusNotFound)
}
