package desk

import (
	"bytes"
	"cmp"
	"net/http"
	"slices"
	"strings"
	"time"
)

// MaxCalls is how many of the calls that it received a sandbox remembers.
const MaxCalls = 500

const maxKept = 16 << 10 // bytes of either side

// Call is one that a sandbox received. It holds no ticket, no token and no certificate.
type Call struct {
	ID           int64     `json:"id"`
	At           time.Time `json:"at"`
	Environment  string    `json:"environment"`
	Service      string    `json:"service,omitempty"` // where an authority has several
	Operation    string    `json:"operation"`
	Company      string    `json:"rut,omitempty"` // on whose behalf
	Series       string    `json:"series,omitempty"`
	Documents    []Seen    `json:"documents,omitempty"`
	Verdict      string    `json:"verdict"`
	Faults       []string  `json:"faults,omitempty"` // scripted or marked, that struck it
	Status       int       `json:"status"`           // of HTTP; 0 when no answer was sent
	Milliseconds int64     `json:"milliseconds"`
	Request      string    `json:"request,omitempty"`
	Answer       string    `json:"answer,omitempty"`

	secrets []string
	private bool
}

// Seen is one document of a call.
type Seen struct {
	Document  string `json:"document"` // type, series and number
	Recipient string `json:"recipient,omitempty"`
	Total     string `json:"total,omitempty"`
	Verdict   string `json:"verdict"`
	Refused   bool   `json:"refused,omitempty"`
}

// Hide keeps texts out of what is remembered.
func (c *Call) Hide(secrets ...string) { c.secrets = append(c.secrets, secrets...) }

// Private keeps both sides out of what is remembered.
func (c *Call) Private() { c.private = true }

// Struck notes the faults that happened.
func (c *Call) Struck(faults []Fault) {
	c.Faults = nil
	for _, f := range faults {
		c.Faults = append(c.Faults, strings.TrimSpace(string(f.Effect)+" "+f.Code))
	}
}

// Clean is the beginning of a body, 16 KiB, without the secrets in it. It is a copy of its
// own: large bodies are not kept alive by it.
func Clean(body []byte, secrets []string) string {
	text := string(body[:min(len(body), 2*maxKept)])
	for _, s := range secrets {
		if s != "" {
			text = strings.ReplaceAll(text, s, "...")
		}
	}
	return strings.Clone(strings.ToValidUTF8(text[:min(len(text), maxKept)], ""))
}

// Calls are the last calls that were over, newest first. A sandbox forgets them when
// it stops.
func (d *Desk) Calls() []Call {
	d.mu.Lock()
	defer d.mu.Unlock()
	out := append([]Call{}, d.calls...)
	slices.Reverse(out)
	return out
}

func (d *Desk) remember(c Call) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.last++
	c.ID = d.last
	if len(d.calls) == MaxCalls {
		d.calls = slices.Delete(d.calls, 0, 1)
	}
	d.calls = append(d.calls, c)
}

// Watch remembers a call once done is called, however it ends: a connection that is cut
// ends in a panic.
func (d *Desk) Watch(w http.ResponseWriter, c *Call, request []byte) (http.ResponseWriter, func()) {
	start := time.Now()
	answer := &Listener{ResponseWriter: w}
	return answer, func() {
		c.Status, c.Milliseconds = answer.Status, time.Since(start).Milliseconds()
		if !c.private {
			c.Request, c.Answer = Clean(request, c.secrets), Clean(answer.Body.Bytes(), c.secrets)
		}
		if c.Verdict == "" {
			c.Verdict = "answered"
			if c.Status != http.StatusOK && len(c.Faults) > 0 {
				c.Verdict = "not processed"
			}
		}
		c.secrets = nil
		d.remember(*c)
	}
}

// Listener keeps the status and the beginning of what is answered.
type Listener struct {
	http.ResponseWriter
	Status int
	Body   bytes.Buffer
}

// WriteHeader notes the status.
func (l *Listener) WriteHeader(status int) {
	l.Status = cmp.Or(l.Status, status)
	l.ResponseWriter.WriteHeader(status)
}

// Write notes what is written, up to 16 KiB.
func (l *Listener) Write(b []byte) (int, error) {
	l.Status = cmp.Or(l.Status, http.StatusOK)
	if room := maxKept - l.Body.Len(); room > 0 {
		l.Body.Write(b[:min(len(b), room)])
	}
	return l.ResponseWriter.Write(b)
}

// Unwrap lets http.ResponseController reach the connection.
func (l *Listener) Unwrap() http.ResponseWriter { return l.ResponseWriter }
