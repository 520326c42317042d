package httpapi

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"folio/strict"

	"github.com/go-chi/chi/v5"
	"github.com/oklog/ulid/v2"
)

// newULID is the default source of request ids.
func newULID(at time.Time) string {
	return ulid.MustNew(ulid.Timestamp(at), ulid.DefaultEntropy()).String()
}

// identified gives every request its id, turns a panic into a 500 and writes the
// access log. It never reads an id from the client.
func (s *service) identified(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		at := s.clock()
		route, _ := s.routes.Get().(*chi.Context)
		route.Reset()
		x := &exchange{Context: s.context(r.Context()), route: route, id: s.newID(at), started: at, log: s.log,
			held: held{bodies: s.bodies}, members: s.members, seen: s.seen, spanish: s.spanish, again: s.context,
			recorder: recorder{ResponseWriter: w}}
		r = r.WithContext(x)
		h := w.Header()
		// Canonical form of these names; setting the map saves looking for it.
		x.names = [...]string{x.id}
		h["X-Request-Id"] = x.names[:]
		h["X-Content-Type-Options"] = noSniff
		h["Cache-Control"] = noStore
		h["Vary"] = varies
		rec := &x.recorder
		defer func() {
			x.end()
			broken := recovered(recover(), rec, r)
			a := Answered{Method: r.Method, Route: routePattern(r), Status: rec.code(), Began: x.started,
				Took: s.clock().Sub(x.started), RequestID: x.id, Caller: x.caller, Fault: x.failed}
			s.told(a)
			s.logAccess(r.Context(), a, x)
			s.routes.Put(route)
			if broken {
				// The answer had begun: only a cut connection tells the client.
				panic(http.ErrAbortHandler)
			}
		}()
		next.ServeHTTP(rec, r)
	})
}

// What every answer says. Answers hold tokens, keys and tax data: no shared cache may keep them.
var noSniff, noStore = []string{"nosniff"}, []string{"no-store"}

// recovered answers a panic with 500 and says whether the answer is broken.
func recovered(p any, rec *recorder, r *http.Request) (broken bool) {
	if p == nil {
		return false
	}
	//nolint:errorlint // net/http compares this very value
	if p == http.ErrAbortHandler {
		return true
	}
	began := rec.status != 0
	Fail(rec, r, fmt.Errorf("panic: %v\n%s", p, debug.Stack()))
	return began
}

// logAccess writes one line of what a support call names: who asked for what, from where, and what came of it. It has
// no headers, query, path or body, so nothing secret and no tax identifier. What a caller is not is left out.
func (s *service) logAccess(ctx context.Context, a Answered, x *exchange) {
	if !s.log.Enabled(ctx, slog.LevelInfo) {
		return
	}
	line := [...]slog.Attr{slog.String("method", strict.Shorten(a.Method, 16)), slog.String("route", a.Route),
		slog.Int("status", a.Status), slog.Int64("bytes", x.bytes),
		slog.Float64("ms", float64(a.Took.Microseconds())/1000), slog.String("request_id", x.id), {}, {}, {}, {}, {}}
	n := 6
	for _, told := range [...]struct{ name, value string }{{"caller", a.Caller.Actor()}, {"company", a.Caller.Company},
		{"address", strings.TrimPrefix(x.address, addressPrefix)}, {"error", a.Fault},
		{"refused", x.refused.Actor()}} {
		if told.value != "" {
			line[n] = slog.String(told.name, told.value)
			n++
		}
	}
	// What LogAttrs does besides is to look for the line of the program that called it.
	record := slog.NewRecord(a.Began.Add(a.Took), slog.LevelInfo, "request", 0)
	record.AddAttrs(line[:n]...)
	_ = s.log.Handler().Handle(ctx, record) // LogAttrs drops that error, too
}

// recorder notes what was answered.
type recorder struct {
	http.ResponseWriter
	status int
	bytes  int64
}

func (w *recorder) WriteHeader(status int) {
	if w.status == 0 && status >= http.StatusOK {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *recorder) Write(b []byte) (int, error) {
	w.status = cmp.Or(w.status, http.StatusOK)
	n, err := w.ResponseWriter.Write(b)
	w.bytes += int64(n)
	return n, err
}

// Unwrap lets http.ResponseController reach the connection.
func (w *recorder) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *recorder) code() int {
	if w.status == 0 {
		return http.StatusOK
	}
	return w.status
}
