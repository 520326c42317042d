package e2e

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/pb33f/libopenapi"
	validator "github.com/pb33f/libopenapi-validator"
	"github.com/pb33f/libopenapi-validator/errors"

	"folio/apidoc"
)

// openAPI is the document of the service, as a validator that others wrote reads it.
type openAPI struct {
	validator.Validator
	operations []*operation
	seen       sync.Map // exchanges that were compared: polls repeat themselves
}

// operation is what of the document the validator does not compare: headers of answers, and
// parameters that are not declared.
type operation struct {
	Parameters []struct{ Name, In string }
	Responses  map[string]struct {
		Ref     string `json:"$ref"`
		Headers map[string]any
	}
	method   string
	segments []string
	literal  bool // no parameter of its path has slashes
}

// document is read and compiled once a run.
var document = sync.OnceValues(func() (*openAPI, error) {
	raw, err := os.ReadFile("../apidoc/openapi.json")
	if err != nil {
		return nil, err
	}
	read, err := libopenapi.NewDocument(raw)
	if err != nil {
		return nil, err
	}
	v, errs := validator.NewValidator(read)
	if len(errs) > 0 {
		return nil, fmt.Errorf("read the document: %v", errs)
	}
	d := &openAPI{Validator: v}
	return d, d.index(raw)
})

func (d *openAPI) index(raw []byte) error {
	var all struct {
		Paths      map[string]map[string]*operation
		Components struct {
			Responses map[string]struct{ Headers map[string]any }
		}
	}
	if err := json.Unmarshal(raw, &all); err != nil {
		return err
	}
	for path, methods := range all.Paths {
		for method, o := range methods {
			o.method, o.segments = strings.ToUpper(method), strings.Split(path, "/")
			o.literal = !strings.HasSuffix(path, "{path}")
			for status, a := range o.Responses {
				if a.Ref != "" {
					a.Headers = all.Components.Responses[a.Ref[strings.LastIndexByte(a.Ref, '/')+1:]].Headers
					o.Responses[status] = a
				}
			}
			d.operations = append(d.operations, o)
		}
	}
	// Of two paths that match, the one whose first difference is literal.
	slices.SortFunc(d.operations, func(a, b *operation) int {
		return -strings.Compare(strings.Join(a.segments, "/"), strings.Join(b.segments, "/"))
	})
	slices.Reverse(d.operations)
	return nil
}

func (d *openAPI) find(method, path string) *operation {
	segments := strings.Split(path, "/")
	for _, o := range d.operations {
		if o.method == method && o.matches(segments) {
			return o
		}
	}
	return nil
}

func (o *operation) matches(segments []string) bool {
	if len(segments) != len(o.segments) && (o.literal || len(segments) < len(o.segments)) {
		return false
	}
	for i, s := range o.segments {
		if s != segments[i] && (!strings.HasPrefix(s, "{") || segments[i] == "") {
			return false
		}
	}
	return true
}

// known says whether such an exchange was compared before, and remembers this one.
func (d *openAPI) known(o *operation, r *http.Request, sent []byte, a *http.Response, body []byte) bool {
	h := sha256.New()
	fmt.Fprintln(h, r.Method, o.segments, r.URL.RawQuery, a.StatusCode, len(sent), len(body), a.Header.Get("Content-Type"))
	h.Write(sent)
	h.Write(body)
	_, known := d.seen.LoadOrStore([sha256.Size]byte(h.Sum(nil)), true)
	return known
}

// everywhere are headers of HTTP itself, which need no entry; Server is a proxy's.
var everywhere = []string{"Content-Type", "Content-Length", "Date", "Vary", "Connection", "Transfer-Encoding",
	"Cache-Control", "Accept-Ranges", "X-Content-Type-Options", "Content-Language", "Content-Encoding",
	"Content-Disposition", "Server"}

// headers are those of an answer that the document does not name.
func (o *operation) headers(a *http.Response) (all []string) {
	of, known := o.Responses[strconv.Itoa(a.StatusCode)]
	if !known {
		return []string{"the status " + strconv.Itoa(a.StatusCode) + " is not documented"}
	}
	for name := range a.Header {
		if slices.Contains(everywhere, name) {
			continue
		}
		found := false
		for known := range of.Headers {
			found = found || http.CanonicalHeaderKey(known) == name
		}
		if !found {
			all = append(all, "the header "+name+" is not documented")
		}
	}
	return all
}

// query are the parameters of a request that was taken and that the document does not name.
// What is no resource of the API passes them over, and so do writes.
func (o *operation) query(r *http.Request) (all []string) {
	if o.segments[1] != "api" || r.Method != http.MethodGet {
		return nil
	}
	for name := range r.URL.Query() {
		if !slices.ContainsFunc(o.Parameters, func(p struct{ Name, In string }) bool {
			return p.In == "query" && p.Name == name
		}) {
			all = append(all, "the parameter "+name+" is not documented")
		}
	}
	return all
}

// unspoken are the English texts of a refusal that nobody can say in Spanish.
func unspoken(a *http.Response, body []byte) (all []string) {
	var p struct {
		Code, Message string
		Errors        []struct{ Code, Message string }
	}
	if a.Header.Get("Content-Language") != "en" || json.Unmarshal(body, &p) != nil {
		return nil
	}
	text := strings.TrimSuffix(p.Code, " Where an Idempotency-Key is accepted, use the same one.")
	if _, ok := apidoc.Spanish(p.Message, text); !ok && p.Message != "" {
		all = append(all, fmt.Sprintf("%s: nobody says in Spanish %q", p.Message, text))
	}
	for _, e := range p.Errors {
		if _, ok := apidoc.Spanish(e.Code, e.Message); !ok {
			all = append(all, fmt.Sprintf("%s: nobody says in Spanish %q", e.Code, e.Message))
		}
	}
	return all
}

func told(errs []*errors.ValidationError) (all []string) {
	for _, e := range errs {
		text := e.Message + ": " + e.Reason
		for _, s := range e.SchemaValidationErrors {
			text += fmt.Sprintf("; %s: %s", s.FieldPath, s.Reason)
		}
		all = append(all, text)
	}
	return all
}
