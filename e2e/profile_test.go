package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// TestAProfileThatComesLateCompletesTheInvoice: an invoice that was made while the company
// had no fiscal profile waits, is completed by the profile once, and is issued under the
// first number; taking the profile away again stops nothing that has it.
func TestAProfileThatComesLateCompletesTheInvoice(t *testing.T) {
	t.Parallel()
	eachNation(t, func(t *testing.T, n nation) {
		dir := t.TempDir()
		p := serve(t, dir, "--retry-base", "100ms")
		c := n.company(t, p, dir)
		code := n.kinds[0]
		n.number(t, c, dir, code, 1, 10)
		whole := get[map[string]any](t, c.client, c.path("/fiscal-profile"))
		profile := func(body any) {
			t.Helper()
			c.want(t, http.StatusOK, http.MethodPut, c.path("/fiscal-profile"), body)
		}
		profile(map[string]any{})
		early := c.post(t, n.body(code, 1))
		c.waits(t, early.ID, "FISCAL_PROFILE_INCOMPLETE")
		profile(whole)
		early = c.accepted(t, early.ID)
		later := c.post(t, n.body(code, 2))
		profile(map[string]any{})
		later = c.accepted(t, later.ID)
		for i, got := range []invoice{early, later} {
			if !strings.HasSuffix(*got.Number, []string{"-00000001", "-00000002"}[i]) {
				t.Errorf("invoice %d: %s", i+1, got)
			}
		}
		bare := c.post(t, n.body(code, 3))
		c.waits(t, bare.ID, "FISCAL_PROFILE_INCOMPLETE")
		for _, id := range []string{early.ID, later.ID} {
			if file := c.want(t, http.StatusOK, http.MethodGet, "/api/invoices/"+id+"/download-xml",
				nil); !strings.Contains(string(file.body), "1234<") {
				t.Errorf("the signed document has no address:\n%s", file.body)
			}
		}
		issuer := func(id string) string {
			return fmt.Sprint(get[map[string]any](t, c.client, "/api/invoices/"+id)["issuer"])
		}
		if got, want := issuer(early.ID), issuer(later.ID); got != want {
			t.Errorf("the record of the completed one says %s of the issuer, want %s", got, want)
		}
		p.stop(t)
		types := ""
		for _, f := range history(t, dir, early.ID) {
			if types += f.Type + " "; f.Type == "IssuerCompleted" {
				var e struct{ Filled []string }
				if err := json.Unmarshal(f.Stored, &e); err != nil || len(e.Filled) < 5 {
					t.Errorf("it was completed by %s", f.Stored)
				}
			}
		}
		if !strings.HasPrefix(types, "InvoiceCreated IssuerCompleted SubmissionOpened SubmissionStarted NumberAssigned") {
			t.Errorf("its history is %s", types)
		}
	})
}
