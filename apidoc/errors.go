package apidoc

import (
	"bytes"
	"encoding/json"
	"html/template"
	"net/http"
	"strconv"
	"strings"

	"github.com/go-chi/chi/v5"

	"folio/httpapi"
)

// cures is what helps against each kind of fault, besides what its text says.
var cures = map[string]string{
	"unparsable": "The body could not be read at all. Send what the operation's schema describes, in UTF-8, with its " +
		"Content-Length.",
	"invalid": "Correct the fields that errors names, all at once, and send the request again. With an " +
		"Idempotency-Key: a refused request has not used it.",
	"unauthorized": "Send a credential that works: a bearer token of POST /api/login, or an API key in x-api-key.",
	"forbidden":    "The credential is good, for something else. Use the API key of the company that the path names.",
	"not_found":    "Compare the id with what a list answers. What belongs to somebody else is not found either.",
	"no_method":    "The header Allow names the methods that the path takes.",
	"conflict": "Nothing is wrong with the request itself: the present state forbids it. Do what the text says, " +
		"then send it again.",
	"too_large":  "Send less. The limits are in the description of the operation.",
	"wrong_type": "Send the content type that the operation takes, uncompressed.",
	"too_many":   "Wait as many seconds as Retry-After says, then send the request again.",
	"unavailable": "Nothing is wrong with the request. Wait as many seconds as Retry-After says and send it again; a " +
		"write with the same Idempotency-Key.",
	"internal": "Try again, and give request_id to support if it stays.",
}

// page of one code.
type codePage struct {
	Code
	Title   string
	Status  []int
	Cures   []string
	Example string
}

// Page is what the page of a code says; false for none.
func Page(code string) (codePage, bool) {
	for _, c := range Codes {
		if strings.EqualFold(c.Code, code) {
			return pageOf(c), true
		}
	}
	return codePage{}, false
}

func pageOf(c Code) codePage {
	p := codePage{Code: c}
	kinds := c.Kinds
	if len(kinds) == 0 {
		kinds = []string{"invalid"}
	}
	for _, kind := range kinds {
		status, err := strconv.Atoi(Statuses[kind])
		if err != nil {
			continue
		}
		p.Status, p.Cures = append(p.Status, status), append(p.Cures, cures[kind])
		p.Title = Titles[Statuses[kind]]
	}
	p.Example = example(p)
	return p
}

// example is an answer with the code, as the service writes it.
func example(p codePage) string {
	says := "The request has fields that must be corrected: see errors."
	whole, parts := "VALIDATION_FAILED", []map[string]string{}
	said := ""
	if len(p.Says) > 0 {
		said = p.Says[0]
	}
	if p.Fault {
		whole, says = p.Code.Code, said
	} else {
		parts = append(parts, map[string]string{"path": "the.field[0].at_fault", "code": p.Code.Code, "message": said})
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(struct {
		Type      string `json:"type"`
		Title     string `json:"title"`
		Status    int    `json:"status"`
		Detail    string `json:"detail"`
		Instance  string `json:"instance"`
		Code      string `json:"code"`
		Message   string `json:"message"`
		Errors    any    `json:"errors"`
		RequestID string `json:"request_id"`
	}{httpapi.ProblemURN(whole), p.Title, p.Status[0], says, "/api/invoices", says, whole, parts,
		"01KJQ8M7Z0V5T3C2R1P0N9M8L7"})
	if err != nil {
		return ""
	}
	return b.String()
}

var pages = template.Must(template.New("").Parse(`{{define "head"}}<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>{{.}}</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem;color:#1c1917}code,pre{font:14px/1.5 ui-monospace,monospace}
pre{background:#f4f4f1;padding:1rem;overflow-x:auto;white-space:pre-wrap}h1{font-size:1.5rem}h2{font-size:1.1rem}a{color:#14532d}dt{margin-top:.6rem}dd{margin:0 0 0 1rem}</style>
</head><body>{{end}}
{{define "page"}}{{template "head" .Code.Code}}
<p><a href="/docs">Folio API</a> / <a href="/docs/errors">Errors</a></p>
<h1><code>{{.Code.Code}}</code></h1>
<p>{{.Title}} ({{range $i, $s := .Status}}{{if $i}}, {{end}}{{$s}}{{end}}). {{if .Fault}}It is the <code>message</code> of an answer.{{else}}It stands in <code>errors</code>, beside the <code>path</code> of the field at fault.{{end}}</p>
<h2>What it means</h2>
{{range .Says}}<p>{{.}}</p>{{end}}
<h2>How to cure it</h2>
{{range .Cures}}<p>{{.}}</p>{{end}}
<h2>Example</h2>
<pre>{{.Example}}</pre>
</body></html>{{end}}
{{define "index"}}{{template "head" "Errors"}}
<p><a href="/docs">Folio API</a></p>
<h1>Error codes</h1>
<p>Every error answer is a problem document (RFC 9457): <code>message</code> names the fault, <code>errors</code> what is wrong with which field.</p>
<dl>{{range .}}<dt><a href="/docs/errors/{{.Code}}"><code>{{.Code}}</code></a></dt>{{range .Says}}<dd>{{.}}</dd>{{end}}{{end}}</dl>
</body></html>{{end}}`))

func errorPage(w http.ResponseWriter, r *http.Request) error {
	p, ok := Page(chi.URLParam(r, "code"))
	if !ok {
		return errNoCode
	}
	return render(w, r, "page", p)
}

func errorIndex(w http.ResponseWriter, r *http.Request) error { return render(w, r, "index", Codes) }

func render(w http.ResponseWriter, r *http.Request, name string, data any) error {
	var b bytes.Buffer
	if err := pages.ExecuteTemplate(&b, name, data); err != nil {
		return err
	}
	return file("text/html; charset=utf-8", b.Bytes())(w, r)
}
