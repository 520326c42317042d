package e2e

import (
	"fmt"
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
	if strings.Contains(p.stdout.String(), "panic") {
		t.Error("a panic on standard output")
	}
}
