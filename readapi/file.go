package readapi

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"

	"folio/cache"
	"folio/httpapi"
)

// file is a document to download, which never changes unless it is passing.
type file struct {
	name, contentType string
	content           []byte
	passing           bool // it changes: nobody keeps it
}

// taggedFile is a file that may be kept, with what its answer says of it.
type taggedFile struct {
	file
	tag, disposition, caching []string // values of headers
}

// size is about what it takes in memory.
func (f taggedFile) size() int { return cache.SizeOf(f) }

func (f file) tagged() taggedFile {
	caching := "private, max-age=86400"
	if f.passing {
		caching = "no-store"
	}
	return taggedFile{f, []string{tagOf(f.content)}, []string{`attachment; filename="` + f.name + `"`}, []string{caching}}
}

// tagOf is the entity tag of bytes.
func tagOf(content []byte) string {
	sum := sha256.Sum256(content)
	return `"` + hex.EncodeToString(sum[:]) + `"`
}

// write answers with the whole file, or that the caller has it (304).
func (f file) write(w http.ResponseWriter, r *http.Request) { f.tagged().write(w, r) }

func (f taggedFile) write(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	// Canonical form of these names; setting the map saves looking for it.
	h["Cache-Control"], h["Etag"] = f.caching, f.tag
	if known := r.Header.Get("If-None-Match"); known != "" && r.Method != http.MethodPost && names(known, f.tag[0]) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h["Content-Disposition"] = f.disposition
	httpapi.Bytes(w, http.StatusOK, f.contentType, f.content)
}

// names says whether a list of entity tags, as If-None-Match has it, names one (RFC 9110, 13.1.2).
func names(list, tag string) bool {
	for t := range strings.SplitSeq(list, ",") {
		if t = strings.TrimSpace(t); t == "*" || strings.TrimPrefix(t, "W/") == tag {
			return true
		}
	}
	return false
}
