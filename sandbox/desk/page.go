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

// pages are the templates of a desk (head, foot, overview.html, call.html) and those in own.
// Times are in zone.
func pages(zone *time.Location, own fs.FS) *template.Template {
	t := template.Must(template.New("").Funcs(template.FuncMap{
		"clock": func(t time.Time) string { return t.In(zone).Format("02/01 15:04:05") },
		"shown": shown,
	}).ParseFS(pageFiles, "pages/*.html"))
	if own != nil {
		template.Must(t.ParseFS(own, "pages/*.html"))
	}
	return t
}

// shown breaks XML into lines for people.
func shown(body string) string { return strings.ReplaceAll(body, "><", ">\n<") }

// Page writes a page that runs no script and loads nothing.
func (d *Desk) Page(w http.ResponseWriter, r *http.Request, name string, data any) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
	if err := d.pages.ExecuteTemplate(w, name, data); err != nil {
		Broken(d.Logger, r, err, "sandbox of "+d.Name+": page", "page", name)
	}
}

// overview shows what was received last, and what is scripted.
func (d *Desk) overview(w http.ResponseWriter, r *http.Request, k Knobs) {
	knobs, err := json.Marshal(k.shown())
	if err != nil {
		Broken(d.Logger, r, err, "sandbox of "+d.Name+": page")
	}
	d.Page(w, r, "overview.html", struct {
		*Desk
		At          time.Time
		Knobs, Host string
	}{d, d.Now(), string(knobs), r.Host})
}

// showCall shows one call with both sides of it.
func (d *Desk) showCall(w http.ResponseWriter, r *http.Request) {
	id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	for _, c := range d.Calls() {
		if err == nil && c.ID == id {
			d.Page(w, r, "call.html", struct {
				*Desk
				Call Call
			}{d, c})
			return
		}
	}
	http.Error(w, "this call is not remembered any more", http.StatusNotFound)
}
