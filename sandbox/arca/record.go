package arca

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"folio/sandbox/desk"
)

// Call is one call as the sandbox received it. It holds no ticket and no certificate.
type Call struct {
	ID           int64     `json:"id"`
	At           time.Time `json:"at"`
	Environment  string    `json:"environment"`
	Service      string    `json:"service"` // wsaa, wsfe, wsfex or wscdc
	Operation    string    `json:"operation"`
	CUIT         int64     `json:"cuit,omitempty"` // on whose behalf
	Series       string    `json:"series,omitempty"`
	Vouchers     []Seen    `json:"vouchers,omitempty"`
	Verdict      string    `json:"verdict"`
	Faults       []string  `json:"faults,omitempty"` // scripted or marked, that struck it
	Status       int       `json:"status"`           // of HTTP; 0 when no answer was sent
	Milliseconds int64     `json:"milliseconds"`
	Request      string    `json:"request,omitempty"`
	Answer       string    `json:"answer,omitempty"`

	secrets []string
	private bool // nothing of either side is remembered
}

// Seen is one voucher of a call.
type Seen struct {
	Number    int64  `json:"number"`
	Recipient string `json:"recipient"`
	Total     string `json:"total"`
	Verdict   string `json:"verdict"`
}

// hide keeps texts out of what is remembered.
func (c *Call) hide(secrets ...string) { c.secrets = append(c.secrets, secrets...) }

func (c *Call) note(faults []Fault) {
	for _, f := range faults {
		name := string(f.Effect)
		if f.Code != 0 {
			name += fmt.Sprintf(" %d", f.Code)
		}
		c.Faults = append(c.Faults, name)
	}
}

func (c *Call) refused(ms []Message) {
	c.Verdict = "refused: " + joined(ms)
}

// saw tells the vouchers of a request to authorize and what became of each.
func (c *Call) saw(key series, verdicts []verdict, errs []Message) {
	c.Series = key.String()
	accepted := 0
	for _, v := range verdicts {
		seen := Seen{Number: v.detail.Desde, Total: v.detail.Total.String() + " " + v.detail.MonID,
			Recipient: fmt.Sprintf("%d %d", v.detail.DocTipo, v.detail.DocNro), Verdict: "R " + joined(v.obs)}
		if v.accepted {
			accepted++
			seen.Verdict = "A " + v.granted.CAE + " " + joined(v.obs)
		}
		seen.Verdict = strings.TrimSpace(seen.Verdict)
		c.Vouchers = append(c.Vouchers, seen)
	}
	c.Verdict = fmt.Sprintf("%d of %d authorized", accepted, len(verdicts))
	if len(errs) > 0 {
		c.Verdict += "; " + joined(errs)
	}
}

func joined(ms []Message) string {
	texts := make([]string, len(ms))
	for i, m := range ms {
		texts[i] = fmt.Sprintf("%d %s", m.Code, m.Text)
	}
	return strings.Join(texts, "; ")
}

// calls are the last ones received, oldest first.
type calls struct {
	mu   sync.Mutex
	next int64
	all  []Call
}

func (cs *calls) add(c Call) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	cs.next++
	c.ID = cs.next
	if len(cs.all) == desk.MaxCalls {
		cs.all = slices.Delete(cs.all, 0, 1)
	}
	cs.all = append(cs.all, c)
}

// Calls are the last calls that were over, newest first. The sandbox forgets them when
// it stops.
func (s *Server) Calls() []Call {
	s.received.mu.Lock()
	defer s.received.mu.Unlock()
	out := slices.Clone(s.received.all)
	slices.Reverse(out)
	return out
}

// watch remembers a call once done is called, however it ends: a connection that is
// cut ends in a panic.
func (s *Server) watch(w http.ResponseWriter, c *Call, request []byte) (http.ResponseWriter, func()) {
	start := time.Now()
	answer := &desk.Listener{ResponseWriter: w}
	return answer, func() {
		c.Status, c.Milliseconds = answer.Status, time.Since(start).Milliseconds()
		if !c.private {
			c.Request, c.Answer = desk.Clean(request, c.secrets), desk.Clean(answer.Body.Bytes(), c.secrets)
		}
		if c.Verdict == "" {
			c.Verdict = "answered"
		}
		if c.Status != http.StatusOK && len(c.Faults) > 0 && c.Verdict == "answered" {
			c.Verdict = "not processed"
		}
		s.received.add(*c)
	}
}
