package arca

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

// Ambiente is how the sandbox announces itself in every answer: never like ARCA.
const Ambiente = "Simulador - local"

// zone is Argentine time; the authority's day begins at its midnight.
var zone = time.FixedZone("-03", -3*60*60)

// maxBody bounds a request: 250 vouchers with long arrays stay below.
const maxBody = 16 << 20

// Options of a server; Dir and CA are required.
type Options struct {
	// Dir holds its database.
	Dir string
	// CA issued the certificates that it trusts; its key signs tickets.
	CA *sandbox.CA
	// Now is time.Now when nil. It decides every date; only Latency and Delay run on
	// real time.
	Now func() time.Time
	// Logger hears each call; nil is silent.
	Logger *slog.Logger
	// Links lead to the pages of all authorities.
	Links []desk.Link
	// Knobs to start with; see DefaultKnobs.
	Knobs Knobs
}

// Server is the sandbox. It is an http.Handler, safe for concurrent use.
type Server struct {
	ca    *sandbox.CA
	store store
	*desk.Desk
	*desk.Kept[Knobs]
}

// Open opens the state in o.Dir, or makes it.
func Open(ctx context.Context, o Options) (*Server, error) {
	if o.CA == nil || o.Dir == "" {
		return nil, errors.New("open sandbox of ARCA: a folder and a certificate authority are needed")
	}
	db, err := desk.OpenDatabase(ctx, o.Dir, "arca-sandbox.db", schema)
	if err != nil {
		return nil, fmt.Errorf("open sandbox of ARCA: %w", err)
	}
	return &Server{ca: o.CA, store: store{db}, Kept: desk.Keep(o.Knobs, Knobs.withDefaults, Knobs.Validate),
		Desk: desk.New(desk.Options{Name: "ARCA", Prefix: "/admin/arca/", Home: "/", Example: invoices.authorize,
			Effects: effects,
			Check:   checkFault, Words: words, Pages: pageFiles, Now: o.Now, Zone: zone, Logger: o.Logger, Links: o.Links})}, nil
}

// Close closes the database. Calls under way may fail.
func (s *Server) Close() error { return s.store.DB.Close() }

// ServeHTTP answers /{environment}/ws/services/LoginCms and service.asmx of
// /{environment}/wsfev1, /{environment}/wsfexv1 and /{environment}/WSCDC.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	environment, path, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	if environment != Testing && environment != Production {
		http.NotFound(w, r)
		return
	}
	serve := map[string]func(http.ResponseWriter, *http.Request, string, []byte){
		"ws/services/LoginCms": s.serveLogin, "wsfev1/service.asmx": s.serveService(invoices),
		"wsfexv1/service.asmx": s.serveService(exports),
		"WSCDC/service.asmx":   s.serveService(constatations),
	}[path]
	switch {
	case serve == nil:
		http.NotFound(w, r)
		return
	case r.Method != http.MethodPost:
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, "<html><body><h1>"+Ambiente+"</h1>SOAP, POST.</body></html>")
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	serve(w, r, environment, body)
}

// today is the authority's day, yyyymmdd.
func (s *Server) today() string { return s.calendar().In(zone).Format(dateForm) }

const dateForm = "20060102"

// calendar is the clock by which vouchers, windows and fortnights are dated.
func (s *Server) calendar() time.Time { return s.Now().Add(time.Duration(s.Knobs().Clock)) }
