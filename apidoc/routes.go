// Package apidoc serves the OpenAPI document of the service, a page to read it, and a page
// of each error code. Document and catalogue are made from the program by apidoc/derive,
// whose tests fail when they differ from it.
package apidoc

import (
	"compress/gzip"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/go-chi/chi/v5"

	"folio/fault"
	"folio/httpapi"
)

// Document is the OpenAPI 3.1 document.
//
//go:embed openapi.json
var Document string

//go:embed codes.json
var codes string

// reader shows the document: RapiDoc 9.3.8 (MIT), as npm has it, packed.
//
//go:embed static/rapidoc-min.js.gz
var reader string

//go:embed static/rapidoc-min.js.LICENSE.txt
var license string

//go:embed static/docs.js
var adjusted string

//go:embed reasons.json
var reasons string

//go:embed stories.json
var stories string

//go:embed waits.json
var waits string

// Waits are the codes of pending_reason, in their order, with why an invoice waits.
var Waits = kept[Code]("waits.json", waits)

// Codes are every error code, in their order.
var Codes = kept[Code]("codes.json", codes)

// Reasons are words of the countries' errors, which stand within what codes say.
var Reasons = kept[Text]("reasons.json", reasons)

// Stories are the sentences in which what happened to an invoice is told.
var Stories = kept[Text]("stories.json", stories)

// kept is read when it is asked for first: most processes never are. A text is in the pages of the program that it
// gives back at rest, and bytes are not.
func kept[T any](name, raw string) func() []T {
	return sync.OnceValue(func() (all []T) {
		if err := json.Unmarshal([]byte(raw), &all); err != nil {
			panic("apidoc/" + name + ": " + err.Error())
		}
		return all
	})
}

// Routes adds the document and its pages to a router of httpapi.NewRouter. They need no
// credential and no other host.
func Routes(r chi.Router) {
	get := func(path string, h httpapi.Handler) { r.Method(http.MethodGet, path, h) }
	for path, to := range Moved {
		get(path, moved(to))
	}
	get("/openapi.json", dated(Document))
	get("/docs", func(w http.ResponseWriter, r *http.Request) error {
		return file("text/html; charset=utf-8", page())(w, r)
	})
	get("/docs/{file}", func(w http.ResponseWriter, r *http.Request) error {
		switch chi.URLParam(r, "file") {
		case "rapidoc-min.js":
			return packed(w, r, "text/javascript; charset=utf-8", reader)
		case "docs.js":
			return file("text/javascript; charset=utf-8", adjusted)(w, r)
		case "rapidoc-min.js.LICENSE.txt":
			return file("text/plain; charset=utf-8", license)(w, r)
		}
		return httpapi.ErrNoRoute
	})
	get("/docs/errors", errorIndex)
	get("/docs/errors/{code}", errorPage)
}

// policy lets the pages load what this service serves, and nothing else. The reader writes
// styles of its own.
const policy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
	"connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

func file(kind, content string) httpapi.Handler {
	tag := tagOf(content)
	return func(w http.ResponseWriter, r *http.Request) error {
		return serve(w, r, kind, tag, content)
	}
}

func tagOf(content string) string {
	sum := sha256.Sum256([]byte(content))
	return `"` + hex.EncodeToString(sum[:8]) + `"`
}

func serve(w http.ResponseWriter, r *http.Request, kind, tag, content string) error {
	h := w.Header()
	h.Set("Content-Type", kind)
	h.Set("ETag", tag)
	h.Set("Cache-Control", "no-cache")
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	return httpapi.ServeContent(w, r, strings.NewReader(content))
}

// packed serves what is kept in gzip, unpacked to who does not take it so.
func packed(w http.ResponseWriter, r *http.Request, kind, content string) error {
	w.Header().Add("Vary", "Accept-Encoding")
	if httpapi.TakesGzip(r) {
		w.Header().Set("Content-Encoding", "gzip")
		return file(kind, content)(w, r)
	}
	z, err := gzip.NewReader(strings.NewReader(content))
	if err != nil {
		return err
	}
	plain, err := io.ReadAll(z)
	if err != nil {
		return err
	}
	return file(kind, string(plain))(w, r)
}

var errNoCode = fault.New(fault.NotFound, "CODE_NOT_FOUND",
	"There is no such error code: GET /docs/errors lists all of them.")
