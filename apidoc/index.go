package apidoc

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"html/template"
	"net/http"
	"regexp"
	"strings"
	"sync"

	"folio/httpapi"
)

//go:embed static/docs.html
var docsHTML string

// page is the reader with an index of the operations, which narrow screens, where the reader hides its own, have to
// start from.
var page = sync.OnceValue(docsPage)

// group is a tag of the document with its operations, in the document's order.
type group struct {
	Name, Description string
	Operations        []operation
}

type operation struct {
	Method, Summary string
	Anchor          template.URL // in the page
}

// unaddressed are the characters that the reader replaces in the names of its operations.
var unaddressed = regexp.MustCompile(`[\s#:?&={}]`)

// methods are those of the document, in the order in which a path has them.
var methods = []string{"get", "post", "put", "patch", "delete"}

func docsPage() string {
	var b bytes.Buffer
	if err := template.Must(template.New("").Parse(docsHTML)).Execute(&b, groups(Document)); err != nil {
		panic("apidoc/docs.html: " + err.Error())
	}
	return b.String()
}

func groups(document string) (all []group) {
	var d struct {
		Tags  []group
		Paths json.RawMessage
	}
	if err := json.Unmarshal([]byte(document), &d); err != nil {
		panic("apidoc/openapi.json: " + err.Error())
	}
	for i := range d.Tags {
		d.Tags[i].Operations = operationsOf(d.Tags[i].Name, d.Paths)
	}
	return d.Tags
}

// operationsOf are those of a tag.
func operationsOf(tag string, paths json.RawMessage) (all []operation) {
	d := json.NewDecoder(bytes.NewReader(paths))
	_, _ = d.Token() // the document was read before
	for d.More() {
		name, _ := d.Token()
		var at map[string]struct {
			Summary string
			Tags    []string
		}
		path, ok := name.(string)
		if err := d.Decode(&at); err != nil || !ok {
			panic("apidoc/openapi.json: paths")
		}
		for _, m := range methods {
			if o, ok := at[m]; ok && len(o.Tags) > 0 && o.Tags[0] == tag {
				all = append(all, operation{strings.ToUpper(m), o.Summary,
					template.URL("#" + m + "-" + unaddressed.ReplaceAllString(path, "-"))}) //nolint:gosec // of our document
			}
		}
	}
	return all
}

// Moved is where addresses that a person types lead a browser; they are no operations, and for a program there is no
// such path.
var Moved = map[string]string{"/": "/docs", "/docs/": "/docs", "/docs/errors/": "/docs/errors"}

func moved(to string) httpapi.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if !httpapi.Browses(r) {
			return httpapi.ErrNoRoute
		}
		http.Redirect(w, r, to, http.StatusSeeOther)
		return nil
	}
}
