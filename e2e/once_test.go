package e2e

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
)

// posting is a POST that adds something, as it is sent with one Idempotency-Key.
type posting struct {
	name   string
	bearer bool   // the account sends it, not the company's key
	path   string // below the company's unless it begins with "/api"
	kind   string // content type, "" for JSON
	body   any
	once   bool    // the answer shows a secret
	listed string  // where what it adds is listed, "" for nowhere
	by     *client // another company's key that sends it
	moves  bool    // the answer tells how far it has come: only where it is stays the same
}

// shopOnce is a company with a webhook, whose owner sends each posting once.
type shopOnce struct {
	p     *process
	owner client
	c     company
	hook  string
	// invoice is an accepted one.
	invoice string
}

func openShop(t *testing.T, p *process, dir string, n int) *shopOnce {
	s := &shopOnce{p: p, owner: login(t, p.base, email, password)}
	s.c = register(t, s.owner, cuit(n))
	s.c.certify(t, dir)
	s.invoice = s.c.accepted(t, s.c.post(t, body("FCA", 1, "to be credited")).ID).ID
	s.hook = s.c.want(t, http.StatusCreated, http.MethodPost, s.c.path("/webhooks"),
		map[string]any{"url": "https://example.com/hook", "events": []string{"ISE"}}).header.Get("Location")
	return s
}

// postings are all that another company of the account is not needed for.
func (s *shopOnce) postings(t *testing.T, dir string) []posting {
	picture, pictured := multipartForm(t, nil, "logo", logo(t))
	pfx, certified := multipartForm(t, certificateFields(certificateDays), "certificate",
		certificate(t, dir, "ar", s.c.cuit, certificateDays))
	succeed(t, "account", "add", "luz@example.com", "--role", "auditor", "--password", password+"luz", "--data", dir)
	inChile := chilean(t, s.p, dir)
	numbers, numbered := multipartForm(t, map[string]string{"id_document_type": documentTypeID[33]}, "file",
		caf(t, dir, rutIssuer, 33, 1, 50))
	uncertified := register(t, s.owner, cuit(92))
	waits := uncertified.post(t, body("FCA", 1, "waits for a certificate")).ID
	return []posting{
		{name: "member", bearer: true, path: s.c.path("/members"), listed: s.c.path("/members"),
			body: map[string]any{"email": "luz@example.com", "role": "auditor"}},
		{name: "range", by: &inChile.client, path: inChile.path("/enumeration/upload"), kind: numbered, body: numbers,
			listed: inChile.path("/enumeration")},
		{name: "export", path: "/api/exports?date_to=" + today[:len("2006-01-02")], listed: "/api/exports", moves: true},
		{name: "taken up", by: &uncertified.client, path: "/api/invoices/" + waits + "/process"},
		{name: "company", bearer: true, path: "/api/companies", body: companyBody(cuit(90)), listed: "/api/companies"},
		{name: "key", bearer: true, path: "/api/companies/apikey", body: map[string]any{"id_company": s.c.id, "name": "till"},
			once: true, listed: s.c.path("/apikeys")},
		{name: "rotated key", bearer: true, path: s.c.path("/apikeys/" + s.c.keyID + "/rotate"), once: true,
			listed: s.c.path("/apikeys")},
		{name: "logo", path: s.c.path("/logo"), kind: pictured, body: picture},
		{name: "certificate", path: s.c.path("/certificates"), kind: certified, body: pfx, listed: s.c.path("/certificates")},
		{name: "secret", path: s.hook + "/rotate-secret", once: true},
		{name: "ping", path: s.hook + "/ping", listed: s.hook + "/deliveries"},
		{name: "replay", path: s.hook + "/replays", body: map[string]any{"from": "2020-01-01T00:00:00Z"},
			listed: s.hook + "/replays"},
		{name: "purchase", path: s.c.path("/purchases"), body: map[string]any{"invoice_type": "FCA", "branch_office": 1,
			"number": 7, "date": today, "currency": "ARS", "total": 100, "authorization_code": "76123456789012",
			"supplier": map[string]any{"legal_name": "Proveedora", "document_number": cuit(91)}},
			listed: s.c.path("/purchases")},
		{name: "outage", path: s.c.path("/outages"), listed: s.c.path("/outages"),
			body: map[string]any{"environment": "Production", "reason": "the line is cut"}},
		{name: "credit note", path: "/api/invoices/" + s.invoice + "/credit-note", listed: "/api/invoices"},
		{name: "invoice", path: "/api/invoices", body: body("FCA", 1, "once-for-all"), listed: "/api/invoices"},
	}
}

func (s *shopOnce) client(x posting, base string) client {
	c := s.c.client
	switch {
	case x.bearer:
		c = s.owner
	case x.by != nil:
		c = *x.by
	}
	c.base = base
	c = c.with("Idempotency-Key", "once "+x.name)
	if x.kind != "" {
		c = c.with("Content-Type", x.kind)
	}
	return c
}

// total is how many records are listed.
func (s *shopOnce) total(t *testing.T, x posting, base string) int {
	if x.listed == "" {
		return 0
	}
	c := s.client(x, base)
	c.header = nil
	a := c.want(t, http.StatusOK, http.MethodGet, x.listed, nil)
	if a.body[0] == '[' { // all that there are
		return len(decode[[]any](t, a))
	}
	list := decode[struct {
		Total *int `json:"total_results"`
		Data  []any
	}](t, a)
	if list.Total == nil { // a list without pages
		return len(list.Data)
	}
	return *list.Total
}

// agree wants the answers to one posting to be one: those that were given a secret are one at most,
// and the rest are told that it was shown.
func (x posting) agree(t *testing.T, answers []answer) {
	t.Helper()
	var first *answer
	shown := 0
	for i := range answers {
		a := &answers[i]
		switch {
		case x.once && a.status == http.StatusConflict && strings.Contains(string(a.body), "SECRET_SHOWN_ONCE"):
		case a.status/100 != 2:
			t.Errorf("%s: %d %s", x.name, a.status, a.body)
		case first == nil:
			first, shown = a, 1
		default:
			shown++
			if !x.moves && !bytes.Equal(a.body, first.body) || a.status != first.status ||
				a.header.Get("Location") != first.header.Get("Location") {
				t.Errorf("%s has two answers:\n%d %s\n%d %s", x.name, a.status, a.body, first.status, first.body)
			}
		}
	}
	if x.once && shown > 1 || !x.once && shown != len(answers) {
		t.Errorf("%s: %d of %d answers are good", x.name, shown, len(answers))
	}
}

// TestEveryPostWithOneKeyIsDoneOnce sends each from 64 clients at once.
func TestEveryPostWithOneKeyIsDoneOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := serve(t, dir, unlimited...)
	s := openShop(t, p, dir, 1)
	for _, x := range s.postings(t, dir) {
		before := s.total(t, x, p.base)
		var mu sync.Mutex
		var answers []answer
		each(t, 64, 64, func(int) error {
			a, err := s.client(x, p.base).send(http.MethodPost, x.path, x.body)
			if err != nil {
				return fmt.Errorf("%s: %w", x.name, err)
			}
			mu.Lock()
			defer mu.Unlock()
			answers = append(answers, a)
			return nil
		})
		x.agree(t, answers)
		if n := s.total(t, x, p.base) - before; x.listed != "" && n != 1 {
			t.Errorf("%s: %d more are listed", x.name, n)
		}
	}
	p.stop(t)
}
