package sandbox

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"time"

	"folio/sandbox/desk"
)

// Authority is one fiscal authority that a sandbox stands for. Each package below this one
// has one.
type Authority struct {
	// Name is what people call it: "SII".
	Name string
	// Country is the ISO 3166-1 alpha-2 code of its certificates' holders.
	Country string
	// Holder writes a holder's tax identifier as the authority's certificates do, and refuses
	// one that is none.
	Holder Holder
	// HolderName says whose identifier that is: "RUT of the person".
	HolderName string
	// Trust is what numbering files made in a folder are signed with, as PEM; nil where the
	// authority gives out none.
	Trust func(dir string, now func() time.Time) ([]byte, error)
	// Open starts it.
	Open func(ctx context.Context, o Options) (Server, error)
	// Paths begin those of its protocol, AdminPaths those of its administration, the first of
	// which is its page.
	Paths, AdminPaths []string
}

// Server is an authority that was started: a handler of its protocol.
type Server interface {
	http.Handler
	// Admin answers people and their scripts on the same machine.
	Admin() http.Handler
	Close() error
}

// Options of an authority.
type Options struct {
	Dir     string // of the folder whose sandbox it is
	CA      *CA
	Now     func() time.Time
	Logger  *slog.Logger
	Latency time.Duration // of every call
	Profile string        // of rules, where an authority has several
	Links   []desk.Link   // to the pages of all authorities
}

// Sandbox is the authorities of one data folder. Nothing that they issue has fiscal value.
type Sandbox struct {
	dir         string
	now         func() time.Time
	ca          *CA
	authorities []Authority
	servers     []Server
}

// Open opens the sandbox that is kept in dir, or makes it. Several processes may do so at
// once: all end up with the same keys. now decides all dates.
func Open(dir string, now func() time.Time, authorities ...Authority) (*Sandbox, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the sandbox's folder: %w", err)
	}
	ca, err := OpenCA(dir, now)
	if err != nil {
		return nil, fmt.Errorf("open the sandbox's certificate authority: %w", err)
	}
	return &Sandbox{dir: dir, now: now, ca: ca, authorities: authorities}, nil
}

// Trust is what the numbering files of the folder are signed with, as PEM.
func (s *Sandbox) Trust() (pem [][]byte, err error) {
	for _, a := range s.authorities {
		if a.Trust == nil {
			continue
		}
		one, err := a.Trust(s.dir, s.now)
		if err != nil {
			return nil, fmt.Errorf("open the key of numbering files of %s: %w", a.Name, err)
		}
		pem = append(pem, one)
	}
	return pem, nil
}

// IssueCertificate makes a certificate file that the authority of a country trusts; c's
// Holder is that authority's.
func (s *Sandbox) IssueCertificate(country string, c Certificate) (pfx []byte, err error) {
	var known []string
	for _, a := range s.authorities {
		if strings.EqualFold(a.Country, country) {
			c.Holder = a.Holder
			return s.ca.IssueCertificate(c)
		}
		known = append(known, strings.ToLower(a.Country))
	}
	return nil, fmt.Errorf("no sandbox certificates for country %q: use one of %s", country, strings.Join(known, ", "))
}

// Handler starts the authorities and answers for all of them, and for their administration.
// Close stops them.
func (s *Sandbox) Handler(ctx context.Context, o Options) (http.Handler, error) {
	o.Dir, o.CA, o.Now, o.Links = s.dir, s.ca, s.now, nil
	for _, a := range s.authorities {
		o.Links = append(o.Links, desk.Link{Name: a.Name, Path: a.AdminPaths[0]})
	}
	logger := o.Logger
	mux := http.NewServeMux()
	for _, a := range s.authorities {
		o.Logger = logger.With("sandbox", strings.ToLower(a.Name))
		server, err := a.Open(ctx, o)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("start the sandbox of %s: %w", a.Name, err), s.Close())
		}
		s.servers = append(s.servers, server)
		for _, path := range a.Paths {
			mux.Handle(path, server)
		}
		admin := server.Admin()
		for _, path := range a.AdminPaths {
			mux.Handle(path, admin)
		}
	}
	return mux, nil
}

// Close stops the authorities. Calls under way may fail.
func (s *Sandbox) Close() error {
	var errs []error
	for _, server := range s.servers {
		errs = append(errs, server.Close())
	}
	s.servers = nil
	return errors.Join(errs...)
}
