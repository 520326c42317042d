package main

import (
	"cmp"
	"context"
	"crypto"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"folio/authority"
	"folio/countries"
	"folio/sandbox"
)

// jitter varies pauses; nothing else here is left to chance.
func jitter() float64 { return rand.Float64() } //nolint:gosec // not for secrets

// drivers are the authorities that this service speaks to.
type drivers struct {
	serves func(authority.Environment) bool
	byName map[string]authority.Driver
}

// find is the driver of an authority, if the environment is served.
func (d *drivers) find(name string, e authority.Environment) (authority.Driver, bool) {
	driver, ok := d.byName[name]
	return driver, ok && d.serves(e)
}

// openAuthorities makes the drivers, and starts the sandbox if this process has it. A process
// that is the log and nothing else speaks to no authority.
func (s *service) openAuthorities(ctx context.Context) (err error) {
	if s.flags.onlyNode() {
		s.drivers = &drivers{serves: s.flags.serves}
		return nil
	}
	base := s.flags.AuthorityURL
	moved, err := readAddresses(s.flags.AuthorityAddresses)
	if err != nil {
		return err
	}
	if s.trust.PEM, err = readTrust(s.flags.Trust); err != nil {
		return err
	}
	if s.flags.Authority == "sandbox" {
		address, err := s.openSandbox(ctx)
		if err != nil {
			return err
		}
		base = cmp.Or(base, address)
		s.logger.Warn("THE AUTHORITY IS A SANDBOX: no document that is issued has fiscal value", "address", base)
	}
	s.drivers = &drivers{serves: s.flags.serves, byName: countries.Drivers(countries.Settings{
		Base: base, Moved: moved, Timeout: s.flags.AuthorityTimeout, Vault: s.vault, Log: s.logger,
		DGIHash: hashes[s.flags.DGIHash], DGIMessageHash: hashes[s.flags.DGIMessageHash],
	})}
	return nil
}

// hashes are those of signatures, by the names that flags give them.
var hashes = map[string]crypto.Hash{"sha256": crypto.SHA256, "sha1": crypto.SHA1}

// openSandbox trusts the data folder's sandbox, starts it if this process has it, and says
// where it listens: "" when nobody needs to know, as calls go elsewhere.
func (s *service) openSandbox(ctx context.Context) (string, error) {
	dir := s.flags.sandboxDir()
	box, err := sandbox.Open(dir, time.Now, countries.Sandboxes()...)
	if err != nil {
		return "", err
	}
	keys, err := box.Trust()
	if err != nil {
		return "", err
	}
	s.trust.PEM = append(s.trust.PEM, keys...)
	switch {
	case s.flags.has(roleSandbox):
		if s.sandbox, err = serveSandbox(ctx, box, s.flags, s.logger); err != nil {
			return "", err
		}
		return s.sandbox.address, nil
	case s.flags.AuthorityURL != "":
		return "", nil
	}
	address, err := os.ReadFile(sandboxFile(dir))
	if err != nil {
		return "", fmt.Errorf("no sandbox runs on the data folder %s: start one with the role sandbox, or name it with "+
			"--authority-url", s.flags.Data)
	}
	return strings.TrimSpace(string(address)), nil
}

// sandboxFile notes where the sandbox of a data folder listens, for other processes.
func sandboxFile(dir string) string { return filepath.Join(dir, "address") }

// sandboxPort notes the port that the sandbox of a data folder had, for its next start.
func sandboxPort(dir string) string { return filepath.Join(dir, "port") }

// listenForSandbox takes the port of the start before where any would do, and a free one if somebody else has that
// by now: the other processes of the folder read the address when they start, and go on calling it.
func listenForSandbox(ctx context.Context, f serveFlags) (net.Listener, error) {
	var lc net.ListenConfig
	host, port, err := net.SplitHostPort(f.SandboxAddr)
	if was, unknown := os.ReadFile(sandboxPort(f.sandboxDir())); err == nil && port == "0" && unknown == nil {
		if l, err := lc.Listen(ctx, "tcp", net.JoinHostPort(host, strings.TrimSpace(string(was)))); err == nil {
			return l, nil
		}
	}
	return lc.Listen(ctx, "tcp", f.SandboxAddr)
}

// sandboxServer is the authorities of trial, on a free port of loopback.
type sandboxServer struct {
	address string
	box     *sandbox.Sandbox
	server  *http.Server
	served  chan struct{} // closed when nobody listens any more
	file    string
}

func serveSandbox(ctx context.Context, box *sandbox.Sandbox, f serveFlags,
	logger *slog.Logger) (*sandboxServer, error) {
	handler, err := box.Handler(ctx, sandbox.Options{Logger: logger, Latency: f.SandboxLatency, Profile: f.SandboxProfile})
	if err != nil {
		return nil, err
	}
	l, err := listenForSandbox(ctx, f)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("listen for the sandbox: %w", err), box.Close())
	}
	s := &sandboxServer{address: "http://" + l.Addr().String(), box: box, file: sandboxFile(f.sandboxDir()),
		server: &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second}, served: make(chan struct{})}
	_, port, err := net.SplitHostPort(l.Addr().String())
	err = errors.Join(err, os.WriteFile(sandboxPort(f.sandboxDir()), []byte(port+"\n"), 0o600),
		os.WriteFile(s.file, []byte(s.address+"\n"), 0o600))
	if err != nil {
		return nil, errors.Join(fmt.Errorf("note the sandbox's address: %w", err), l.Close(), box.Close())
	}
	logger.Info("the sandbox shows what it receives and takes faults", "page", s.address+"/", "admin",
		s.address+"/admin/arca/")
	go func() {
		defer close(s.served)
		if err := s.server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			logger.Error("the sandbox stopped", "error", err)
		}
	}()
	return s, nil
}

// close gives the port back before it returns: a next start takes it again.
func (s *sandboxServer) close(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	if err := s.server.Shutdown(ctx); err != nil {
		s.server.Close()
	}
	<-s.served // a server that was shut down before it served closes its listener only then
	return errors.Join(os.Remove(s.file), s.box.Close())
}
