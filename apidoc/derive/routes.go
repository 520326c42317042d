package derive

import (
	"cmp"
	"net/http"
	"reflect"
	"runtime"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"

	"folio/httpapi"
	"folio/readapi"
	"folio/writeapi"
)

// route is one operation of the router.
type route struct {
	method, path string
	handler      string // its function's full name
	credential   string // Bearer, Either or Company; empty for none
	keyed        bool   // it honours an Idempotency-Key
	plain        bool   // it is registered as a route without query parameters
}

// Routes are those of both sides, by path and method.
func routes() (all []route, err error) {
	r := chi.NewRouter()
	writeapi.Routes(r, writeapi.Config{})
	readapi.Routes(r, readapi.Config{})
	err = chi.Walk(r, func(method, path string, h http.Handler, middlewares ...func(http.Handler) http.Handler) error {
		x := route{method: method, path: path}
		if c, ok := h.(*chi.ChainHandler); ok {
			h, middlewares = c.Endpoint, append(middlewares, c.Middlewares...)
		}
		for _, m := range middlewares {
			// A closure that was inlined bears the name of its caller before its own.
			_, name, _ := strings.Cut(nameOf(m), ".Require")
			name, _, _ = strings.Cut(name, ".")
			if name != "" && name != "Scope" { // a scope stands behind the credential
				x.credential = name
			}
		}
		if k, ok := h.(writeapi.Keyed); ok {
			h, x.keyed = httpapi.Plain(k.Handler), x.credential != ""
		}
		_, x.plain = h.(httpapi.Plain)
		x.handler = methodName(nameOf(h))
		all = append(all, x)
		return nil
	})
	slices.SortFunc(all, func(a, b route) int {
		return cmp.Or(cmp.Compare(a.path, b.path), cmp.Compare(a.method, b.method))
	})
	return all, err
}

func nameOf(f any) string {
	return runtime.FuncForPC(reflect.ValueOf(f).Pointer()).Name()
}

// methodName is folio/readapi.api.x-fm as go/types writes it: (folio/readapi.api).x.
func methodName(name string) string {
	name = strings.TrimSuffix(name, "-fm")
	i := strings.LastIndexByte(name, '.')
	return "(" + name[:i] + ")" + name[i:]
}
