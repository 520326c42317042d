//go:build long

package verify_test

import (
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"folio/events"
	"folio/eventstore"
	"folio/verify"
)

// largeEvents is how many events are verified.
const largeEvents = 200_000

// Tree, rules and files of a large log are verified whole. How long that takes beside reading alone is told, and
// asserted
// of nobody: a machine with other work measures something else. Read models are apart.
func TestVerifyingBesideReadingAlone(t *testing.T) {
	w := newWorld(t, many(largeEvents))
	began, read := time.Now(), 0
	for _, err := range w.log.All(t.Context(), events.Position{}, eventstore.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		read++
	}
	reading := time.Since(began)
	runtime.GC()
	c := w.config()
	began = time.Now()
	report, err := verify.Run(t.Context(), c)
	if err != nil || report.Events != int64(read) {
		t.Fatalf("%d events of %d: %v", report.Events, read, err)
	}
	verifying := time.Since(began)
	ratio := reading.Seconds() / verifying.Seconds()
	t.Logf("reading %s, verifying %s: %.2f of reading alone; %s", reading, verifying, ratio, peak(t))
}

// peak is the most memory that the process had.
func peak(t *testing.T) string {
	t.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(status)) {
		if strings.HasPrefix(line, "VmHWM") {
			return strings.TrimSpace(line)
		}
	}
	return ""
}
