package desk

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"
)

// An operator who is woken by errors must not be by a service that stops in the middle of
// a call.
func TestACallerThatLeavesIsNoErrorOfTheSandbox(t *testing.T) {
	ctx, leave := context.WithCancel(t.Context())
	r := httptest.NewRequestWithContext(ctx, "POST", "/testing/wsfev1", nil)
	for _, step := range []struct {
		name  string
		begin func()
		want  string
	}{
		{"the caller waits", func() {}, "level=ERROR msg=\"sandbox of X\" operation=O error=\"no such table\"\n"},
		{"the caller left", leave, ""},
	} {
		step.begin()
		var logged bytes.Buffer
		log := slog.New(slog.NewTextHandler(&logged, nil))
		Broken(log, r, errors.New("no such table"), "sandbox of X", "operation", "O")
		if got := logged.String(); !strings.HasSuffix(got, step.want) || step.want == "" && got != "" {
			t.Errorf("%s: logged %q, want it to end with %q", step.name, got, step.want)
		}
	}
}
