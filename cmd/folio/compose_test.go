package main

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// The compose file is public: what it starts with is drawn, never written down.
func TestTheComposeFileHoldsNoPassword(t *testing.T) {
	text, err := os.ReadFile("../../docker-compose.yml")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		given := regexp.MustCompile(`(?i)(password|key)[A-Z_]*[:=]\s*(\S+)`).FindStringSubmatch(line)
		if given != nil && !strings.HasPrefix(given[2], "/secrets/") && !strings.HasPrefix(given[2], "$$(cat") {
			t.Errorf("%s", strings.TrimSpace(line))
		}
		if regexp.MustCompile(`//[^/\s]+:[^/\s]+@`).MatchString(line) {
			t.Errorf("an address with a password: %s", strings.TrimSpace(line))
		}
	}
	if !strings.Contains(string(text), "eventstore/eventstore:23.10.8") || strings.Contains(string(text), "INSECURE") {
		t.Error("the log is not the version that was tried, with TLS")
	}
}
