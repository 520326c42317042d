package readapi

import (
	"crypto/sha256"
	"encoding/hex"
	"folio/httpapi"
	"net/http"
	"strings"
)

// file is a document to download that never changes.
type file struct {
	name, contentType string
	content           []byte
}

// write answers with the whole file, or that the caller has it (304).
func (f file) write(w http.ResponseWriter, r *http.Request) {
	sum := sha256.Sum256(f.content)
	tag := `"` + hex.EncodeToString(sum[:]) + `"`
	h := w.Header()
	h.Set("Cache-Control", "private, max-age=86400")
	h.Set("ETag", tag)
	if r.Method != http.MethodPost && names(r.Header.Get("If-None-Match"), tag) {
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
