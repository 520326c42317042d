package httpapi

import (
	"io"
	"net/http"
	"strings"
	"time"

	"folio/fault"
)

// errNoSuchRange: none of the bytes that were asked for is there.
var errNoSuchRange = fault.New(fault.NoRange, "RANGE_NOT_SATISFIABLE",
	"Range asks for no bytes that the file has. Write bytes=FROM- or bytes=FROM-TO with FROM before its end, which "+
		"size or Content-Range tell, or leave Range out.")

// ServeContent answers with content, or with the part of it that Range asks for. Its kind and its tag are in the
// headers already. A Range in another unit than bytes, which net/http refuses, is ignored (RFC 9110 §14.2).
func ServeContent(w http.ResponseWriter, r *http.Request, content io.ReadSeeker) error {
	if asked := r.Header.Get("Range"); asked != "" && !strings.HasPrefix(asked, "bytes=") {
		r = r.Clone(r.Context())
		r.Header.Del("Range")
	}
	to := &ranged{ResponseWriter: w}
	http.ServeContent(to, r, "", time.Time{}, content)
	if to.refused {
		return errNoSuchRange
	}
	return nil
}

// ranged holds back the plain text with which net/http refuses a range: an error of ours is a problem document.
type ranged struct {
	http.ResponseWriter
	refused bool
}

// WriteHeader implements http.ResponseWriter.
func (r *ranged) WriteHeader(status int) {
	if r.refused = status == http.StatusRequestedRangeNotSatisfiable; !r.refused {
		r.ResponseWriter.WriteHeader(status)
	}
}

// Write implements http.ResponseWriter.
func (r *ranged) Write(b []byte) (int, error) {
	if r.refused {
		return len(b), nil
	}
	return r.ResponseWriter.Write(b)
}
