package httpapi

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"
)

// exchange is what the layers of one request share. One pointer in the context
// saves a new context per layer.
type exchange struct {
	id      string
	started time.Time
	log     *slog.Logger
	bearer  credential
	key     credential
	caller  Principal
	reads   bool // GET or HEAD
	members Members
	seen    Seen
	spanish Spanish
	held
}

type exchangeKey struct{}

// exchangeOf never returns nil, so that a handler also works without the router.
func exchangeOf(ctx context.Context) *exchange {
	if x, ok := ctx.Value(exchangeKey{}).(*exchange); ok {
		return x
	}
	return &exchange{log: slog.Default()}
}

// RequestID is the id that the server gave this request, a ULID. A client cannot
// choose it. Empty outside a request.
func RequestID(ctx context.Context) string { return exchangeOf(ctx).id }

// OnlyReads says that the request is a GET or HEAD, which changes nothing.
func OnlyReads(ctx context.Context) bool { return exchangeOf(ctx).reads }

// Reading is ctx of a request that only reads, for whoever calls without the router.
func Reading(ctx context.Context) context.Context {
	return context.WithValue(ctx, exchangeKey{}, &exchange{log: slog.Default(), reads: true})
}

// Started is when this request arrived, the one reading of the clock that
// everything in it shares. Zero outside a request.
func Started(ctx context.Context) time.Time { return exchangeOf(ctx).started }

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
