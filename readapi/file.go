package readapi

import (
	"crypto/sha256"
	"encoding/hex"
	"folio/httpapi"
	"net/http"
	"strings"
)

// file is a document to download, which never changes unless it is passing.
type file struct {
	name, contentType string
	content           []byte
	passing           bool // it changes: nobody keeps it
}

// taggedFile is a file that is kept, with its entity tag.
type taggedFile struct {
	file
	tag string
}

// size is about what it takes in memory.
func (f taggedFile) size() int { return cap(f.content) + len(f.name) + len(f.tag) }

// tagOf is the entity tag of bytes.
func tagOf(content []byte) string {
	sum := sha256.Sum256(content)
	return `"` + hex.EncodeToString(sum[:]) + `"`
}

// write answers with the whole file, or that the caller has it (304).
func (f file) write(w http.ResponseWriter, r *http.Request) {
	taggedFile{f, tagOf(f.content)}.write(w, r)
}

func (f taggedFile) write(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Cache-Control", "private, max-age=86400")
	if f.passing {
		h.Set("Cache-Control", "no-store")
	}
	h.Set("ETag", f.tag)
	if r.Method != http.MethodPost && names(r.Header.Get("If-None-Match"), f.tag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Disposition", `attachment; filename="`+f.name+`"`)
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
