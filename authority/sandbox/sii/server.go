package sii

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"folio/authority/sandbox"
)

// The environments, as they appear in paths, knobs and the store.
const (
	Testing    = "testing"
	Production = "production"
)

// Prefix is what the paths of the sandbox begin with: /cl/testing, /cl/production.
const Prefix = "/cl/"

// maxBody bounds a request.
const maxBody = 8 << 20

// Options of a server; Dir, CA and Folios are required.
type Options struct {
	// Dir holds its database.
	Dir string
	// CA issued the certificates that it trusts.
	CA *sandbox.CA
	// Folios signed the CAFs that it trusts.
	Folios *Folios
	// Now is time.Now when nil. It decides every date; only Latency and Delay run on
	// real time.
	Now func() time.Time
	// Logger hears each call; nil is silent.
	Logger *slog.Logger
	Knobs  Knobs
}

// Server is the sandbox. It is an http.Handler, safe for concurrent use.
type Server struct {
	ca     *sandbox.CA
	folios *Folios
	now    func() time.Time
	log    *slog.Logger
	store  *store

	mu    sync.Mutex
	knobs Knobs
	calls []Call
}

// Open opens the state in o.Dir, or makes it.
func Open(ctx context.Context, o Options) (*Server, error) {
	if o.CA == nil || o.Folios == nil || o.Dir == "" {
		return nil, errors.New("open sandbox of SII: a folder, a certificate authority and one of CAFs are needed")
	}
	s := &Server{ca: o.CA, folios: o.Folios, now: o.Now, log: o.Logger, knobs: o.Knobs.clone()}
	if s.now == nil {
		s.now = time.Now
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	var err error
	if s.store, err = openStore(ctx, o.Dir); err != nil {
		return nil, fmt.Errorf("open sandbox of SII: %w", err)
	}
	return s, nil
}

// Close closes the database. Calls under way may fail.
func (s *Server) Close() error { return s.store.close() }

// call is one request as it is worked on.
type call struct {
	*Server
	w           http.ResponseWriter
	r           *http.Request
	environment string
	operation   string
	rut         string // of the company, when it is known
	body        []byte
	struck      []Fault
}

// begin names the call, once its company is known, and applies faults. True: it was
// answered.
func (c *call) begin(operation, rut string) bool {
	c.operation, c.rut = operation, rut
	c.struck = c.strike(c.environment, operation, rut)
	c.remember(Call{At: c.now(), Environment: c.environment, Operation: operation, RUT: rut})
	c.log.Debug("sandbox of SII", "operation", operation, "environment", c.environment, "rut", rut)
	if d := time.Duration(c.Knobs().Latency); d > 0 {
		wait(c.r.Context(), d)
	}
	return c.before()
}

// broken answers that the sandbox itself failed.
func (c *call) broken(err error) {
	c.log.ErrorContext(c.r.Context(), "sandbox of SII", "operation", c.operation, "error", err)
	http.Error(c.w, "Internal Server Error", http.StatusInternalServerError)
}

// ServeHTTP answers SII's paths below /cl/testing and /cl/production.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	environment, path, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, Prefix), "/")
	serve := route(path)
	if environment != Testing && environment != Production || serve == nil {
		http.NotFound(w, r)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	serve(&call{Server: s, w: w, r: r, environment: environment, body: body})
}

const receiptsPath = "recursos/v1/boleta.electronica"

func route(path string) func(*call) {
	switch path {
	case "DTEWS/CrSeed.jws":
		return (*call).seedBySOAP
	case "DTEWS/GetTokenFromSeed.jws":
		return (*call).tokenBySOAP
	case "cgi_dte/UPL/DTEUpload":
		return (*call).upload
	case "DTEWS/QueryEstUp.jws":
		return (*call).envelopeBySOAP
	case "DTEWS/QueryEstDte.jws":
		return (*call).documentBySOAP
	case receiptsPath + ".semilla":
		return (*call).seedByREST
	case receiptsPath + ".token":
		return (*call).tokenByREST
	case receiptsPath + ".envio":
		return (*call).uploadReceipt
	}
	switch {
	case strings.HasPrefix(path, receiptsPath+".envio/"):
		return (*call).envelopeByREST
	case strings.HasPrefix(path, receiptsPath+"/") && strings.HasSuffix(path, "/estado"):
		return (*call).documentByREST
	}
	return nil
}

// Call is one that the sandbox received.
type Call struct {
	At          time.Time `json:"at"`
	Environment string    `json:"environment"`
	Operation   string    `json:"operation"`
	RUT         string    `json:"rut,omitempty"`
}

const maxCalls = 200

func (s *Server) remember(c Call) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = append(s.calls, c)
	if len(s.calls) > maxCalls {
		s.calls = s.calls[len(s.calls)-maxCalls:]
	}
}

// Calls are the last ones, oldest first.
func (s *Server) Calls() []Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Call{}, s.calls...)
}
