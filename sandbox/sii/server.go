package sii

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"folio/sandbox"
	"folio/sandbox/desk"
)

// The environments, as they appear in paths, knobs and the store.
const (
	Testing    = desk.Testing
	Production = desk.Production
)

// Prefix is what the paths of the sandbox begin with: /cl/testing, /cl/production.
const Prefix = "/cl/"

const adminPrefix = "/admin/sii/"

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
	// Links lead to the pages of all authorities.
	Links []desk.Link
	Knobs Knobs
}

// Server is the sandbox. It is an http.Handler, safe for concurrent use.
type Server struct {
	ca     *sandbox.CA
	folios *Folios
	store  store
	*desk.Desk
	*desk.Kept[Knobs]
}

// Open opens the state in o.Dir, or makes it.
func Open(ctx context.Context, o Options) (*Server, error) {
	if o.CA == nil || o.Folios == nil || o.Dir == "" {
		return nil, errors.New("open sandbox of SII: a folder, a certificate authority and one of CAFs are needed")
	}
	s := &Server{ca: o.CA, folios: o.Folios}
	s.Desk = desk.New(desk.Options{Name: "SII", Prefix: adminPrefix, Example: "DTEUpload", Effects: effects, Now: o.Now,
		Zone: zone, Logger: o.Logger, Links: o.Links})
	s.Kept = desk.Keep(o.Knobs, Knobs.clone, Knobs.check)
	var err error
	if s.store.Database, err = desk.OpenDatabase(ctx, o.Dir, "sii-sandbox.db", tables); err != nil {
		return nil, fmt.Errorf("open sandbox of SII: %w", err)
	}
	return s, nil
}

// Close closes the database. Calls under way may fail.
func (s *Server) Close() error { return s.store.DB.Close() }

// call is one request as it is worked on.
type call struct {
	*Server
	w           http.ResponseWriter
	r           *http.Request
	environment string
	operation   string
	rut         string // of the company, when it is known
	body        []byte
	seen        *desk.Call
	struck      []Fault
}

// begin names the call, once its company is known, and applies faults, those that
// documents are marked with among them. True: it was answered.
func (c *call) begin(operation, rut string, marked ...Fault) bool {
	c.operation, c.rut = operation, rut
	c.struck = append(c.Strike(c.environment, operation, rut), marked...)
	c.seen.Operation, c.seen.Company = operation, rut
	c.seen.Struck(c.struck)
	c.Logger.Debug("sandbox of SII", "operation", operation, "environment", c.environment, "rut", rut)
	desk.Delay(c.r, c.Knobs().Latency)
	return desk.Before(c.w, c.r, c.struck, "<html><head><title>SII</title></head><body>Por el momento no es posible "+
		"atender su solicitud.<br></body></html>")
}

// fault is the one of this effect, if it happens to the call.
func (c *call) fault(effect desk.Effect) (Fault, bool) { return desk.Find(c.struck, effect) }

// answer writes an answer, or loses it.
func (c *call) answer(status int, kind, body string) {
	desk.Answer(c.w, c.r, c.struck, desk.Reply{Status: status, ContentType: kind, Body: body})
}

// broken answers that the sandbox itself failed.
func (c *call) broken(err error) {
	desk.Broken(c.Logger, c.r, err, "sandbox of SII", "operation", c.operation)
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
	c := &call{Server: s, r: r, environment: environment, body: body,
		seen: &desk.Call{At: s.Now(), Environment: environment}}
	if token, err := r.Cookie("TOKEN"); err == nil {
		c.seen.Hide(token.Value)
	}
	var done func()
	c.w, done = s.Watch(w, c.seen, body)
	defer done()
	serve(c)
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
	case "DTEWS/services/QueryEstDteAv":
		return (*call).documentBySignature
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
