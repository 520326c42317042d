package e2e

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTroublesOfTheAuthorityLoseAndDoubleNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	authority := spyOn(t, dir)
	p := serve(t, dir, append([]string{"--authority-url", authority.URL, "--retry-base", "100ms"}, unlimited...)...)
	c := issuing(t, p, dir, 1)

	t.Run("while it is down invoices wait and say so, then go on", func(t *testing.T) {
		authority.trouble.Store(&trouble{effect: down})
		i := c.post(t, body("FCA", 1, "down"))
		eventually(t, verdictLimit, "the reason is shown", func() (string, bool) {
			i = c.read(t, i.ID)
			return i.String(), i.PendingReason != nil && i.PendingReason.Code == "AUTHORITY_UNAVAILABLE"
		})
		if i.Status != "Pending" {
			t.Errorf("nothing was sent, yet the invoice is %s", i)
		}
		authority.trouble.Store(nil)
		if i = c.accepted(t, i.ID); *i.Number != "0001-00000001" {
			t.Errorf("it was accepted as %s", i)
		}
	})
	for _, effect := range []effect{lost, page, cut} {
		t.Run(fmt.Sprintf("a submission whose answer is %s is looked up", effect), func(t *testing.T) {
			sent := authority.count("FECAESolicitar")
			x := &trouble{effect: effect, operation: "FECAESolicitar", times: 1}
			authority.trouble.Store(x)
			i := c.issue(t, body("FCA", 1, string(effect)))
			if n := authority.count("FECAESolicitar") - sent; n != 1 || x.happened.Load() != 1 {
				t.Errorf("%s was sent %d times, the answer was lost %d times", i, n, x.happened.Load())
			}
		})
	}
	t.Run("answers lost under load", func(t *testing.T) {
		x := &trouble{effect: lost, operation: "FECAESolicitar", times: 2}
		authority.trouble.Store(x)
		each(t, 8, 40, func(n int) error {
			_, _, err := c.created(body("FCB", 1, fmt.Sprint("load", n)))
			return err
		})
		c.settle(t, verdictLimit)
		if x.happened.Load() < 2 {
			t.Errorf("only %d answers were lost", x.happened.Load())
		}
	})
	if n := authority.count("loginCms"); n != 1 {
		t.Errorf("%d log-ins to the authority, want one for all series", n)
	}
	all := c.all(t)
	if series := consecutive(t, all); series["FCA 0001"] != 4 || series["FCB 0001"] != 40 {
		t.Errorf("the series have %v", series)
	}
	p.stop(t)
	known := vouchers(t, dir)
	for _, i := range all {
		if i.Number == nil || i.Authorization == nil || known[i.InvoiceType+" "+*i.Number] != i.Authorization.Code {
			t.Errorf("the authority does not know %s", i)
		}
	}
	if len(known) != len(all) {
		t.Errorf("the authority knows %d documents, the company %d", len(known), len(all))
	}
	t.Run("a ticket is kept over a restart", func(t *testing.T) {
		p = serve(t, dir, "--authority-url", authority.URL)
		c.base = p.base
		c.issue(t, body("RCB", 1, "after"))
		if n := authority.count("loginCms"); n != 1 {
			t.Errorf("%d log-ins to the authority after a restart", n)
		}
		p.stop(t)
	})
}

func TestEnvironmentsAreApart(t *testing.T) {
	t.Parallel()
	host := t.TempDir() // of the sandbox
	other := serve(t, host)
	address, err := os.ReadFile(filepath.Join(host, "sandbox", "address"))
	if err != nil {
		t.Fatal(err)
	}
	p := serve(t, t.TempDir(), "--authority", "testing", "--authority-url", strings.TrimSpace(string(address)))
	bearer := login(t, p.base, email, password)
	trial, real := register(t, bearer, cuit(1)), register(t, bearer, cuit(2))
	for c, environment := range map[*company]string{&trial: "Testing", &real: "Production"} {
		fields := certificateFields(100)
		fields["environment"] = environment
		form, kind := multipartForm(t, fields, "certificate", certificate(t, host, "ar", c.cuit, 100))
		c.with("Content-Type", kind).want(t, http.StatusCreated, http.MethodPost, c.path("/certificates"), form)
	}
	left := real.post(t, body("FCA", 1, "production"))
	trial.issue(t, body("FCA", 1, "testing"))
	eventually(t, verdictLimit, "the reason is shown", func() (string, bool) {
		i := real.read(t, left.ID)
		return i.String(), i.Status == "Pending" && i.PendingReason != nil && i.PendingReason.Code == "ENVIRONMENT_NOT_SERVED"
	})

	// A company may change over: its next invoices belong to the other environment.
	fields := certificateFields(100)
	form, kind := multipartForm(t, fields, "certificate", certificate(t, host, "ar", trial.cuit, 100))
	trial.with("Content-Type", kind).want(t, http.StatusCreated, http.MethodPost, trial.path("/certificates"), form)
	moved := trial.post(t, body("FCA", 1, "moved"))
	record := get[struct{ Environment string }](t, trial.client, "/api/invoices/"+moved.ID)
	if record.Environment != "Production" {
		t.Errorf("the newest certificate is for Production, the invoice for %s", record.Environment)
	}
	p.stop(t)
	other.stop(t)
}
