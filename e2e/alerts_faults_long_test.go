//go:build long

package e2e

import (
	"fmt"
	"net/http"
	"testing"
)

// mails asks for a message, and waits until it was tried once in vain.
func (e *estate) mails(t *testing.T, id, to string) {
	t.Helper()
	c := e.argentina[0]
	c.want(t, http.StatusAccepted, http.MethodPost, "/api/invoices/"+id+"/email", map[string]any{"to": to})
	eventually(t, alertLimit, "a message was tried", func() (string, bool) {
		got := get[emails](t, c.client, "/api/invoices/"+id+"/emails")
		return fmt.Sprintf("%+v", got), len(got.Data) > 0 && got.Data[0].Tries > 0
	})
}

func (e *estate) ofMail() map[string]fault {
	return map[string]fault{"the mail server refuses": {[]string{"EmailsFail"}, func(t *testing.T) {
		e.office.closes()
		e.mails(t, e.argentina[0].issue(t, body("FCA", 1, "refused by mail")).ID, "a@b.example")
	}, func(*testing.T) { e.office.opens() }}}
}

// ofContingency are the faults of codes that are given ahead, of a company that nothing else is tried with.
func (e *estate) ofContingency() map[string]fault {
	c, arca := e.argentina[2], nation{admin: "/admin/arca/faults"}
	set := func(t *testing.T, hours int) {
		t.Helper()
		c.want(t, http.StatusOK, http.MethodPut, c.path("/contingency/1"), map[string]any{
			"contingency_point_of_sale": contingencyPoint, "mode": "manual", "max_hours": hours})
	}
	cure := func(t *testing.T) { t.Helper(); arca.administer(t, e.dir, http.MethodDelete, nil) }
	issued := func(t *testing.T, reference string) {
		t.Helper()
		c.onContingency(t)
		arca.script(t, e.dir, map[string]any{"effect": "down"})
		c.hand(t, "open")
		c.accepted(t, c.post(t, body("FCB", 1, reference)).ID)
	}
	faults := map[string]fault{
		"the authority gives no code": {[]string{"ContingencyCodeMissing"}, func(t *testing.T) {
			arca.script(t, e.dir, map[string]any{"operation": "FECAEASolicitar", "effect": "error", "code": 15003})
			set(t, 24)
		}, func(t *testing.T) {
			cure(t)
			set(t, 48) // it is asked for at once when the settings change
		}},
		"what is issued by contingency is not reported": {[]string{"ContingencyReportsLate"},
			func(t *testing.T) { issued(t, "not reported") }, func(t *testing.T) { cure(t); c.hand(t, "close") }},
		"what is issued by contingency is refused": {[]string{"ContingencyReportRefused"}, func(t *testing.T) {
			issued(t, "report refused")
			cure(t)
			arca.script(t, e.dir, map[string]any{"operation": "FECAEARegInformativo", "effect": "reject", "code": 10015})
			c.hand(t, "close")
		}, func(t *testing.T) {
			cure(t)
			succeed(t, "series", "release", c.id+fmt.Sprintf("-Production-6-%d", contingencyPoint), "--reason", "looked",
				"--data", e.dir)
		}},
	}
	for name, f := range faults {
		if exempt(f.alerts[0]) {
			delete(faults, name)
		}
	}
	return faults
}
