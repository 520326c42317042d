//go:build long

package e2e

import (
	"strings"
	"testing"
)

// With TypeScript: the package is made, its types are checked, and its receiver believes
// deliveries by the published library of Standard Webhooks.
func TestTheQuickstartInTypeScript(t *testing.T) {
	out := runQuickstart(t, "long")
	if !strings.Contains(out, "TypeScript: 0001-00000003 Accepted") {
		t.Errorf("no invoice of TypeScript in\n%s", out)
	}
}
