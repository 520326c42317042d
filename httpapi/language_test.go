package httpapi

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"folio/fault"
)

func TestSpanishIsForWhoAsksForIt(t *testing.T) {
	for asked, want := range map[string]bool{
		"": false, "en": false, "es": true, "es-AR": true, "es-419": true, "ES-cl": true, "es-UY,es;q=0.9,en;q=0.8": true,
		"en,es": false, "en;q=0.5, es;q=0.9": true, "es;q=0.5, en-GB;q=0.9": false, "fr, es;q=0.5": true, "fr": false,
		"*": false, "es;q=0": false, "pt-BR,pt;q=0.9": false, "fr, *;q=0.1": false, ";;;": false, "es;q=x": false,
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header.Set("Accept-Language", asked)
		if InSpanish(r) != want {
			t.Errorf("%q: Spanish is %v, want %v", asked, !want, want)
		}
	}
}

func TestAProblemIsInTheLanguageThatWasAsked(t *testing.T) {
	known := map[string]string{"X": "La empresa tiene una.", "TAKEN": "ya se usa"}
	mux := NewRouter(Config{Spanish: func(code, _ string) (string, bool) { s, ok := known[code]; return s, ok }})
	mux.Method("POST", "/thing", Handler(func(http.ResponseWriter, *http.Request) error {
		return &fault.Error{Code: fault.Unavailable, Constant: "X", Text: "The company has one.", Unsure: true,
			Violations: []fault.Violation{{Path: "url", Code: "TAKEN", Message: "is taken"},
				{Path: "a", Code: "NEW", Message: "new"}}}
	}))
	for _, c := range []struct{ asked, language, title, text, first, second string }{
		{"es-AR", "es", "No disponible en este momento",
			"La empresa tiene una. Donde se admite una Idempotency-Key, use la misma.", "ya se usa", "new"},
		{"", "en", "Not available right now",
			"The company has one. Where an Idempotency-Key is accepted, use the same one.", "is taken", "new"},
	} {
		r := httptest.NewRequest("POST", "/thing", nil)
		r.Header.Set("Accept-Language", c.asked)
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, r)
		p := problemOf(t, w)
		if p.Title != c.title || p.Code != c.text || p.Detail != c.text || p.Message != "X" ||
			p.Errors[0].Message != c.first ||
			p.Errors[1].Message != c.second || p.Type != "/docs/errors/X" {
			t.Errorf("%q: %+v", c.asked, p)
		}
		if w.Header().Get("Content-Language") != c.language || w.Header().Get("Vary") != "Accept-Language" {
			t.Errorf("%q: %v", c.asked, w.Header())
		}
	}
}

// Every answer may be told in another language, or be replaced by a fault that is: caches are told so by one place.
func TestEveryAnswerVariesByLanguage(t *testing.T) {
	mux := NewRouter(Config{})
	mux.Get("/more", func(w http.ResponseWriter, _ *http.Request) { w.Header().Add("Vary", "Accept-Encoding") })
	mux.Get("/json", func(w http.ResponseWriter, _ *http.Request) { _ = JSON(w, 200, map[string]string{}) })
	for path, want := range map[string]string{"/more": "Accept-Language, Accept-Encoding", "/json": "Accept-Language",
		"/none": "Accept-Language"} {
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		if got := strings.Join(w.Header().Values("Vary"), ", "); got != want {
			t.Errorf("%s varies by %q", path, got)
		}
	}
}
