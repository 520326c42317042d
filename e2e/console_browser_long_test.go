//go:build long

package e2e

import (
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"testing"
)

// TestTheConsoleInABrowser looks at the console in Chromium: with axe, by keyboard, at the width of a phone, with
// scripts off, and as deliveries are sent again. FOLIO_CONSOLE_PICTURES names a folder for pictures of it.
func TestTheConsoleInABrowser(t *testing.T) {
	t.Parallel()
	chromium, err := exec.LookPath("chromium")
	if err != nil {
		t.Fatalf("the console is tested in a browser: install chromium (%v)", err)
	}
	tools := t.TempDir()
	if err := os.CopyFS(tools, os.DirFS("../console/browser")); err != nil {
		t.Fatal(err)
	}
	npm := exec.Command("npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts")
	npm.Dir = tools
	if out, err := npm.CombinedOutput(); err != nil {
		t.Fatalf("npm ci: %v\n%s", err, out)
	}
	dir := t.TempDir()
	p := serve(t, dir, append([]string{allowLoopback}, unlimited...)...)
	c := issuing(t, p, dir, 73)
	c.subscribe(t, receive(t).URL, "ISE")
	i := c.issue(t, body("FCA", 1, hostile))
	c.onContingency(t)
	c.hand(t, "open")
	c.issue(t, body("FCB", 1, "by contingency"))
	c.want(t, http.StatusCreated, http.MethodPost, c.path("/outages"), map[string]any{"reason": hostile})
	settings, err := json.Marshal(map[string]string{"base": p.base, "email": email, "password": password,
		"company": c.id, "invoice": i.ID})
	if err != nil {
		t.Fatal(err)
	}
	walks := []string{"axe", "keyboard", "phone", "noscript", "webhooks", "docs"}
	if os.Getenv("FOLIO_CONSOLE_PICTURES") != "" {
		walks = append(walks, "pictures")
	}
	for _, walk := range walks {
		t.Run(walk, func(t *testing.T) {
			node := exec.Command("node", "walk.js", walk)
			node.Dir = tools
			node.Env = append(os.Environ(), "FOLIO_CHROMIUM="+chromium, "FOLIO_CONSOLE_WALK="+string(settings))
			if out, err := node.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}
