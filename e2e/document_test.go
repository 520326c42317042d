package e2e

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
)

// documented is a transport that holds every exchange against the OpenAPI document. What
// differs is kept in mismatches, and fails the run at its end: a test would not see what
// goroutines and polls exchange.
type documented struct{ next http.RoundTripper }

// mismatches are what exchanges had that the document has not, each once.
var mismatches struct {
	sync.Mutex
	all []string
}

// noteMismatch keeps what is wrong with the first exchange that has it.
func noteMismatch(exchange, wrong string) {
	mismatches.Lock()
	defer mismatches.Unlock()
	if !slices.ContainsFunc(mismatches.all, func(s string) bool { return strings.HasSuffix(s, wrong) }) {
		mismatches.all = append(mismatches.all, exchange+": "+wrong)
	}
}

// undocumented is the error of a run whose exchanges the document does not describe.
func undocumented() error {
	mismatches.Lock()
	defer mismatches.Unlock()
	if len(mismatches.all) == 0 {
		return nil
	}
	slices.Sort(mismatches.all)
	return errors.New("the document (apidoc/openapi.json) is not what was exchanged:\n" +
		strings.Join(mismatches.all, "\n"))
}

// RoundTrip is that of the next transport; the answer's body has been read already.
func (d documented) RoundTrip(r *http.Request) (*http.Response, error) {
	var sent []byte
	if r.Body != nil {
		var err error
		if sent, err = io.ReadAll(r.Body); err != nil {
			return nil, err
		}
		if len(sent) > 0 { // a body that is there has its length already
			r.Body = io.NopCloser(bytes.NewReader(sent))
		}
	}
	a, err := d.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(a.Body)
	a.Body.Close()
	a.Body = io.NopCloser(io.MultiReader(bytes.NewReader(body), failing{err}))
	if err == nil && r.Method != http.MethodHead {
		for _, difference := range compare(r, sent, a, body) {
			noteMismatch(r.Method+" "+r.URL.Path+": "+a.Status, difference)
		}
	}
	return a, nil
}

// given are the parameters that have a value.
func given(query url.Values) url.Values {
	for name, values := range query {
		if len(values) == 1 && values[0] == "" {
			query.Del(name)
		}
	}
	return query
}

// failing is a reader that ends with an error; nil is the end of the body.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) {
	if f.err == nil {
		return 0, io.EOF
	}
	return 0, f.err
}

// badGateway marks an answer that is the load balancer's: no process gave one.
const badGateway = "X-Balancer"

// compare says where an exchange is not as the document has it: its answer, and its request
// when it was taken. A path that is no operation must have been refused as one.
func compare(r *http.Request, sent []byte, a *http.Response, body []byte) (all []string) {
	d, err := document()
	if err != nil {
		return []string{err.Error()}
	}
	o := d.find(r.Method, r.URL.EscapedPath())
	if o == nil {
		if a.StatusCode < http.StatusBadRequest || a.StatusCode >= http.StatusInternalServerError {
			return []string{"no operation of the document is " + r.Method + " " + r.URL.Path}
		}
		return nil
	}
	if a.Header.Get(badGateway) != "" || d.known(o, r, sent, a, body) {
		return nil
	}
	for _, wrong := range o.mismatch(d, r, sent, a, body) {
		all = append(all, r.Method+" "+strings.Join(o.segments, "/")+": "+wrong)
	}
	return all
}

func (o *operation) mismatch(d *openAPI, r *http.Request, sent []byte, a *http.Response, body []byte) []string {
	all := append(o.headers(a), unspoken(a, body)...)
	// The validator matches no path with slashes in a parameter, and reads no JSON of many lines.
	if !o.literal || a.Header.Get("Content-Type") == "application/x-ndjson" ||
		strings.Count(r.URL.Path, "/") != len(o.segments)-1 {
		return all
	}
	if a.Header.Get("Content-Type") == "application/x-ndjson" {
		body, _ = json.Marshal(string(body)) // the validator reads it as JSON; the document has text
	}
	got := &http.Response{StatusCode: a.StatusCode, Header: a.Header, Body: io.NopCloser(bytes.NewReader(body)),
		Request: r}
	if ok, errs := d.ValidateHttpResponse(r, got); !ok {
		all = append(all, told(errs)...)
	}
	if a.StatusCode < http.StatusMultipleChoices {
		asked := r.Clone(r.Context())
		asked.Body = io.NopCloser(bytes.NewReader(sent))
		asked.URL.RawQuery = given(r.URL.Query()).Encode() // an empty parameter is one that is left out
		if ok, errs := d.ValidateHttpRequestSync(asked); !ok {
			all = append(all, told(errs)...)
		}
		all = append(all, o.query(r)...)
	}
	return all
}
