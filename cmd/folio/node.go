package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/alecthomas/kong"

	"folio/eventstore/node"
	"folio/eventstore/node/storage"
)

// nodeFlags open the embedded log to the tools of others, which speak EventStoreDB's protocol.
type nodeFlags struct {
	NodeListen  string `group:"node" help:"Address, as 127.0.0.1:2113, on which EventStoreDB clients reach the embedded log. Empty: nowhere. Beyond loopback it needs a certificate and users." placeholder:"HOST:PORT"`
	NodeTLSCert string `group:"node" help:"PEM certificate chain for it." type:"path" placeholder:"FILE"`
	NodeTLSKey  string `group:"node" help:"PEM key of that certificate." type:"path" placeholder:"FILE"`
	NodeUsers   string `group:"node" help:"Who may come in: lines NAME:HASH as htpasswd -nB NAME writes them, with :read behind for one who may only read." type:"path" placeholder:"FILE"`
}

// endpoint reads the flags; without --node-listen there is none.
func (f nodeFlags) endpoint() (n node.Network, err error) {
	if f.NodeListen == "" {
		if f.NodeTLSCert != "" || f.NodeTLSKey != "" || f.NodeUsers != "" {
			return n, errors.New("--node-tls-cert, --node-tls-key and --node-users are for --node-listen, which is missing")
		}
		return n, nil
	}
	if err := listens("--node-listen", f.NodeListen); err != nil {
		return n, err
	}
	n = node.Network{Address: f.NodeListen, CertFile: f.NodeTLSCert, KeyFile: f.NodeTLSKey}
	if f.NodeUsers == "" {
		return n, nil
	}
	file, err := os.Open(f.NodeUsers)
	if err != nil {
		return n, fmt.Errorf("--node-users: %w", err)
	}
	if n.Users, err = node.ParseUsers(file); err != nil {
		err = fmt.Errorf("--node-users: %w", err)
	}
	return n, errors.Join(err, file.Close())
}

// AfterApply is called by the parser when all flags are known.
func (s *serveFlags) AfterApply(command *kong.Context) (err error) {
	s.misspelt = misspelt(command, os.Environ())
	if s.network, err = s.nodeFlags.endpoint(); err != nil {
		return err
	}
	if s.network.Address != "" && (s.elsewhere() || !s.has(roleNode)) {
		return errors.New("--node-listen opens the embedded log, which this process does not have: leave out --eventstore " +
			"and add the role node")
	}
	return nil
}

type nodeCmd struct {
	Check nodeCheckCmd `cmd:"" help:"Verify the embedded log: checksums, revisions, positions and the high-water mark."`
}

type nodeCheckCmd struct{ dataFlags }

// Run works beside a running service and without one. It fails when it finds something.
func (c *nodeCheckCmd) Run(ctx context.Context) error {
	if err := errors.Join(c.exists(), c.imported()); err != nil {
		return err
	}
	p := startCount("the log is verified")
	found, err := storage.Check(ctx, c.nodeDir(), func(events uint64) { _ = p.Set64(int64(events)) })
	_ = p.Finish()
	if err != nil {
		return err
	}
	for _, p := range found.Problems {
		fmt.Println(p)
	}
	fmt.Printf("%d events in %d streams, the last at position %d\n", found.Events, found.Streams, found.LastPosition)
	if len(found.Problems) > 0 {
		return fmt.Errorf("%d problems: stop the service, keep a copy of %s and restore the last backup", len(found.Problems),
			c.nodeDir())
	}
	fmt.Println("nothing is wrong")
	return nil
}
