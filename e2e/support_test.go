package e2e

import (
	"net/http"
	"strings"
	"testing"
)

// A support call begins with a request_id: the line of the request says who asked from where and what came of it, and
// the log has what it led to, and names the request in turn. Log-ins that fail are told without e-mail or password.
func TestASupportCallIsAnswered(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := serve(t, dir)
	c := issuing(t, p, dir, 71)
	made := c.want(t, http.StatusCreated, http.MethodPost, "/api/invoices", body("FCA", 1, "call"))
	id := made.header.Get("X-Request-Id")
	i := c.accepted(t, decode[invoice](t, made).ID)
	refused := c.want(t, http.StatusUnprocessableEntity, http.MethodPost, "/api/invoices", map[string]any{}).
		header.Get("X-Request-Id")
	client{base: p.base}.want(t, http.StatusUnauthorized, http.MethodPost, "/api/login",
		map[string]string{"email": email, "password": "not-the-password-8341"})

	led := succeed(t, "history", "--request", id, "--data", dir)
	for _, want := range []string{"InvoiceCreated", "SubmissionOpened", "SubmissionSettled", "AuthorityAccepted", i.ID} {
		if !strings.Contains(led, want) {
			t.Errorf("what the request led to lacks %s:\n%s", want, led)
		}
	}
	if strings.Contains(led, "CompanyRegistered") {
		t.Errorf("the company is no consequence of an invoice:\n%s", led)
	}
	if back := succeed(t, "history", i.ID, "--data", dir); !strings.Contains(back, "by request "+id) {
		t.Errorf("the invoice does not name its request:\n%s", back)
	}
	if _, why, code := command(t, "history", "--request", "01K00000000000000000000000", "--data", dir); code == 0 {
		t.Errorf("an unknown request was found: %s", why)
	}
	p.stop(t)
	lines := p.stderr.String()
	for request, wants := range map[string][]string{
		id: {"method=POST", "route=/api/invoices", "status=201", "ms=", "caller=key:" + c.keyID, "company=" + c.id,
			"address=127.0.0.1"},
		refused: {"status=422", "error="},
	} {
		for _, want := range append(wants, "msg=request ") {
			if line := lineWith(lines, "request_id="+request); !strings.Contains(line, want) {
				t.Errorf("the line of the request lacks %s: %s", want, line)
			}
		}
	}
	if line := lineWith(lines, `msg="a password was refused"`); !strings.Contains(line, "error=LOGIN_FAILED") ||
		!strings.Contains(line, "stream=account-") || !strings.Contains(line, "from=address:127.0.0.1") {
		t.Errorf("the log-in that failed: %q", line)
	}
	for _, secret := range []string{email, "not-the-password", c.key, c.cuit} {
		if strings.Contains(lines, secret) {
			t.Errorf("the log holds %s", secret)
		}
	}
	if strings.Contains(lines, "level=INFO msg=\"Adding handler\"") || strings.Contains(lines, "subscriber") {
		t.Errorf("Watermill speaks without being asked")
	}
}

func lineWith(text, part string) string {
	for l := range strings.Lines(text) {
		if strings.Contains(l, part) {
			return l
		}
	}
	return ""
}
