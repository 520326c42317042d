package arca

import (
	"context"
	"net/http"
	"strings"

	"folio/sandbox/desk"
)

// handler answers one operation: it writes what stands inside of the Result element.
type handler func(*Server, context.Context, *call, *reader, *out) error

// service is one of ARCA's ASMX services.
type service struct {
	name       string // as WSAA knows it
	namespace  string
	release    string // FEHeaderInfo/id as last seen live
	dummy      string // the operation without Auth
	authorize  string // the operation that issues
	operations map[string]handler
	coded      func(code int) Message
	// refuse is a result that refuses the request as a whole.
	refuse func(operation string, ms ...Message) string
	// unauthorized words a refusal of the ticket, given as WSFEv1 does.
	unauthorized func(Message) Message
	// marks finds the documents of a request to authorize.
	marks func(*reader, *node) []carrier
	// series is the one that a request to authorize is for.
	series func(*reader, *call) series
}

// call is one operation of a service under way.
type call struct {
	service     *service
	environment string
	operation   string
	node        *node
	cuit        int64
	knobs       Knobs
	struck      []Fault
	marked      []desk.Marked
	seen        *desk.Call
}

func (c *call) issuer() issuer { return issuer{c.environment, c.cuit} }

func (svc *service) known(operation string) bool {
	return svc.operations[operation] != nil || operation == svc.dummy
}

// serveService answers the operations of a service with ASMX's tolerances: the action
// header may be missing but not wrong, a document that is cut off is HTTP 400, a
// number that is none is a fault, every refusal of the business is HTTP 200.
func (s *Server) serveService(svc *service) func(http.ResponseWriter, *http.Request, string, []byte) {
	return func(w http.ResponseWriter, r *http.Request, environment string, body []byte) {
		desk.Delay(r, s.Knobs().Latency)
		seen := &desk.Call{At: s.Now(), Environment: environment, Service: svc.name}
		w, done := s.Watch(w, seen, body)
		defer done()
		v := versionOf(r)
		root, err := parse(body)
		if err != nil {
			seen.Verdict = "not XML"
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		action := actionOf(r)
		n := svc.operationOf(root)
		switch {
		case action != "" && !svc.known(strings.TrimPrefix(action, svc.namespace)):
			seen.Verdict = "unknown SOAPAction"
			v.fault(w, "System.Web.Services.Protocols.SoapException: Server did not recognize the value of HTTP Header "+
				"SOAPAction: "+action+".")
		case n == nil:
			seen.Verdict = "no operation"
			v.fault(w, "Server was unable to read request. ---> the Body holds no operation of this service.")
		default:
			s.serveCall(w, r, v, &call{service: svc, environment: environment, node: n, operation: n.name.Local,
				knobs: s.Knobs(), seen: seen})
		}
	}
}

// serveCall applies the faults that strike a call and performs it.
func (s *Server) serveCall(w http.ResponseWriter, r *http.Request, v version, c *call) {
	read := &reader{space: c.service.namespace}
	auth := read.child(c.node, "Auth")
	c.cuit = read.int(auth, "Cuit", 64)
	c.seen.Operation, c.seen.Company = c.operation, text(c.cuit)
	c.seen.Hide(read.text(auth, "Token"), read.text(auth, "Sign"))
	c.struck = s.Strike(c.environment, c.operation, c.seen.Company)
	s.readMarks(c, read)
	c.seen.Struck(c.struck)
	if s.before(w, r, c) {
		return
	}
	result, err := s.result(r.Context(), c, read, auth)
	switch {
	case read.err != nil:
		c.seen.Verdict = read.err.Error()
		v.fault(w, "Server was unable to read request. ---> System.InvalidOperationException: There is an error in XML "+
			"document (1, 1). ---> System.FormatException: Input string was not in a correct format. ("+read.err.Error()+")")
		return
	case err != nil:
		desk.Broken(s.Logger, r, err, "sandbox of ARCA", "operation", c.operation)
		result = c.refuse(Message{501, "Error interno de base de datos: - Metodo " + c.operation})
	}
	s.Logger.DebugContext(r.Context(), "sandbox of ARCA", "environment", c.environment, "operation", c.operation, "cuit",
		c.cuit)
	desk.Answer(w, r, c.struck, desk.Reply{Status: http.StatusOK, ContentType: v.contentType,
		Body: v.answer(c.service, c.operation, result, s.calendar())})
}

// result is what stands inside of the operation's Result element.
func (s *Server) result(ctx context.Context, c *call, read *reader, auth *node) (string, error) {
	if c.operation == c.service.dummy {
		return "<AppServer>OK</AppServer><DbServer>OK</DbServer><AuthServer>OK</AuthServer>", nil
	}
	if read.err != nil {
		return "", nil
	}
	if no := s.checkAuth(c, read, auth); no != nil {
		return c.refuse(c.service.unauthorized(*no)), nil
	}
	if f, ok := desk.Find(c.struck, Error); ok {
		return c.refuse(message(f, c.service)), nil
	}
	var o out
	err := c.service.operations[c.operation](s, ctx, c, read, &o)
	return o.String(), err
}

// refuse is a result that refuses the request as a whole.
func (c *call) refuse(ms ...Message) string {
	c.seen.Verdict = "refused: " + joined(ms)
	return c.service.refuse(c.operation, ms...)
}

// before applies the faults that keep a call from being processed as it is. True: it
// was answered.
func (s *Server) before(w http.ResponseWriter, r *http.Request, c *call) bool {
	for _, f := range c.struck {
		if f.Effect == TakeNumber {
			if err := s.takeNext(r.Context(), c); err != nil {
				desk.Broken(s.Logger, r, err, "sandbox of ARCA: take a number")
			}
			continue
		}
		const page = "<html><head><title>Mantenimiento</title></head><body>El servicio no se encuentra " +
			"disponible.<br></body></html>"
		if desk.Before(w, r, []Fault{f}, page) {
			return true
		}
	}
	return false
}

func actionOf(r *http.Request) string {
	if action := strings.Trim(r.Header.Get("Soapaction"), `"`); action != "" {
		return action
	}
	_, action, _ := strings.Cut(r.Header.Get("Content-Type"), "action=")
	return strings.Trim(action, `"`)
}

func (svc *service) operationOf(root *node) *node {
	body := root.child("", "Body")
	if body == nil {
		return nil
	}
	for _, c := range body.children {
		if c.name.Space == svc.namespace && svc.known(c.name.Local) {
			return c
		}
	}
	return nil
}
