package main

import (
	"bytes"
	"testing"
	"time"
)

func TestProgressSaysHowMuchHowFastAndHowLongStill(t *testing.T) {
	for name, c := range map[string]struct {
		unit     string
		total    int64
		terminal bool
		want     string
	}{
		"bytes on a terminal":                {"MB", 500e6, true, "\r\x1b[Kcopy: 50.0 of 500.0 MB (10 %), 8.3 a second, 54s left\r\x1b[K"},
		"bytes in a file":                    {"MB", 500e6, false, "copy: 50.0 of 500.0 MB (10 %), 8.3 a second, 54s left\n"},
		"events of which nobody knows a sum": {"events", 0, false, "copy: 50000000 events, 8333333 a second\n"},
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			now := time.Date(2026, 11, 28, 10, 0, 0, 0, time.UTC)
			p := startProgress("copy", c.unit, c.total)
			p.out, p.terminal, p.now = &out, c.terminal, func() time.Time { return now }
			p.started, p.told = now, now
			now = now.Add(100 * time.Millisecond)
			p.at(1) // too soon to be told
			now = now.Add(5900 * time.Millisecond)
			p.at(50e6)
			p.at(50e6) // told a moment ago
			p.end()
			if out.String() != c.want {
				t.Errorf("%q, want %q", out.String(), c.want)
			}
		})
	}
}
