package e2e

import (
	"strings"
	"testing"
)

// TestTwoCompaniesOfOneTaxpayerNeverShareADocument issues equal invoices from two
// companies with the same CUIT at once: the authority counts them as one taxpayer, and
// every invoice must be a document of its own there.
func TestTwoCompaniesOfOneTaxpayerNeverShareADocument(t *testing.T) {
	dir := t.TempDir()
	p := serve(t, dir, append([]string{"--retry-base", "100ms"}, unlimited...)...)
	bearer := login(t, p.base, email, password)
	both := []company{register(t, bearer, cuit(1)), register(t, bearer, cuit(1))}
	for _, c := range both {
		c.certify(t, dir)
	}
	const invoices = 60
	each(t, 8, invoices, func(n int) error {
		_, _, err := both[n%2].created(body("FCB", 1, "same"))
		return err
	})
	seen := map[string]bool{}
	for _, c := range both {
		c.settle(t, verdictLimit)
		for _, i := range c.all(t) {
			if i.Status != "Accepted" || seen[i.Authorization.Code] {
				t.Errorf("invoice %s is %s with CAE %s, which another has: %v", i.ID, i.Status, i.Authorization.Code,
					seen[i.Authorization.Code])
			}
			seen[i.Authorization.Code] = true
		}
	}
	p.stop(t)
	if out := succeed(t, "verify", "--data", dir); !strings.Contains(out, "nothing differs") {
		t.Errorf("each company notices the other's numbers, and verify says %s", out)
	}
	if held := len(vouchers(t, dir)); len(seen) != invoices || held != invoices {
		t.Errorf("%d CAEs, %d documents at the authority, want %d of each", len(seen), held, invoices)
	}
}
