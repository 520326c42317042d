package main

import (
	"context"
	"log/slog"
	"net"
	"strings"
	"testing"
	"time"

	"folio/countries"
	"folio/sandbox"
)

// Processes with other roles read the sandbox's address when they start. It is the same after a restart, unless
// somebody else has the port by then.
func TestTheSandboxIsWhereItWas(t *testing.T) {
	f := serveFlags{dataFlags: dataFlags{Data: t.TempDir()},
		sandboxFlags: sandboxFlags{SandboxAddr: "127.0.0.1:0", SandboxProfile: "friendly"}}
	run := func() string {
		box, err := sandbox.Open(f.sandboxDir(), time.Now, countries.Sandboxes()...)
		if err != nil {
			t.Fatal(err)
		}
		s, err := serveSandbox(t.Context(), box, f, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		if err := s.close(context.Background()); err != nil {
			t.Fatal(err)
		}
		return s.address
	}
	first := run()
	if again := run(); again != first {
		t.Errorf("it was at %s and is at %s", first, again)
	}
	var lc net.ListenConfig
	l, err := lc.Listen(t.Context(), "tcp", strings.TrimPrefix(first, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if again := run(); again == first {
		t.Error("it is where somebody else listens")
	}
}
