package httpapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"folio/fault"
	"folio/scope"
)

func TestEveryKindOfFaultHasItsStatus(t *testing.T) {
	for code, want := range map[fault.Code]int{
		fault.Unparsable: 400, fault.Unauthorized: 401, fault.Forbidden: 403, fault.NotFound: 404, fault.NoMethod: 405,
		fault.Conflict: 409, fault.TooLarge: 413, fault.WrongType: 415, fault.Invalid: 422, fault.TooMany: 429,
		fault.Unavailable: 503, "something else": 500,
	} {
		if got := Status(fmt.Errorf("wrapped: %w", fault.New(code, "X", "x"))); got != want {
			t.Errorf("%s gives %d, want %d", code, got, want)
		}
	}
}

func TestProblemHasEveryMemberInItsRole(t *testing.T) {
	mux, _, _ := testRouter(DefaultLimits)
	mux.Method("GET", "/thing", Handler(func(http.ResponseWriter, *http.Request) error {
		return fmt.Errorf("create webhook: %w",
			&fault.Error{Code: fault.Conflict, Constant: "WEBHOOK_SUSCRIPTION_ALREADY_EXISTS",
				Text: "The company has one.", Violations: []fault.Violation{{Path: "url", Code: "TAKEN",
					Message: "is \xff taken"}}})
	}))
	w := call(mux, "GET", "/thing?secret=1", "")
	p := problemOf(t, w)
	want := problem{Type: "/docs/errors/WEBHOOK_SUSCRIPTION_ALREADY_EXISTS",
		Title:  "The present state does not allow this",
		Status: 409, Detail: "The company has one.", Instance: "/thing", Code: "The company has one.",
		Message: "WEBHOOK_SUSCRIPTION_ALREADY_EXISTS", RequestID: w.Header().Get("X-Request-Id"),
		Errors: []violation{{"url", "TAKEN", "is \uFFFD taken"}}}
	if fmt.Sprint(p) != fmt.Sprint(want) {
		t.Errorf("got  %+v\nwant %+v", p, want)
	}
	if !strings.Contains(w.Body.String(), `"errors":[{"path"`) {
		t.Errorf("errors is not as documented: %s", w.Body)
	}
}

func TestInternalErrorIsLoggedWithItsIdAndNeverShown(t *testing.T) {
	mux, _, logs := testRouter(DefaultLimits)
	mux.Method("GET", "/broken", Handler(func(http.ResponseWriter, *http.Request) error {
		return errors.New("disk sda1 on fire")
	}))
	w := call(mux, "GET", "/broken", "")
	p := problemOf(t, w)
	if w.Code != 500 || p.Message != "INTERNAL_ERROR" || strings.Contains(w.Body.String(), "sda1") {
		t.Errorf("answer is %d %s", w.Code, w.Body)
	}
	if !strings.Contains(logs.String(), "sda1") || !strings.Contains(logs.String(), p.RequestID) {
		t.Errorf("log misses the error or the id: %s", logs)
	}
}

func TestPanicBecomes500AndIsLogged(t *testing.T) {
	mux, _, logs := testRouter(DefaultLimits)
	mux.Get("/panic", func(http.ResponseWriter, *http.Request) { panic("boom") })
	w := call(mux, "GET", "/panic", "")
	if p := problemOf(t, w); w.Code != 500 || p.Message != "INTERNAL_ERROR" || strings.Contains(w.Body.String(), "boom") {
		t.Errorf("answer is %d %s", w.Code, w.Body)
	}
	if !strings.Contains(logs.String(), "boom") || !strings.Contains(logs.String(), `"status":500`) {
		t.Errorf("log misses the panic or the access line: %s", logs)
	}
}

func TestPanicAfterTheAnswerBeganCutsTheConnection(t *testing.T) {
	mux, _, _ := testRouter(DefaultLimits)
	mux.Get("/panic", func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(200)
		panic("boom")
	})
	defer func() {
		if p := recover(); p != http.ErrAbortHandler {
			t.Errorf("recovered %v, want http.ErrAbortHandler", p)
		}
	}()
	call(mux, "GET", "/panic", "")
}

func TestWaitsAndChallengesAreAlwaysThere(t *testing.T) {
	for _, c := range []struct {
		name, header, want string
		err                error
	}{
		{"a 503 without a wait of its own", "Retry-After", "1", fault.New(fault.Unavailable, "X", "x")},
		{"a 429 without a wait of its own", "Retry-After", "1", fault.New(fault.TooMany, "X", "x")},
		{"a wait that the fault names", "Retry-After", "7",
			&fault.Error{Code: fault.Unavailable, Constant: "X", RetryAfter: 7}},
		{"a 401 of a login", "WWW-Authenticate", `Bearer realm="folio"`, fault.New(fault.Unauthorized, "X", "x")},
		{"a body over its limit does not ask to retry", "Retry-After", "", &http.MaxBytesError{Limit: 1}},
		{"a deadline is a 503", "Retry-After", "1", fmt.Errorf("read: %w", context.DeadlineExceeded)},
		{"a 422 does not ask to retry", "Retry-After", "", fault.Field("a", "B", "c")},
	} {
		mux, _, _ := testRouter(DefaultLimits)
		mux.Method("GET", "/", Handler(func(w http.ResponseWriter, _ *http.Request) error {
			w.Header().Set("Location", "/made")
			return c.err
		}))
		w := call(mux, "GET", "/", "")
		if got := w.Header().Get(c.header); got != c.want {
			t.Errorf("%s: %s is %q, want %q", c.name, c.header, got, c.want)
		}
		if w.Header().Get("Location") != "" {
			t.Errorf("%s: Location stays on an error", c.name)
		}
	}
}

func TestUnknownPathsAndMethods(t *testing.T) {
	mux, _, _ := testRouter(DefaultLimits)
	ok := func(w http.ResponseWriter, _ *http.Request) { NoContent(w) }
	mux.Get("/api/invoices", ok)
	mux.With(RequireCompany(scope.Read)).Post("/api/invoices", ok)
	mux.Get("/api/invoices/{invoice_id}", ok)
	for _, c := range []struct {
		method, path, allow string
		status              int
	}{
		{"PUT", "/api/invoices", "GET, HEAD, POST", 405},
		{"DELETE", "/api/invoices/1", "GET, HEAD", 405},
		{"OPTIONS", "/api/invoices/1", "GET, HEAD", 405},
		{"BREW", "/api/invoices/1", "GET, HEAD", 405},
		{"BREW", "/api/nothing", "", 404},
		{"GET", "/api/invoices/", "", 404},
		{"GET", "/api//invoices", "", 404},
		{"GET", "/", "", 404},
		{"POST", "/api/invoices", "", 401},
		{"HEAD", "/api/invoices", "", 204},
	} {
		w := call(mux, c.method, c.path, "")
		if w.Code != c.status || w.Header().Get("Allow") != c.allow {
			t.Errorf("%s %s: %d, Allow %q; want %d, %q", c.method, c.path, w.Code, w.Header().Get("Allow"), c.status, c.allow)
		}
		if c.status >= 400 {
			problemOf(t, w)
		}
		for _, name := range []string{"X-Request-Id", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"} {
			if w.Header().Get(name) == "" {
				t.Errorf("%s %s: no %s", c.method, c.path, name)
			}
		}
	}
}

func TestPathIDRefusesWhatNoResourceHas(t *testing.T) {
	mux, _, _ := testRouter(DefaultLimits)
	mux.Method("GET", "/api/invoices/{invoice_id}", Handler(func(w http.ResponseWriter, r *http.Request) error {
		id, err := PathID(r, "invoice_id")
		if err != nil {
			return err
		}
		return JSON(w, 200, id)
	}))
	for path, want := range map[string]int{
		"01J0ABCDEFGHJKMNPQRSTVWXYZ": 200, "a%2Fb": 404, "%00": 404, "a%20b": 404, "..": 404, "$all": 404,
		strings.Repeat("a", 65): 404,
	} {
		if w := call(mux, "GET", "/api/invoices/"+path, ""); w.Code != want {
			t.Errorf("%s gives %d, want %d", path, w.Code, want)
		}
	}
}

// Only who writes is told to repeat with the same key: a read has none.
func TestTheIdempotencyKeyIsAdvisedOnWritesOnly(t *testing.T) {
	for method, advised := range map[string]bool{http.MethodGet: false, http.MethodHead: false, http.MethodPost: true,
		http.MethodPut: true} {
		w := httptest.NewRecorder()
		Fail(w, httptest.NewRequest(method, "/x", nil), fmt.Errorf("read: %w", fault.StoreUnavailable))
		if got := strings.Contains(w.Body.String(), "Idempotency-Key"); w.Code != 503 || got != advised {
			t.Errorf("%s: %d %s", method, w.Code, w.Body)
		}
	}
	if strings.Contains(fault.StoreUnavailable.Text, "Idempotency") {
		t.Error("the fault itself was changed")
	}
}
