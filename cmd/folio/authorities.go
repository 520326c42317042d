package main

import (
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
	"folio/authority/arca"
	"folio/authority/dgi"
	"folio/authority/sii"
	"folio/authority/wire"
	"folio/sandbox"
	arcasandbox "folio/sandbox/arca"
	"folio/sandbox/desk"
	dgisandbox "folio/sandbox/dgi"
	siisandbox "folio/sandbox/sii"
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
		if err := s.trustSandbox(); err != nil {
			return err
		}
		if s.flags.has(roleSandbox) {
			var err error
			if s.sandboxes, err = openSandboxes(ctx, s.flags, s.logger); err != nil {
				return err
			}
		}
		if base == "" {
			var err error
			if base, err = s.sandboxAddress(); err != nil {
				return err
			}
		}
		s.logger.Warn("THE AUTHORITY IS A SANDBOX: no document that is issued has fiscal value", "address", base)
	}
	s.drivers = &drivers{serves: s.flags.serves, byName: map[string]authority.Driver{
		"arca": arca.NewDriver(map[authority.Environment]*arca.Client{
			authority.Production: s.arcaClient(authority.Production, arca.Production, base, moved), authority.Testing: s.arcaClient(authority.Testing, arca.Homologation, base, moved),
		}),
		"sii": sii.NewDriver(map[authority.Environment]*sii.Client{
			authority.Production: s.siiClient(authority.Production, sii.Production, base, moved), authority.Testing: s.siiClient(authority.Testing, sii.Certification, base, moved),
		}),
		"dgi": dgi.NewDriver(map[authority.Environment]*dgi.Client{
			authority.Production: s.dgiClient(authority.Production, dgi.Production, base, moved), authority.Testing: s.dgiClient(authority.Testing, dgi.Test, base, moved),
		}),
	}}
	return nil
}

func (s *service) arcaClient(in authority.Environment, e arca.Endpoints, base string, moved addresses) *arca.Client {
	if base != "" {
		e = arca.EndpointsAt(e.Environment, strings.TrimSuffix(base, "/")+"/"+e.Environment)
	}
	moved.move("arca", in, arcaServices(&e))
	return arca.New(arca.Options{Endpoints: e, HTTP: arca.NewHTTPClient(s.flags.AuthorityTimeout), Vault: s.vault, Log: s.logger})
}

func (s *service) siiClient(in authority.Environment, e sii.Endpoints, base string, moved addresses) *sii.Client {
	if base != "" {
		e = sii.EndpointsAt(e.Environment, strings.TrimSuffix(base, "/")+siisandbox.Prefix+e.Environment)
	}
	moved.move("sii", in, siiServices(&e))
	return sii.New(sii.Options{Endpoints: e, HTTP: sii.NewHTTPClient(s.flags.AuthorityTimeout), Vault: s.vault, Log: s.logger})
}

func (s *service) dgiClient(in authority.Environment, e dgi.Endpoints, base string, moved addresses) *dgi.Client {
	if base != "" {
		e = dgi.EndpointsAt(e.Environment, strings.TrimSuffix(base, "/")+dgisandbox.Prefix+e.Environment)
	}
	moved.move("dgi", in, dgiServices(&e))
	return dgi.New(dgi.Options{Endpoints: e, HTTP: wire.NewClient(s.flags.AuthorityTimeout), Vault: s.vault,
		Hash: hashes[s.flags.DGIHash], MessageHash: hashes[s.flags.DGIMessageHash]})
}

// hashes are those of signatures, by the names that flags give them.
var hashes = map[string]crypto.Hash{"sha256": crypto.SHA256, "sha1": crypto.SHA1}

// trustSandbox takes numbering files of the data folder's sandbox besides the
// authorities' own.
func (s *service) trustSandbox() error {
	folios, err := siisandbox.OpenFolios(s.flags.sandboxDir(), time.Now)
	if err != nil {
		return fmt.Errorf("open the sandbox's key of CAFs: %w", err)
	}
	key, err := folios.PEM()
	if err != nil {
		return err
	}
	numbers, err := dgisandbox.OpenNumbers(s.flags.sandboxDir(), time.Now)
	if err != nil {
		return err
	}
	s.trust.PEM = append(s.trust.PEM, key, numbers.PEM())
	return nil
}

// sandboxFile notes where the sandbox of a data folder listens, for other processes.
func sandboxFile(dir string) string { return filepath.Join(dir, "address") }

func (s *service) sandboxAddress() (string, error) {
	if s.sandboxes != nil {
		return s.sandboxes.address, nil
	}
	address, err := os.ReadFile(sandboxFile(s.flags.sandboxDir()))
	if err != nil {
		return "", fmt.Errorf("no sandbox runs on the data folder %s: start one with the role sandbox, or name it with --authority-url", s.flags.Data)
	}
	return strings.TrimSpace(string(address)), nil
}

// sandboxes are the authorities of trial, on a free port of loopback.
type sandboxes struct {
	address string
	arca    *arcasandbox.Server
	sii     *siisandbox.Server
	dgi     *dgisandbox.Server
	server  *http.Server
	file    string
}

func openSandboxes(ctx context.Context, f serveFlags, logger *slog.Logger) (*sandboxes, error) {
	dir := f.sandboxDir()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the sandbox's folder: %w", err)
	}
	ca, err := sandbox.OpenCA(dir, time.Now)
	if err != nil {
		return nil, fmt.Errorf("open the sandbox's certificate authority: %w", err)
	}
	s := &sandboxes{file: sandboxFile(dir)}
	if err := s.open(ctx, f, ca, logger); err != nil {
		return nil, errors.Join(err, s.closeServers())
	}
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "tcp", f.SandboxAddr)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("listen for the sandbox: %w", err), s.closeServers())
	}
	mux := http.NewServeMux()
	mux.Handle("/", s.arca.Admin())
	mux.Handle("/admin/sii/", s.sii.Admin())
	mux.Handle(siisandbox.Prefix, s.sii)
	mux.Handle("/admin/dgi/", s.dgi.Admin())
	mux.Handle(dgisandbox.Prefix, s.dgi)
	for _, environment := range []string{arcasandbox.Testing, arcasandbox.Production} {
		mux.Handle("/"+environment+"/", s.arca)
	}
	s.address = "http://" + l.Addr().String()
	s.server = &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	if err := os.WriteFile(s.file, []byte(s.address+"\n"), 0o600); err != nil {
		return nil, errors.Join(fmt.Errorf("note the sandbox's address: %w", err), l.Close(), s.closeServers())
	}
	logger.Info("the sandbox shows what it receives and takes faults", "page", s.address+"/", "admin", s.address+"/admin/arca/")
	go func() {
		if err := s.server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			logger.Error("the sandbox stopped", "error", err)
		}
	}()
	return s, nil
}

// open opens the sandbox of each authority.
func (s *sandboxes) open(ctx context.Context, f serveFlags, ca *sandbox.CA, logger *slog.Logger) (err error) {
	dir := f.sandboxDir()
	if s.arca, err = arcasandbox.Open(ctx, arcasandbox.Options{Dir: dir, CA: ca, Logger: logger.With("sandbox", "arca"), Knobs: f.knobs()}); err != nil {
		return fmt.Errorf("start the sandbox of ARCA: %w", err)
	}
	folios, err := siisandbox.OpenFolios(dir, time.Now)
	if err != nil {
		return fmt.Errorf("open the sandbox's key of CAFs: %w", err)
	}
	s.sii, err = siisandbox.Open(ctx, siisandbox.Options{Dir: dir, CA: ca, Folios: folios, Logger: logger.With("sandbox", "sii"),
		Knobs: siisandbox.Knobs{Latency: siisandbox.Duration(f.SandboxLatency)}})
	if err != nil {
		return fmt.Errorf("start the sandbox of SII: %w", err)
	}
	s.dgi, err = dgisandbox.Open(ctx, dgisandbox.Options{Dir: dir, CA: ca, Logger: logger.With("sandbox", "dgi"),
		Knobs: dgisandbox.Knobs{Latency: desk.Duration(f.SandboxLatency)}})
	if err != nil {
		return fmt.Errorf("start the sandbox of DGI: %w", err)
	}
	return nil
}

func (s *sandboxes) closeServers() error {
	var errs []error
	if s.arca != nil {
		errs = append(errs, s.arca.Close())
	}
	if s.sii != nil {
		errs = append(errs, s.sii.Close())
	}
	if s.dgi != nil {
		errs = append(errs, s.dgi.Close())
	}
	return errors.Join(errs...)
}

func (s *sandboxes) close(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	if err := s.server.Shutdown(ctx); err != nil {
		s.server.Close()
	}
	return errors.Join(os.Remove(s.file), s.closeServers())
}
