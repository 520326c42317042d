package submission_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"regexp"
	"strconv"
	"strings"

	"folio/commands/numbering"
)

// processWire carries a process's calls to the sandbox without a network.
type processWire struct{ *process }

// call is one request as the authority saw it.
type call struct {
	operation string
	series    string // of the documents it is about
	number    int64  // that was asked for
	ambiguous bool   // of a FECAESolicitar: no definitive answer reached the caller
}

var errUnreachable = errors.New("connection refused")

func (t processWire) RoundTrip(r *http.Request) (answer *http.Response, err error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	c := t.w.read(received(r), string(body))
	if t.w.unreachable(c) {
		return nil, errUnreachable
	}
	if c.operation == "FECAESolicitar" {
		t.w.checkSend(c, body)
	}
	// The reached step counts before and after: a request may die on its way or back.
	stepped := t.step("call "+c.operation, func() error {
		if trace := httptrace.ContextClientTrace(r.Context()); trace != nil && trace.WroteHeaders != nil {
			trace.WroteHeaders()
		}
		t.w.interfere(c)
		answer, err = t.w.serve(r, body)
		if t.w.lost(c) {
			answer, err = nil, errUnreachable
		}
		t.w.note(c, answer, err)
		return nil
	})
	if stepped != nil {
		return nil, stepped
	}
	return answer, err
}

// lost says whether the answer to a call does not come back.
func (w *world) lost(c call) bool { return w.losing != nil && w.losing(c) }

// received is a request as a server reads it from the line: whatever case its headers
// were written in, they are found by their canonical names.
func received(r *http.Request) *http.Request {
	in := r.Clone(r.Context())
	in.Header = make(http.Header, len(r.Header))
	for name, values := range r.Header {
		in.Header[http.CanonicalHeaderKey(name)] = values
	}
	return in
}

// interfere lets somebody be faster, once.
func (w *world) interfere(c call) {
	w.mu.Lock()
	once := w.beforeSend
	if once == nil || c.operation != "FECAESolicitar" {
		w.mu.Unlock()
		return
	}
	w.beforeSend = nil
	w.mu.Unlock()
	once()
}

var (
	cuitOf   = regexp.MustCompile(`<Cuit>(\d+)</Cuit>`)
	tipoOf   = regexp.MustCompile(`<CbteTipo>(\d+)</CbteTipo>`)
	ptoOf    = regexp.MustCompile(`<PtoVta>(\d+)</PtoVta>`)
	numberOf = regexp.MustCompile(`<CbteNro>(\d+)</CbteNro>`)
)

func first(re *regexp.Regexp, body string) int64 {
	m := re.FindStringSubmatch(body)
	if m == nil {
		return 0
	}
	n, err := strconv.ParseInt(m[1], 10, 64)
	if err != nil {
		panic(err)
	}
	return n
}

func (w *world) read(r *http.Request, body string) call {
	action := strings.Trim(r.Header.Get("SOAPAction"), `"`)
	c := call{operation: action[strings.LastIndex(action, "/")+1:], number: first(numberOf, body)}
	if c.operation == "" {
		c.operation = "loginCms"
	}
	environment := "Testing"
	if strings.HasPrefix(r.URL.Path, "/production/") {
		environment = "Production"
	}
	if tipo := first(tipoOf, body); tipo > 0 {
		c.series = numbering.Series{Company: w.companyOf[first(cuitOf, body)], Environment: environment,
			OfficialCode: int(tipo), BranchOffice: int(first(ptoOf, body))}.ID()
	}
	return c
}

// serve is one request on a connection of its own.
func (w *world) serve(r *http.Request, body []byte) (answer *http.Response, err error) {
	return serveOn(w.authority, r, body)
}

func serveOn(h http.Handler, r *http.Request, body []byte) (answer *http.Response, err error) {
	in := received(r)
	in.Body = io.NopCloser(bytes.NewReader(body))
	rec := httptest.NewRecorder()
	defer func() {
		if p := recover(); p == nil {
			return
		} else if p != http.ErrAbortHandler {
			panic(p)
		}
		answer, err = nil, io.ErrUnexpectedEOF
		if rec.Body.Len() > 0 { // cut in the middle
			answer, err = rec.Result(), nil
			answer.Body = io.NopCloser(io.MultiReader(rec.Body, cut{}))
		}
		if r.Context().Err() != nil {
			answer, err = nil, r.Context().Err()
		}
	}()
	h.ServeHTTP(rec, in)
	return rec.Result(), nil
}

type cut struct{}

func (cut) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// sending is what the wire knows about one submission.
type sending struct {
	sent  int
	asked bool // since the last time it was sent
}

// checkSend is the rule of the house: nothing is sent but the bytes of the open
// submission, and nothing is sent again before the authority was asked about it.
func (w *world) checkSend(c call, body []byte) {
	state := numbering.Decider.Fold(w.log.facts("numbering-" + c.series)...)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.stale {
		return // two owners cannot know of each other's questions: the authority refuses the number
	}
	if len(state.Open) == 0 {
		w.broken = append(w.broken, fmt.Sprintf("%s was sent without an open submission", c.series))
		return
	}
	open := state.Open[0]
	content, err := w.files.File(w.t.Context(), open.SHA256)
	if err != nil || !bytes.Contains(body, content) {
		w.broken = append(w.broken, fmt.Sprintf("submission %s was sent with other bytes than it fixed (%v)", open.Submission,
			err))
	}
	s := w.sendings[open.Submission]
	if s == nil {
		s = &sending{}
		w.sendings[open.Submission] = s
	}
	if s.sent > 0 && !s.asked {
		w.broken = append(w.broken, fmt.Sprintf("submission %s was sent again without asking", open.Submission))
	}
	s.sent, s.asked = s.sent+1, false
}

// note keeps the call and learns from the answer.
func (w *world) note(c call, answer *http.Response, err error) {
	text := ""
	if err == nil && answer.StatusCode == http.StatusOK {
		content, cutOff := io.ReadAll(answer.Body)
		answer.Body = io.NopCloser(bytes.NewReader(content))
		if cutOff != nil {
			answer.Body = io.NopCloser(io.MultiReader(bytes.NewReader(content), cut{}))
		} else {
			text = string(content)
		}
	}
	c.ambiguous = !strings.Contains(text, c.operation+"Result") || strings.Contains(text, "<Code>50")
	var open []numbering.Submission
	if c.series != "" {
		open = numbering.Decider.Fold(w.log.facts("numbering-" + c.series)...).Open
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.calls = append(w.calls, c)
	if len(open) == 0 || w.sendings[open[0].Submission] == nil {
		return
	}
	s := w.sendings[open[0].Submission]
	switch {
	case c.operation == "FECompConsultar" && c.number == open[0].First && !c.ambiguous:
		s.asked = true
	case c.operation == "FECAESolicitar" && (strings.Contains(text, "<Code>600</Code>") ||
		strings.Contains(text, "<Code>601</Code>")):
		s.asked = true // the ticket was refused and nothing looked at: it may be repeated at once
	}
}

// operations are those that reached the authority, in order.
func (w *world) operations() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var out []string
	for _, c := range w.calls {
		out = append(out, c.operation)
	}
	return out
}

func (w *world) sends() int {
	n := 0
	for _, op := range w.operations() {
		if op == "FECAESolicitar" {
			n++
		}
	}
	return n
}
