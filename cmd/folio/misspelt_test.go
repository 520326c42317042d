package main

import (
	"bytes"
	"log/slog"
	"slices"
	"strings"
	"testing"
)

// A variable whose name is nearly a flag's sets nothing, and the start says so. Others are not ours to judge: those of
// clients and tests, of other commands, and those that Kubernetes sets for each Service.
func TestAMisspeltVariableIsWarnedOf(t *testing.T) {
	for _, name := range []string{"FOLIO_DRIAN", "FOLIO_WEBHOOK_SECRET", "FOLIO_TEST_MONGO", "FOLIO_PASSWORD",
		"FOLIO_PORT", "FOLIO_SERVICE_HOST", "FOLIO_READ_PORT_80_TCP_ADDR"} {
		t.Setenv(name, "x")
	}
	c, _, err := parse(t, "serve", "--addr", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if want := []misspelling{{"FOLIO_DRIAN", "FOLIO_DRAIN"}}; !slices.Equal(c.Serve.misspelt, want) {
		t.Errorf("%v, want %v", c.Serve.misspelt, want)
	}
	var out bytes.Buffer
	warnOfMisspelt(c.Serve.misspelt, slog.New(slog.NewTextHandler(&out, nil)))
	for _, want := range []string{"level=WARN", "variable=FOLIO_DRIAN", "did_you_mean=FOLIO_DRAIN"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%s lacks %s", out.String(), want)
		}
	}
}
