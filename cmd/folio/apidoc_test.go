package main

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"

	"folio/apidoc"
	"folio/httpapi"
)

// The program's router and the document have the same operations. What one path of the
// router stands for ends in *.
func TestEveryRouteIsInTheDocument(t *testing.T) {
	var document struct {
		Paths map[string]map[string]any `json:"paths"`
	}
	if err := json.Unmarshal([]byte(apidoc.Document), &document); err != nil {
		t.Fatal(err)
	}
	missing := map[string]bool{}
	for path, item := range document.Paths {
		for method := range item {
			missing[strings.ToUpper(method)+" "+path] = true
		}
	}
	s := &service{stores: &stores{}}
	s.flags.Roles = []string{roleWrite, roleRead}
	operations := map[string]http.Handler{"/healthz": http.HandlerFunc(s.healthz), "/readyz": plainReadyz(s.readyz),
		"/metrics": http.NotFoundHandler()}
	r := httpapi.NewRouter(httpapi.Config{Operations: operations})
	s.routes(r)
	found := map[string]bool{}
	err := chi.Walk(r, func(method, path string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		if _, any := operations[path]; any && method != http.MethodGet {
			return nil // a handler of every method
		}
		if apidoc.Moved[path] != "" {
			return nil
		}
		found[method+" "+path] = true
		if prefix, open := strings.CutSuffix(method+" "+path, "*"); open {
			n := len(missing)
			for name := range missing {
				if strings.HasPrefix(name, prefix) {
					delete(missing, name)
				}
			}
			if n == len(missing) {
				t.Errorf("%s %s is not in the document", method, path)
			}
		} else if !missing[method+" "+path] {
			t.Errorf("%s %s is not in the document", method, path)
		}
		delete(missing, method+" "+path)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	var left []string
	for name := range missing {
		left = append(left, name)
	}
	slices.Sort(left)
	if len(left) > 0 {
		t.Errorf("the document has what the router lacks: %v", left)
	}
	if len(found) < 70 {
		t.Errorf("the router has only %d routes", len(found))
	}
}

func TestTheDocumentSaysWhereACredentialIsNeeded(t *testing.T) {
	var document struct {
		Paths map[string]map[string]struct {
			Security []any `json:"security"`
		} `json:"paths"`
	}
	if err := json.Unmarshal([]byte(apidoc.Document), &document); err != nil {
		t.Fatal(err)
	}
	s := &service{stores: &stores{}}
	s.flags.Roles = []string{roleWrite, roleRead}
	r := httpapi.NewRouter(httpapi.Config{Log: slog.New(slog.DiscardHandler)})
	s.routes(r)
	for path, item := range document.Paths {
		for method, operation := range item {
			w := httptest.NewRecorder()
			r.ServeHTTP(w, httptest.NewRequest(strings.ToUpper(method), path, nil))
			if asked := w.Code == http.StatusUnauthorized; asked != (len(operation.Security) > 0) {
				t.Errorf("%s %s without a credential: %d, the document says %v", method, path, w.Code, operation.Security)
			}
		}
	}
}
