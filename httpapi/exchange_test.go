package httpapi

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/go-chi/chi/v5"
)

func TestARequestFromWithinAnotherRouterGoesByItsOwnPath(t *testing.T) {
	api, _, _ := testRouter(Limits{})
	api.Get("/api/things/{thing}", func(w http.ResponseWriter, r *http.Request) {
		Bytes(w, http.StatusOK, "text/plain", []byte(chi.URLParam(r, "thing")+" "+routePattern(r)))
	})
	outer := chi.NewRouter()
	outer.Get("/pages/{page}", func(w http.ResponseWriter, r *http.Request) {
		inner := httptest.NewRequestWithContext(r.Context(), http.MethodGet, "/api/things/7", nil)
		api.ServeHTTP(w, inner)
	})
	got := call(outer, http.MethodGet, "/pages/1", "")
	if want := "7 /api/things/{thing}"; got.Body.String() != want {
		t.Errorf("answered %d %q, want %q", got.Code, got.Body, want)
	}
}

func TestTheContextOfARequestEndsWithThatOfItsConnection(t *testing.T) {
	mux, _, _ := testRouter(Limits{})
	type key struct{}
	began, ended := make(chan context.Context, 1), make(chan error, 1)
	mux.Get("/wait", func(_ http.ResponseWriter, r *http.Request) {
		ctx, stop := context.WithCancel(r.Context())
		defer stop()
		began <- ctx
		<-ctx.Done()
		ended <- ctx.Err()
	})
	ctx, hangUp := context.WithCancel(context.WithValue(t.Context(), key{}, "of the server"))
	go mux.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(ctx, http.MethodGet, "/wait", nil))
	within := <-began
	if got := within.Value(key{}); got != "of the server" {
		t.Errorf("the server's value is %v", got)
	}
	if RequestID(within) == "" {
		t.Error("the request has no id")
	}
	hangUp()
	if err := <-ended; err != context.Canceled {
		t.Errorf("ended with %v", err)
	}
}
