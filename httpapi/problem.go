package httpapi

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strconv"

	"folio/fault"
	"folio/strict"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// ProblemType is the media type of every error answer (RFC 9457).
const ProblemType = "application/problem+json"

// TypeOf is the `type` of the problem with this constant: the page that explains it, relative
// to the service (RFC 9457 §3.1.1).
func TypeOf(constant string) string { return "/docs/errors/" + constant }

// problem is the answer of RFC 9457 with members of our own: code holds the text and message
// the constant.
type problem struct {
	Type      string      `json:"type"`
	Title     string      `json:"title"`
	Status    int         `json:"status"`
	Detail    string      `json:"detail"`
	Instance  string      `json:"instance"`
	Code      string      `json:"code"`
	Message   string      `json:"message"`
	Errors    []violation `json:"errors"`
	RequestID string      `json:"request_id"`
}

type violation struct {
	Path    string `json:"path"`
	Code    string `json:"code"`
	Message string `json:"message"`
}

// kinds is the one table from the kind of a fault to its HTTP status.
var kinds = map[fault.Code]kind{
	fault.Unparsable:   {http.StatusBadRequest, "The request cannot be parsed", "La petición no se puede leer"},
	fault.Unauthorized: {http.StatusUnauthorized, "A valid credential is needed", "Se necesita una credencial válida"},
	fault.Forbidden: {http.StatusForbidden, "The credential does not allow this",
		"La credencial no permite esto"},
	fault.NotFound: {http.StatusNotFound, "Not found", "No se encontró"},
	fault.NoMethod: {http.StatusMethodNotAllowed, "The method is not allowed here", "El método no se admite aquí"},
	fault.Conflict: {http.StatusConflict, "The present state does not allow this",
		"El estado actual no permite esto"},
	fault.TooLarge: {http.StatusRequestEntityTooLarge, "The request is too large", "La petición es demasiado grande"},
	fault.WrongType: {http.StatusUnsupportedMediaType, "The content type is not supported",
		"El tipo de contenido no se admite"},
	fault.NoRange: {http.StatusRequestedRangeNotSatisfiable, "The file has no such part",
		"El archivo no tiene esa parte"},
	fault.Invalid: {http.StatusUnprocessableEntity, "The request has fields to correct",
		"La petición tiene campos por corregir"},
	fault.TooMany:     {http.StatusTooManyRequests, "Too many requests", "Demasiadas peticiones"},
	fault.Unavailable: {http.StatusServiceUnavailable, "Not available right now", "No disponible en este momento"},
}

// internal is the kind of an error that is no fault.
var internal = kind{http.StatusInternalServerError, "Internal error", "Error interno"}

// kind is the status of answers and what they have in common, in English and Spanish.
type kind struct {
	status         int
	title, spanish string
}

// Status is the HTTP status of err's fault, 500 for an error without one.
func Status(err error) int {
	if f := fault.As(err); f != nil {
		if k, ok := kinds[f.Code]; ok {
			return k.status
		}
	}
	return http.StatusInternalServerError
}

// Titled is the title and status of answers of a kind; of any other kind, those of an error
// that is no fault.
func Titled(of fault.Code) (title string, status int) {
	k := kindOf(of)
	return k.title, k.status
}

// SpanishTitle is the title in Spanish.
func SpanishTitle(of fault.Code) string { return kindOf(of).spanish }

func kindOf(of fault.Code) kind {
	if k, ok := kinds[of]; ok {
		return k
	}
	return internal
}

// Handler is an HTTP handler that returns its error instead of writing it.
type Handler func(w http.ResponseWriter, r *http.Request) error

// ServeHTTP answers with Fail when h returns an error.
func (h Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if err := h(w, r); err != nil {
		Fail(w, r, err)
	}
}

// Fail answers with the problem document of err. An error that is no fault is
// logged with the request id and shown only as INTERNAL_ERROR. When the answer
// has already begun nothing more is written.
func Fail(w http.ResponseWriter, r *http.Request, err error) {
	x := exchangeOf(r.Context())
	f, k := x.classified(r, err)
	status := k.status
	if rec, ok := w.(*recorder); ok && rec.status != 0 {
		return
	}
	if status == http.StatusRequestEntityTooLarge {
		drain(w, r)
	}
	h := w.Header()
	for _, name := range []string{"Content-Length", "Content-Encoding", "Content-Disposition", "ETag", "Location",
		"Last-Modified"} {
		h.Del(name)
	}
	h.Set("Content-Type", ProblemType)
	if s := retryAfter(f); s > 0 {
		h.Set("Retry-After", strconv.Itoa(s))
	}
	if status == http.StatusUnauthorized && h.Get("WWW-Authenticate") == "" {
		h.Set("WWW-Authenticate", challengeBearer)
	}
	Localized(h, InSpanish(r))
	body := lined(encodeProblem(r, x.id, f, k))
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body) // the only failure is a client that has gone
}

// classified is what may be shown of err, in the language of the caller. What is hidden is
// logged with the request's id.
func (x *exchange) classified(r *http.Request, err error) (*fault.Error, kind) {
	f, k := classify(r.Context(), err)
	x.failed = f.Constant
	if refused := (*RefusedCredential)(nil); errors.As(err, &refused) {
		x.refused = refused.Whose
	}
	// What is hidden from the caller, made milder or the cause of a fault, must not be
	// lost; a client that has gone is no failure of ours.
	if err != error(f) && k.status >= http.StatusInternalServerError && r.Context().Err() == nil {
		level := slog.LevelError
		if k.status == http.StatusServiceUnavailable { // whoever owns what is away tells of it
			level = slog.LevelWarn
		}
		x.log.LogAttrs(r.Context(), level, "request failed", slog.String("request_id", x.id),
			slog.String("method", r.Method), slog.String("route", routePattern(r)), slog.Any("error", err))
	}
	advice := " Where an Idempotency-Key is accepted, use the same one."
	if InSpanish(r) {
		f, k.title = x.spanish.fault(f), k.spanish
		advice = " Donde se admite una Idempotency-Key, use la misma."
	}
	if f.Unsure && r.Method != http.MethodGet && r.Method != http.MethodHead {
		advised := *f
		advised.Text += advice
		f = &advised
	}
	return f, k
}

// classify finds what may be shown of err.
func classify(ctx context.Context, err error) (*fault.Error, kind) {
	if f := fault.As(err); f != nil {
		if k, ok := kinds[f.Code]; ok {
			return f, k
		}
	}
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		f := strict.BodyTooLarge(tooLarge.Limit)
		return f, kinds[f.Code]
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled) && ctx.Err() != nil:
		f := &fault.Error{Code: fault.Unavailable, Constant: "TIMED_OUT", RetryAfter: 1, Unsure: true,
			Text: "The service did not finish in time. Send the request again."}
		return f, kinds[f.Code]
	}
	return fault.New("internal", "INTERNAL_ERROR",
		"Something went wrong on our side. Try again, and give the request_id to support if it stays."), internal
}

// retryAfter is the wait of f: 429 and 503 always carry one.
func retryAfter(f *fault.Error) int {
	if f.RetryAfter <= 0 && (f.Code == fault.TooMany || f.Code == fault.Unavailable) {
		return 1
	}
	return f.RetryAfter
}

func encodeProblem(r *http.Request, id string, f *fault.Error, k kind) []byte {
	p := problem{
		Type:  TypeOf(f.Constant),
		Title: k.title, Status: k.status, Detail: f.Text, Instance: strict.Shorten(r.URL.EscapedPath(), 256),
		Code: f.Text, Message: f.Constant, RequestID: id, Errors: make([]violation, len(f.Violations)),
	}
	for i, v := range f.Violations {
		p.Errors[i] = violation(v)
	}
	// Paths and texts may hold foreign bytes, which must not turn a 422 into a 500.
	body, err := json.Marshal(p, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return []byte(`{"status":` + strconv.Itoa(k.status) + `}`)
	}
	return body
}

// ErrNotReached: a read model does not show yet what the answer needs.
var ErrNotReached error = &fault.Error{Code: fault.Unavailable, Constant: "POSITION_NOT_REACHED", RetryAfter: 1,
	Text: "The read model has not reached the position that this needs yet. Ask again in a moment."}
