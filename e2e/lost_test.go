package e2e

import (
	"fmt"
	"strings"
	"testing"
)

// TestOneLostEnvelopeDoesNotBlockItsType: the answer to an invoice's upload is lost, and SII
// refuses that envelope as a whole, so that it shows no document and calls the same bytes a
// repetition. The invoice behind it is issued at once; the first one goes out in a new
// envelope after a while, and gets SII's verdict.
func TestOneLostEnvelopeDoesNotBlockItsType(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		mark  string
		lost  int // answers
		final string
	}{
		"refused again":  {"SANDBOX:cover=RCT", 1, "Rejected"},
		"lost, not more": {"", 1, "Accepted"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			p := serve(t, dir, "--retry-base", "100ms", "--renew-after", "3s")
			co := chilean(t, p, dir)
			chile.number(t, co, dir, 33, 1, 10)
			chile.script(t, dir, map[string]any{"operation": "DTEUpload", "effect": "lose", "times": c.lost})
			body := pesos("FAC", "first")
			if c.mark != "" {
				body["items"].([]map[string]any)[0]["description"] = "Taladro " + c.mark
			}
			first := co.post(t, body)
			if c.mark != "" {
				co.stuck(t, first.ID, "AUTHORITY_CONTRADICTS_ITSELF")
			}
			if second := co.issue(t, pesos("FAC", "second")); !strings.HasSuffix(*second.Number, "-00000002") {
				t.Errorf("the second one has number %s", *second.Number)
			}
			eventually(t, verdictLimit, "the first one has its verdict", func() (string, bool) {
				i := co.read(t, first.ID)
				return i.String(), i.Status == c.final
			})
			facts := fmt.Sprint(factsOf(t, dir, first.ID, "numbering"))
			if renewed := strings.Contains(facts, "EnvelopeRenewed"); renewed != (c.mark != "") {
				t.Errorf("its series says %s", facts)
			}
			if i := co.read(t, first.ID); c.mark != "" && !strings.Contains(fmt.Sprint(i.Rejection), "RCT") {
				t.Errorf("it was rejected with %v", i.Rejection)
			}
			p.stop(t)
		})
	}
}
