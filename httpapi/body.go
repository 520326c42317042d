package httpapi

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"

	"folio/fault"
	"folio/strict"
)

// The limits of bodies in bytes.
const (
	MaxJSON        = 256 << 10
	MaxLogo        = 512 << 10
	MaxCertificate = 64 << 10
	MaxEnumeration = 64 << 10
	// FormOverhead is what a form may hold besides its file: boundaries, headers
	// and text parts.
	FormOverhead = 16 << 10
)

// ReadJSON reads and parses a JSON body of at most MaxJSON bytes. Its faults: 415
// unless the content type is application/json, with charset=utf-8 at most, found
// before anything is read; 413 for a longer body, whatever its Content-Length says;
// 400 for what Parse refuses.
func ReadJSON(w http.ResponseWriter, r *http.Request) (*strict.Body, error) {
	return ReadShortJSON(w, r, MaxJSON)
}

// ReadShortJSON is ReadJSON with a limit of its own.
func ReadShortJSON(w http.ResponseWriter, r *http.Request, limit int64) (*strict.Body, error) {
	return bodyOf(r, func() (*strict.Body, error) {
		if err := wantJSON(r); err != nil {
			return nil, err
		}
		b := buffers.Get().(*bytes.Buffer)
		defer reuse(b)
		if err := readAll(w, r, limit, b); err != nil {
			return nil, err
		}
		return strict.Parse(b.Bytes()) // which copies what it keeps
	})
}

// ReadOptionalJSON is ReadJSON of a request that may have no body at all: it is nil then,
// whether the client says so by its length or sends an empty one in chunks.
func ReadOptionalJSON(w http.ResponseWriter, r *http.Request) (*strict.Body, error) {
	if r.ContentLength == 0 {
		return nil, nil
	}
	if r.ContentLength < 0 {
		in := bufio.NewReader(r.Body)
		if _, err := in.Peek(1); errors.Is(err, io.EOF) {
			return nil, nil
		}
		r.Body = struct {
			io.Reader
			io.Closer
		}{in, r.Body}
	}
	return ReadJSON(w, r)
}

func wantJSON(r *http.Request) error {
	if err := wantPlain(r); err != nil {
		return err
	}
	given := r.Header.Get("Content-Type")
	if given == "application/json" {
		return nil
	}
	kind, params, err := mime.ParseMediaType(given)
	charset, named := params["charset"]
	if err != nil || kind != "application/json" || named && !strings.EqualFold(charset, "utf-8") ||
		len(params) > 1 || len(params) == 1 && !named {
		return fault.New(fault.WrongType, "JSON_REQUIRED",
			"This endpoint takes JSON in UTF-8: send the header Content-Type: application/json.")
	}
	return nil
}

// wantPlain refuses compressed bodies: their real size is unknown until unpacked.
func wantPlain(r *http.Request) error {
	if e := r.Header.Get("Content-Encoding"); e != "" && !strings.EqualFold(e, "identity") {
		return fault.New(fault.WrongType, "ENCODING_NOT_SUPPORTED", "Send the body uncompressed, without Content-Encoding.")
	}
	if len(r.Header.Values("Content-Type")) > 1 {
		return fault.New(fault.WrongType, "CONTENT_TYPE_REPEATED", "Send one Content-Type header.")
	}
	return nil
}

// readAll reads a body of at most limit bytes into b.
func readAll(w http.ResponseWriter, r *http.Request, limit int64, b *bytes.Buffer) error {
	if r.ContentLength > limit {
		return strict.BodyTooLarge(limit)
	}
	if err := admitBody(r, limit); err != nil {
		return err
	}
	// Content-Length is a claim: no more than 16 KiB is set aside on the word of it.
	b.Grow(int(min(max(r.ContentLength, 0), 16<<10)) + bytes.MinRead)
	if _, err := b.ReadFrom(http.MaxBytesReader(w, r.Body, limit)); err != nil {
		return strict.BodyFault(err)
	}
	return nil
}

// What is too large is read on and thrown away up to maxDrained bytes, for drainPatience
// at most: a client that is still sending when its connection is closed loses the answer.
const (
	maxDrained    = 8 << 20
	drainPatience = 5 * time.Second
)

// drain reads what is left of a body that is refused for its length. A client that waits
// for 100 Continue has not sent any and need not.
func drain(w http.ResponseWriter, r *http.Request) {
	if r.Body == nil || r.Header.Get("Expect") != "" {
		return
	}
	//nolint:errcheck // a connection without deadlines has the server's own
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(drainPatience))
	_, _ = io.CopyN(io.Discard, r.Body, maxDrained) // a body that ends, or breaks, has been drained
}
