package main

import (
	"fmt"
	"time"
)

// sandboxFlags are the sandbox's part of serve (docs/sandbox.md).
type sandboxFlags struct {
	SandboxAddr    string        `group:"sandbox" help:"Address of the sandbox: the authority's protocols, and for this machine its page and its administration. Port 0 takes the one of the start before, or a free one." default:"127.0.0.1:0"`
	SandboxProfile string        `group:"sandbox" help:"Rules of the sandbox: friendly needs no preparation, arca has the registered points of sale, the pauses between logins and the dates of the real thing." enum:"friendly,arca" default:"friendly"`
	SandboxLatency time.Duration `group:"sandbox" help:"Time that the sandbox takes for every call."`
}

// Validate is called by the parser.
func (f sandboxFlags) Validate() error {
	if err := listens("--sandbox-addr", f.SandboxAddr); err != nil {
		return err
	}
	if f.SandboxLatency < 0 {
		return fmt.Errorf("--sandbox-latency cannot be negative")
	}
	return nil
}
