package console

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
)

// caller speaks to the API in this process on behalf of one request: from its address, with
// its token, in its language.
type caller struct {
	api      http.Handler
	from     *http.Request
	token    string
	company  string
	language string
	key      string // that makes a repeated create harmless
}

// answer is what the API said.
type answer struct {
	status int
	header http.Header
	body   bytes.Buffer
}

// Header, Write and WriteHeader make an answer an http.ResponseWriter.
func (a *answer) Header() http.Header { return a.header }

func (a *answer) WriteHeader(status int) {
	if a.status == 0 && status >= http.StatusOK {
		a.status = status
	}
}

func (a *answer) Write(b []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	return a.body.Write(b)
}

// Problem is what the API refused, as RFC 9457 and the specification have it.
type Problem struct {
	Title     string      `json:"title"`
	Status    int         `json:"status"`
	Detail    string      `json:"detail"`
	Constant  string      `json:"message"`
	Faults    []faultLine `json:"errors"`
	RequestID string      `json:"request_id"`
}

// faultLine is what is wrong with one field of a request.
type faultLine struct {
	Path    string `json:"path"`
	Code    string `json:"code"`
	Message string `json:"message"`
}

// Error implements error.
func (p *Problem) Error() string { return p.Constant + ": " + p.Detail }

// forwarded are the headers from which the API knows whom a request comes from.
var forwarded = []string{"X-Forwarded-For", "X-Forwarded-Proto", "Forwarded", "X-Real-Ip", "Via", "User-Agent"}

// send calls the API. A refusal is a *Problem.
func (c caller) send(ctx context.Context, method, path, contentType string, body io.Reader) (*answer, error) {
	r, err := http.NewRequestWithContext(ctx, method, path, body)
	if err != nil {
		return nil, fmt.Errorf("console: %w", err)
	}
	r.RemoteAddr, r.TLS, r.Host, r.RequestURI = c.from.RemoteAddr, c.from.TLS, c.from.Host, path
	for _, name := range forwarded {
		if v, ok := c.from.Header[http.CanonicalHeaderKey(name)]; ok {
			r.Header[http.CanonicalHeaderKey(name)] = v
		}
	}
	r.Header.Set("Accept-Language", c.language)
	if c.token != "" {
		r.Header.Set("Authorization", "Bearer "+c.token)
	}
	if c.company != "" {
		r.Header.Set("Folio-Company", c.company)
	}
	if c.key != "" && method == http.MethodPost {
		r.Header.Set("Idempotency-Key", c.key)
	}
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	if r.Body == nil {
		r.Body = http.NoBody // as a server gives it
	}
	a := &answer{header: http.Header{}}
	c.api.ServeHTTP(a, r)
	return a, a.refusal()
}

// refusal is the problem that the API answered with, nil for none.
func (a *answer) refusal() error {
	if a.status < http.StatusBadRequest {
		return nil
	}
	p := &Problem{Status: a.status, Title: http.StatusText(a.status)}
	if err := json.Unmarshal(a.body.Bytes(), p); err != nil {
		return fmt.Errorf("console: the API answered %d without a problem: %w", a.status, err)
	}
	return p
}

// get reads a resource into out.
func (c caller) get(ctx context.Context, path string, out any) error {
	a, err := c.send(ctx, http.MethodGet, path, "", nil)
	if err != nil {
		return err
	}
	return a.decode(out)
}

// post sends body as JSON and reads the answer into out, unless that is nil.
func (c caller) post(ctx context.Context, path string, body, out any) error {
	return c.write(ctx, http.MethodPost, path, body, out)
}

func (c caller) write(ctx context.Context, method, path string, body, out any) error {
	a, err := c.sendJSON(ctx, method, path, body)
	if err != nil || out == nil {
		return err
	}
	return a.decode(out)
}

func (c caller) sendJSON(ctx context.Context, method, path string, body any) (*answer, error) {
	var content io.Reader
	contentType := ""
	if body != nil {
		b, err := json.Marshal(body)
		if err != nil {
			return nil, fmt.Errorf("console: %w", err)
		}
		content, contentType = bytes.NewReader(b), "application/json"
	}
	return c.send(ctx, method, path, contentType, content)
}

// decode keeps numbers as they are written: amounts are exact.
func (a *answer) decode(out any) error {
	d := json.NewDecoder(bytes.NewReader(a.body.Bytes()))
	d.UseNumber()
	if err := d.Decode(out); err != nil {
		return fmt.Errorf("console: the API's answer: %w", err)
	}
	return nil
}

// route joins path elements, each escaped, so that none can name another resource.
func route(parts ...string) string {
	var b strings.Builder
	b.WriteString("/api")
	for _, p := range parts {
		b.WriteByte('/')
		b.WriteString(url.PathEscape(p))
	}
	return b.String()
}
