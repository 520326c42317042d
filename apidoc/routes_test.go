package apidoc

import (
	"compress/gzip"
	"encoding/json"
	"html/template"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"folio/httpapi"
)

func ask(t *testing.T, path string, header ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httpapi.NewRouter(httpapi.Config{})
	Routes(r)
	q := httptest.NewRequest(http.MethodGet, path, nil)
	for i := 0; i < len(header); i += 2 {
		q.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	r.ServeHTTP(w, q)
	return w
}

func TestTheDocumentAndItsPageNeedNoOtherHost(t *testing.T) {
	var document struct{ OpenAPI string }
	if w := ask(t, "/openapi.json"); w.Code != http.StatusOK || json.Unmarshal(w.Body.Bytes(), &document) != nil ||
		document.OpenAPI != "3.1.1" {
		t.Errorf("/openapi.json: %d %.100s", w.Code, w.Body)
	}
	w := ask(t, "/docs")
	if policy := w.Header().Get("Content-Security-Policy"); w.Code != http.StatusOK ||
		!strings.Contains(policy, "script-src 'self';") {
		t.Errorf("/docs: %d, policy %q", w.Code, policy)
	}
	for _, at := range regexp.MustCompile(`(?:src|href|url)="([^"]*)"`).FindAllStringSubmatch(w.Body.String(), -1) {
		if at[1] == "data:," || strings.HasPrefix(at[1], "#") { // no icon, and places of the page itself
			continue
		}
		at[1], _, _ = strings.Cut(at[1], "#")
		if got := ask(t, at[1]); !strings.HasPrefix(at[1], "/") || got.Code != http.StatusOK {
			t.Errorf("/docs loads %s: %d", at[1], got.Code)
		}
	}
}

// Whoever has no room for the reader's own list finds every operation in the page.
func TestThePageListsEveryOperation(t *testing.T) {
	var d struct {
		Paths map[string]map[string]struct{ Summary string }
	}
	if err := json.Unmarshal([]byte(Document), &d); err != nil {
		t.Fatal(err)
	}
	shown := ask(t, "/docs").Body.String()
	for path, at := range d.Paths {
		for method, o := range at {
			if !strings.Contains(shown, ">"+template.HTMLEscapeString(o.Summary)+"</a>") {
				t.Errorf("%s %s is not in the list", method, path)
			}
		}
	}
	if !strings.Contains(shown, `href="#get-/api/invoices/-invoice_id-"`) {
		t.Error("an operation's anchor is not the reader's")
	}
}

// A page says what is filled into a text, and which fields a refusal is about.
func TestAPageNamesValuesAndFields(t *testing.T) {
	shown := ask(t, "/docs/errors/AR-TAX-05").Body.String()
	for _, want := range []string{"The amount of ‹name› is 0, not ‹given›", "What to correct stands in",
		"<code>amount</code>"} {
		if !strings.Contains(shown, want) {
			t.Errorf("AR-TAX-05 lacks %q in %s", want, shown)
		}
	}
	named, gaps := 0, 0
	for _, c := range Codes() {
		for _, says := range c.Says {
			if strings.Contains(says.English, gap) {
				gaps++
				if strings.Contains(holesOf()[c.Code].named(says, false), "‹") {
					named++
				}
			}
		}
	}
	if named*10 < gaps*9 {
		t.Errorf("%d of %d texts with gaps name what fills them", named, gaps)
	}
}

func TestAddressesThatAPersonTypes(t *testing.T) {
	const browser = "text/html,application/xhtml+xml,*/*;q=0.8"
	for path, to := range Moved {
		if w := ask(t, path, "Accept", browser); w.Code != http.StatusSeeOther || w.Header().Get("Location") != to {
			t.Errorf("%s: %d %s", path, w.Code, w.Header().Get("Location"))
		}
	}
	if w := ask(t, "/", "Accept", "application/json"); w.Code != http.StatusNotFound ||
		!strings.Contains(w.Body.String(), "NO_SUCH_PATH") {
		t.Errorf("/ for a program: %d %s", w.Code, w.Body)
	}
}

func TestTheReaderIsPackedForWhoTakesIt(t *testing.T) {
	plain, packed := ask(t, "/docs/rapidoc-min.js"), ask(t, "/docs/rapidoc-min.js", "Accept-Encoding", "br, gzip")
	z, err := gzip.NewReader(packed.Body)
	if err != nil {
		t.Fatal(err)
	}
	unpacked, err := io.ReadAll(z)
	if err != nil || packed.Header().Get("Content-Encoding") != "gzip" || plain.Header().Get("Content-Encoding") != "" ||
		string(unpacked) != plain.Body.String() || !strings.Contains(plain.Body.String(), "rapi-doc") {
		t.Errorf("%v: %d bytes packed, %d plain", err, len(unpacked), plain.Body.Len())
	}
	refused := ask(t, "/docs/rapidoc-min.js", "Accept-Encoding", "gzip;q=0")
	if refused.Header().Get("Content-Encoding") != "" || refused.Header().Get("ETag") == packed.Header().Get("ETag") ||
		refused.Body.String() != plain.Body.String() {
		t.Errorf("who refuses gzip gets %v", refused.Header())
	}
}

func TestEveryCodeHasItsPage(t *testing.T) {
	index := ask(t, "/docs/errors").Body.String()
	for _, c := range Codes() {
		w := ask(t, "/docs/errors/"+c.Code)
		page := w.Body.String()
		p, ok := Page(c.Code, false)
		if !ok || w.Code != http.StatusOK || len(p.Says) == 0 || len(p.Cures) == 0 || p.Cures[0] == "" || p.Title == "" ||
			!strings.Contains(page, "<h2>What it means</h2>\n<p>") || !strings.Contains(page, "<h2>How to cure it</h2>\n<p>") {
			t.Errorf("the page of %s is not whole: %d %+v", c.Code, w.Code, p)
		}
		var example struct {
			Status  int
			Message string
			Errors  []struct{ Code string }
		}
		if err := json.Unmarshal([]byte(p.Example), &example); err != nil || example.Status != p.Status[0] ||
			example.Message != c.Code && (len(example.Errors) != 1 || example.Errors[0].Code != c.Code) {
			t.Errorf("the example of %s: %v\n%s", c.Code, err, p.Example)
		}
		if !strings.Contains(index, `href="/docs/errors/`+c.Code+`"`) {
			t.Errorf("/docs/errors lacks %s", c.Code)
		}
	}
	for _, c := range Waits() {
		page := ask(t, "/docs/errors/"+c.Code).Body.String()
		if len(c.Says) == 0 || !strings.Contains(page, "pending_reason") || !strings.Contains(page, "keeps its place") ||
			!strings.Contains(index, `href="/docs/errors/`+c.Code+`"`) {
			t.Errorf("the page of a wait with %s is not whole:\n%s", c.Code, page)
		}
	}
	if w := ask(t, "/docs/errors/NO_SUCH"); w.Code != http.StatusNotFound ||
		!strings.Contains(w.Body.String(), "CODE_NOT_FOUND") {
		t.Errorf("an unknown code: %d %s", w.Code, w.Body)
	}
}
