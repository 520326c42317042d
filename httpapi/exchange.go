package httpapi

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"
)

// exchange is what the layers of one request share. It is the context of the request, which saves a context and a copy
// of the request for each layer.
type exchange struct {
	context.Context
	route   *chi.Context
	id      string
	names   [1]string // the id, as a header's value
	started time.Time
	log     *slog.Logger
	bearer  credential
	key     credential
	caller  Principal
	refused Principal // whose the credential was that was not taken
	reads   bool      // GET or HEAD
	at      time.Time // that its facts bear, where that is not when it arrived
	body    any       // that was read: *strict.Body or *strict.Form
	onBody  func(Content) error
	keyAsks int // how often the Idempotency-Key was asked for
	members Members
	seen    Seen
	spanish Spanish
	failed  string                                // constant of the fault that it was answered with
	charge  func() Decision                       // counts one more call of the request's budget
	again   func(context.Context) context.Context // what another call in this request is under
	recorder
	held
}

type exchangeKey struct{}

// Value implements context.Context.
func (x *exchange) Value(key any) any {
	switch key {
	case exchangeKey{}:
		return x
	case any(chi.RouteCtxKey):
		return x.route
	}
	return x.Context.Value(key)
}

// exchangeOf never returns nil, so that a handler also works without the router.
func exchangeOf(ctx context.Context) *exchange {
	if x, ok := ctx.Value(exchangeKey{}).(*exchange); ok {
		return x
	}
	return &exchange{log: slog.Default(), again: same}
}

func same(ctx context.Context) context.Context { return ctx }

// RequestID is the id that the server gave this request, a ULID. A client cannot
// choose it. Empty outside a request.
func RequestID(ctx context.Context) string { return exchangeOf(ctx).id }

// OnlyReads says that the request is a GET or HEAD, which changes nothing.
func OnlyReads(ctx context.Context) bool { return exchangeOf(ctx).reads }

// Reading is ctx of a request that only reads, for whoever calls without the router.
func Reading(ctx context.Context) context.Context {
	return context.WithValue(ctx, exchangeKey{}, &exchange{log: slog.Default(), again: same, reads: true})
}

// Started is when this request arrived, or when the one arrived that it repeats: the one
// reading of the clock that everything in it shares. Zero outside a request.
func Started(ctx context.Context) time.Time {
	x := exchangeOf(ctx)
	if !x.at.IsZero() {
		return x.at
	}
	return x.started
}

// Repeats says that the request repeats one that started at the time.
func Repeats(ctx context.Context, at time.Time) { exchangeOf(ctx).at = at }

// Content is a body that was read: two of the same content have the same canonical bytes, in
// whatever form they came.
type Content interface{ Canonical() ([]byte, error) }

// OnBody has f told of the body, JSON or form, when the handler reads it; its error becomes that
// of reading. A body is read once: whoever reads it again gets the same.
func OnBody(ctx context.Context, f func(Content) error) { exchangeOf(ctx).onBody = f }

// bodyOf is what read gives, or what it gave before.
func bodyOf[B Content](r *http.Request, read func() (B, error)) (b B, err error) {
	x := exchangeOf(r.Context())
	b, known := x.body.(B)
	if !known {
		if b, err = read(); err != nil {
			return b, err
		}
		x.body = b
	}
	if x.onBody != nil {
		err = x.onBody(b)
	}
	return b, err
}

// Log is the service's logger with this request's id.
func Log(ctx context.Context) *slog.Logger {
	x := exchangeOf(ctx)
	return x.log.With(slog.String("request_id", x.id))
}

func routePattern(r *http.Request) string {
	if rctx := chi.RouteContext(r.Context()); rctx != nil {
		return rctx.RoutePattern()
	}
	return ""
}
