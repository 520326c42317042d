package httpapi

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"folio/admission"
	"folio/fault"

	"github.com/go-chi/chi/v5"
	lru "github.com/hashicorp/golang-lru/v2"
)

// Config is what the router needs. Only Auth and Limiter have no default.
type Config struct {
	// Auth checks the credentials of every request.
	Auth Authenticator
	// Members knows what accounts may in companies; nil: only keys act on a company.
	Members Members
	// Seen is told of what those read, or are refused, that may only read, before they are answered; nil: nobody is.
	Seen Seen
	// Limiter counts every request; nil limits nothing.
	Limiter *Limiter
	// Proxies are believed when they say whom a request comes from.
	Proxies Proxies
	// Bodies admits to the memory of requests' bodies, counted in bytes; nil admits all.
	Bodies *admission.Gate
	// Spanish says texts of faults to who asks for Spanish; nil: all are English.
	Spanish Spanish
	// Context is what requests are under, made of what the server gave them; nil: that.
	Context func(context.Context) context.Context
	// Answered is told of each request that was answered; nil: nobody is told.
	Answered func(Answered)
	// Log takes the access log and internal errors; nil means slog.Default.
	Log *slog.Logger
	// Operations are paths answered before authentication and rate limit, and
	// without an access log: health and metrics.
	Operations map[string]http.Handler
	// Local are like Operations for callers on this machine; for others the paths are not
	// there.
	Local map[string]http.Handler
	// Clock is time.Now unless given.
	Clock func() time.Time
	// NewID makes request ids; nil means a ULID.
	NewID func(at time.Time) string
}

// Answered is a request that was answered.
type Answered struct {
	Method, Route string // the route is the pattern that matched, "" for none
	Status        int
	Began         time.Time
	Took          time.Duration
	RequestID     string
	Caller        Principal // the zero value: nobody that is known
	Fault         string    // constant of the problem, "" for none
}

type service struct {
	auth    Authenticator
	limiter *Limiter
	log     *slog.Logger
	clock   func() time.Time
	newID   func(time.Time) string
	proxies Proxies
	members Members
	seen    Seen
	bodies  *admission.Gate
	spanish Spanish
	proven  *lru.Cache[digest, string] // the budgets of credentials that were good
	warned  sync.Once
	told    func(Answered)
	context func(context.Context) context.Context
	routes  sync.Pool // *chi.Context
}

// Router takes the routes of the API, and answers.
type Router struct {
	*chi.Mux
	front http.Handler
}

// ServeHTTP implements http.Handler.
func (m *Router) ServeHTTP(w http.ResponseWriter, r *http.Request) { m.front.ServeHTTP(w, r) }

// NewRouter is the router that writeapi and readapi add their routes to. Every
// answer, also that of an unknown path, carries X-Request-Id and, unless it is one
// of Operations, the RateLimit fields. The order is: request id, recovery, access
// log; rate limit and credentials; route; the route's own Require middleware; handler.
// HEAD is answered wherever GET is.
func NewRouter(c Config) *Router {
	s := &service{auth: c.Auth, limiter: c.Limiter, log: c.Log, clock: c.Clock, newID: c.NewID,
		proxies: c.Proxies, bodies: c.Bodies, members: c.Members, seen: c.Seen, spanish: c.Spanish, told: c.Answered,
		context: c.Context}
	var err error
	if s.proven, err = lru.New[digest, string](provenCredentials); err != nil {
		panic(err) // only for a size below 1
	}
	if s.log == nil {
		s.log = slog.Default()
	}
	if s.clock == nil {
		s.clock = time.Now
	}
	if s.newID == nil {
		s.newID = newULID
	}
	if s.told == nil {
		s.told = func(Answered) {}
	}
	if s.context == nil {
		s.context = same
	}
	if s.auth == nil {
		s.auth = noAuthenticator{}
	}
	mux := chi.NewRouter()
	mux.Use(s.admitted, named, headAsGet)
	mux.NotFound(func(w http.ResponseWriter, r *http.Request) { Fail(w, r, ErrNoRoute) })
	mux.MethodNotAllowed(func(w http.ResponseWriter, r *http.Request) { noMethod(w, r, mux) })
	for path, h := range c.Operations {
		// Without any route chi would skip its middleware.
		mux.Handle(path, h)
	}
	s.routes.New = func() any { return chi.NewRouteContext() }
	return &Router{mux, operations(c)(s.identified(mux))}
}

// Browses says whether a person's browser asks: it names HTML among what it takes, which a program that calls the API
// does not.
func Browses(r *http.Request) bool { return strings.Contains(r.Header.Get("Accept"), "text/html") }

// ErrNoRoute is the fault of a path that the API does not have.
var ErrNoRoute = fault.New(fault.NotFound, "NO_SUCH_PATH",
	"The API has no such path. Compare it with the API document: paths are case-sensitive and have no slash at the end.")

// noMethod answers 405; chi keeps its list of methods from custom handlers, so the
// routes are asked.
func noMethod(w http.ResponseWriter, r *http.Request, routes chi.Routes) {
	path := r.URL.Path
	if r.URL.RawPath != "" {
		path = r.URL.RawPath
	}
	var allowed []string
	for _, m := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete} {
		if routes.Match(chi.NewRouteContext(), m, path) {
			allowed = append(allowed, m)
			if m == http.MethodGet {
				allowed = append(allowed, http.MethodHead)
			}
		}
	}
	if len(allowed) == 0 { // an unknown method on an unknown path
		Fail(w, r, ErrNoRoute)
		return
	}
	list := strings.Join(allowed, ", ")
	w.Header().Set("Allow", list)
	Fail(w, r, fault.New(fault.NoMethod, "METHOD_NOT_ALLOWED", "This path does not take that method. It takes: "+list+"."))
}

func operations(c Config) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			h, ok := c.Local[r.URL.Path]
			if !ok || !c.Proxies.Local(r) {
				h, ok = c.Operations[r.URL.Path]
			}
			if ok {
				h.ServeHTTP(w, r)
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}

// named refuses a path with an empty part: an id that is missing names nothing, neither the
// company of the key nor all of them.
func named(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.EscapedPath(), "//") {
			Fail(w, r, ErrNoRoute)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func headAsGet(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if rctx := chi.RouteContext(r.Context()); rctx != nil && r.Method == http.MethodHead {
			rctx.RouteMethod = http.MethodGet // net/http drops the body
		}
		next.ServeHTTP(w, r)
	})
}

// noAuthenticator refuses everyone.
type noAuthenticator struct{}

func (noAuthenticator) Bearer(context.Context, string) (Principal, error) {
	return Principal{}, ErrBadCredential
}

func (noAuthenticator) Key(context.Context, string) (Principal, error) {
	return Principal{}, ErrBadCredential
}

// maxID bounds identifiers in paths; ULIDs have 26 characters.
const maxID = 64

// PathID is the identifier that the route's pattern names, such as "invoice_id".
// One that no resource can have (other than letters, digits, '-' and '_', at most
// 64) is not found, so that no foreign byte reaches a stream's name.
func PathID(r *http.Request, name string) (string, error) {
	id := chi.URLParam(r, name)
	if !plainID(id) {
		return "", fault.New(fault.NotFound, "NOT_FOUND", "There is no such resource, or it is not yours.")
	}
	return id, nil
}

func plainID(id string) bool {
	for i := range len(id) {
		c := id[i]
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_') {
			return false
		}
	}
	return len(id) > 0 && len(id) <= maxID
}
