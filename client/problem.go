package client

import (
	"encoding/json"
	"fmt"
)

// Problem is a refusal (RFC 9457, with the members of Folio).
type Problem struct {
	Type      string  `json:"type"`
	Title     string  `json:"title"`
	Status    int     `json:"status"`
	Detail    string  `json:"detail"`
	Instance  string  `json:"instance"`
	Text      string  `json:"code"`    // the text for people
	Constant  string  `json:"message"` // the constant for programs, INVOICE_NOT_FOUND
	Errors    []Error `json:"errors"`
	RequestID string  `json:"request_id"`
}

// Error is one of several things that are wrong with a request.
type Error struct {
	Path    string `json:"path"` // of the member, items[2].taxes[0].amount
	Code    string `json:"code"`
	Message string `json:"message"`
}

// Error says what is wrong, with all paths.
func (p *Problem) Error() string {
	text := fmt.Sprintf("%d %s: %s", p.Status, p.Constant, p.Text)
	for _, e := range p.Errors {
		text += fmt.Sprintf("; %s %s: %s", e.Path, e.Code, e.Message)
	}
	return text
}

// Problem is the refusal in an answer. One that is not Folio's own, a proxy's say, has its
// status and its first bytes for text.
func (a Answer) Problem() *Problem {
	p := &Problem{}
	if err := json.Unmarshal(a.Body, p); err != nil || p.Constant == "" {
		p = &Problem{Text: string(a.Body[:min(len(a.Body), 300)]), Constant: "UNKNOWN"}
	}
	p.Status = a.Status
	return p
}
