package arca

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"folio/authority"
	"folio/authority/wire"
)

// Options of a client; Endpoints is required.
type Options struct {
	Endpoints Endpoints
	// HTTP is NewHTTPClient(0) when nil.
	HTTP *http.Client
	// Vault keeps tickets across restarts; nil keeps them in memory only.
	Vault wire.Vault
	// Now is time.Now when nil.
	Now func() time.Time
	Log *slog.Logger
}

// Client speaks to one environment. It is safe for concurrent use.
type Client struct {
	endpoints Endpoints
	http      *http.Client
	now       func() time.Time
	tickets   *wire.Tickets
}

// New makes a client. It does no I/O.
func New(o Options) *Client {
	client, now := wire.Ready(o.HTTP, o.Now, CipherSuites...)
	return &Client{endpoints: o.Endpoints, http: client, now: now, tickets: newTickets(o.Vault, now, o.Log)}
}

// Exchange is one call of WSFEv1 as it went over the line, with Token and Sign left
// out of it. Bodies longer than wire.MaxKept are cut. Logins are never recorded.
type Exchange struct {
	authority.Exchange
	Ambiente string // as the service announced itself
}

// Session is a client that acts for one taxpayer with one certificate.
type Session struct {
	client *Client
	cred   Credential
	cuit   int64
	record func(Exchange)
}

// Session acts for cuit. record, if not nil, hears every call of WSFEv1 once it is over,
// whatever came of it.
func (c *Client) Session(cred Credential, cuit int64, record func(Exchange)) *Session {
	if record == nil {
		record = func(Exchange) {}
	}
	return &Session{client: c, cred: cred, cuit: cuit, record: record}
}

// web is one of the services of vouchers.
type web struct {
	service   string // as WSAA knows it
	namespace string
	url       func(Endpoints) string
}

var (
	wsfe  = web{ServiceInvoices, namespaceWSFE, func(e Endpoints) string { return e.WSFE }}
	wsfex = web{ServiceExports, namespaceWSFEX, func(e Endpoints) string { return e.WSFEX }}
	wscdc = web{ServiceConstatation, namespaceWSCDC, func(e Endpoints) string { return e.WSCDC }}
)

type auth struct {
	Token string `xml:"Token,omitempty"`
	Sign  string `xml:"Sign,omitempty"`
	Cuit  int64  `xml:"Cuit"`
	Args  []byte `xml:",innerxml"` // FEXGetLast_CMP has its arguments in here
}

// request is one call of a service: the operation and its arguments as raw XML.
type request struct {
	web
	op         string
	args       []byte
	insideAuth bool // where the arguments stand
}

// body writes the request with a ticket, or without one when a is nil.
func (r request) body(a *auth) ([]byte, error) {
	op := operation{XMLName: xml.Name{Space: r.namespace, Local: r.op}, Auth: a, Args: r.args}
	if a != nil && r.insideAuth {
		within := *a
		within.Args, op.Auth, op.Args = r.args, &within, nil
	}
	return envelope(op)
}

// operation is any request: Auth, then the arguments as raw XML.
type operation struct {
	XMLName xml.Name
	Auth    *auth  `xml:"Auth"`
	Args    []byte `xml:",innerxml"`
}

// failures are the two lists that every result has.
type failures struct {
	Errors []Message `xml:"Errors>Err"`
	Events []Message `xml:"Events>Evt"`
}

func (f failures) lists() failures { return f }

type result interface{ lists() failures }

// call performs an operation with a ticket. A refusal of the ticket replaces it and
// repeats the call once: with such an answer nothing was processed. A refusal as a
// whole (Errors without a usable result, as judged by whole) is *Refused.
func call[R result](ctx context.Context, s *Session, r request, whole func(R) bool) (R, error) {
	var zero R
	login := s.client.login(s.cred, r.service)
	ticket, err := s.client.tickets.Get(ctx, login)
	if err != nil {
		return zero, &NotSent{r.op, err}
	}
	for again := true; ; again = false {
		res, err := once[R](ctx, s.client, r, &auth{Token: ticket.Token, Sign: ticket.Sign, Cuit: s.cuit}, s.record)
		if err != nil {
			return zero, err
		}
		refused := &Refused{r.op, plain(res.lists().Errors)}
		if len(refused.Errors) == 0 || !whole(res) && !refused.token() {
			return res, nil
		}
		if !refused.token() || !again {
			return zero, refused
		}
		ticket, err = s.client.tickets.Renew(ctx, login, ticket, refused.unrepresented())
		if errors.Is(err, wire.ErrRenewed) {
			return zero, refused
		}
		if err != nil {
			return zero, &NotSent{r.op, errors.Join(err, refused)}
		}
	}
}

// always judges that errors refuse the whole request.
func always[R result](R) bool { return true }

// once performs one call and records it.
func once[R any](ctx context.Context, c *Client, q request, a *auth, record func(Exchange)) (R, error) {
	var zero R
	x := Exchange{Exchange: authority.Exchange{Operation: q.op, At: c.now()}}
	body, err := q.body(a)
	if err != nil {
		return zero, &NotSent{q.op, err}
	}
	var shown *auth
	if a != nil {
		shown = &auth{Cuit: a.Cuit}
	}
	if x.Request, err = q.body(shown); err != nil {
		return zero, &NotSent{q.op, err}
	}
	x.Request = keep(x.Request, nil)
	r, err := post(ctx, c.http, wire.Request{Operation: q.op, URL: q.url(c.endpoints), Body: body}, q.namespace+q.op)
	x.Answer = keep(r.Body, a)
	var res R
	if err == nil {
		res, x.Ambiente, err = decode[R](q.op, r)
	}
	wire.Tell(func(told authority.Exchange) {
		x.Exchange = told
		x.Result = callResult(res, err)
		record(x)
	}, x.Exchange, err)
	return res, err
}

// callResult is that of an exchange: whether a service failed stands in the result where the request was understood.
func callResult(res any, err error) authority.CallResult {
	r, ok := res.(result)
	if err != nil || !ok {
		return authority.CallResultOf(translate(err))
	}
	if (&Refused{Errors: r.lists().Errors}).broken() {
		return authority.Broken
	}
	return authority.Answered
}

// decode reads the result of op.
func decode[R any](op string, r reply) (R, string, error) {
	var zero R
	env, err := read[struct {
		XMLName xml.Name
		Result  *R `xml:",any"`
	}](r)
	if err != nil {
		return zero, "", &Ambiguous{op, err}
	}
	ambiente := env.Header.Info.Ambiente
	if f := env.Body.Fault; f != nil {
		fault := &SOAPFault{op, f.code(), f.text()}
		if f.blamesRequest() {
			return zero, ambiente, fault
		}
		return zero, ambiente, &Ambiguous{op, fault}
	}
	if got := env.Body.Inner.XMLName.Local; got != op+"Response" || env.Body.Inner.Result == nil {
		return zero, ambiente, &Ambiguous{op, errors.New("the answer holds no result, but <" + got + ">")}
	}
	return *env.Body.Inner.Result, ambiente, nil
}

// keep copies a body within bounds. Should an answer repeat the ticket, it is blotted out.
func keep(body []byte, a *auth) []byte {
	if a == nil {
		return wire.Keep(body)
	}
	return wire.Keep(body, a.Token, a.Sign)
}

// args writes the arguments of an operation one after the other.
func args(vs ...any) ([]byte, error) {
	var out bytes.Buffer
	for _, v := range vs {
		b, err := xml.Marshal(v)
		if err != nil {
			return nil, err
		}
		out.Write(b)
	}
	return out.Bytes(), nil
}
