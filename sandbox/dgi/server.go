package dgi

import (
	"cmp"
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

// Prefix is what the paths of the sandbox begin with: /uy/testing, /uy/production.
const Prefix = "/uy/"

const adminPrefix = "/admin/dgi/"

// maxBody bounds a request: an envelope of 2 MB with its escapes stays below.
const maxBody = 8 << 20

// Options of a server; Dir and CA are required.
type Options struct {
	// Dir holds its database and the key that signs CAEs and answers.
	Dir string
	// CA issued the certificates that it trusts.
	CA *sandbox.CA
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
	ca      *sandbox.CA
	numbers *Numbers
	store   store
	*desk.Desk
	*desk.Kept[Knobs]
}

// Open opens the state in o.Dir, or makes it.
func Open(ctx context.Context, o Options) (*Server, error) {
	if o.CA == nil || o.Dir == "" {
		return nil, errors.New("open sandbox of DGI: a folder and a certificate authority are needed")
	}
	s := &Server{ca: o.CA}
	s.Desk = desk.New(desk.Options{Name: "DGI", Prefix: adminPrefix, Example: recepcionSobre, Effects: effects, Now: o.Now,
		Zone: Zone, Logger: o.Logger, Links: o.Links})
	s.Kept = desk.Keep(o.Knobs, func(k Knobs) Knobs { return k }, Knobs.check)
	var err error
	if s.numbers, err = OpenNumbers(o.Dir, s.Now); err != nil {
		return nil, fmt.Errorf("open sandbox of DGI: %w", err)
	}
	if s.store.Database, err = desk.OpenDatabase(ctx, o.Dir, databaseFile, tables); err != nil {
		return nil, fmt.Errorf("open sandbox of DGI: %w", err)
	}
	return s, nil
}

// Close closes the database. Calls under way may fail.
func (s *Server) Close() error { return s.store.DB.Close() }

// Numbers gives out the CAEs that this sandbox knows.
func (s *Server) Numbers() *Numbers { return s.numbers }

// call is one request as it is worked on.
type call struct {
	*Server
	w           http.ResponseWriter
	r           *http.Request
	environment string
	message     message
	service     string
	seen        *desk.Call
	struck      []desk.Fault
}

// begin applies faults, those that documents are marked with among them. True: it was
// answered.
func (c *call) begin(marked ...desk.Fault) bool {
	c.struck = append(c.Strike(c.environment, c.message.operation, c.message.ruc), marked...)
	c.seen.Struck(c.struck)
	c.Logger.Debug("sandbox of DGI", "operation", c.message.operation, "environment", c.environment, "ruc", c.message.ruc)
	desk.Delay(c.r, c.Knobs().Latency)
	const page = "<html><head><title>DGI</title></head><body>El servicio no se encuentra disponible.<br></body></html>"
	if desk.Before(c.w, c.r, c.struck, page) {
		return true
	}
	if f, ok := desk.Find(c.struck, SOAPFault); ok {
		c.fault(cmp.Or(f.Code, "soapenv:Server"), cmp.Or(f.Text, "Error interno del servicio"))
		return true
	}
	if f, ok := desk.Find(c.struck, Error); ok {
		c.refuse(cmp.Or(f.Code, "99"), f.Text)
		return true
	}
	return false
}

// broken answers that the sandbox itself failed.
func (c *call) broken(err error) {
	desk.Broken(c.Logger, c.r, err, "sandbox of DGI", "operation", c.message.operation)
	http.Error(c.w, "Internal Server Error", http.StatusInternalServerError)
}

// ServeHTTP answers {environment}/ws_efactura and {environment}/ws_consultas below /uy/.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	environment, path, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, Prefix), "/")
	service, known := services[path]
	switch {
	case environment != Testing && environment != Production || !known:
		http.NotFound(w, r)
		return
	case r.Method == http.MethodGet && strings.EqualFold(r.URL.RawQuery, "wsdl"):
		// The description needs no certificate; what is in it is not copied here.
		w.Header().Set("Content-Type", "text/xml; charset=utf-8")
		_, _ = io.WriteString(w, `<definitions name="`+service+`" targetNamespace="`+namespaceWS+
			`" xmlns="http://schemas.xmlsoap.org/wsdl/"/>`)
		return
	case r.Method != http.MethodPost:
		w.Header().Set("Allow", http.MethodPost)
		http.Error(w, "SOAP, POST", http.StatusMethodNotAllowed)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	c := &call{Server: s, r: r, environment: environment, service: service,
		seen: &desk.Call{At: s.Now(), Environment: environment}}
	var done func()
	c.w, done = s.Watch(w, c.seen, body)
	defer done()
	c.serve(body)
}

// services by the last part of their path.
var services = map[string]string{"ws_efactura": "WS_eFactura", "ws_consultas": "WS_eFactura_Consultas"}

// The operations.
const (
	recepcionSobre       = "EFACRECEPCIONSOBRE"
	recepcionReporte     = "EFACRECEPCIONREPORTE"
	consultarEstadoEnvio = "EFACCONSULTARESTADOENVIO"
	consultarEstadoCFE   = "EFACCONSULTARESTADOCFE"
	actionPrefix         = "http://dgi.gub.uyaction/A"
)

func (c *call) serve(body []byte) {
	var err error
	c.message, err = readMessage(body, c.service)
	c.seen.Operation, c.seen.Company = c.message.operation, c.message.ruc
	c.seen.Hide(c.message.token)
	serve := map[string]func(){
		"WS_eFactura." + recepcionSobre: c.receiveEnvelope, "WS_eFactura." + consultarEstadoEnvio: c.envelopeState,
		"WS_eFactura." + recepcionReporte: c.receiveReport, "WS_eFactura_Consultas." + consultarEstadoCFE: c.documentState,
	}[c.service+"."+c.message.operation]
	action := actionPrefix + strings.ToUpper(c.service) + "." + c.message.operation
	switch {
	case err != nil:
		c.seen.Verdict = "refused: " + err.Error()
		c.fault("wsse:InvalidSecurity", err.Error())
	case serve == nil:
		c.fault("soapenv:Client", "no hay operacion "+c.message.operation)
	case strings.Trim(c.r.Header.Get("SOAPAction"), `"`) != action:
		c.fault("soapenv:Client", "SOAPAction no es "+action)
	case c.trusts(c.message.certificate) != nil:
		if !c.begin() {
			c.refuse("12", "")
		}
	case c.message.ruc == "":
		if !c.begin() {
			c.refuse("6", "")
		}
	default:
		serve()
	}
}
