package httpapi

import (
	"mime"
	"net/http"

	"folio/fault"
	"folio/strict"
)

// ReadForm reads a form of at most limit bytes in all, into memory and never into
// temporary files. Its faults: 415 unless the content type is multipart/form-data
// with a boundary; 413 for a longer body; 400 for a broken one, or for text that is
// not UTF-8.
func ReadForm(w http.ResponseWriter, r *http.Request, limit int64) (*strict.Form, error) {
	return bodyOf(r, func() (*strict.Form, error) { return readForm(w, r, limit) })
}

func readForm(w http.ResponseWriter, r *http.Request, limit int64) (*strict.Form, error) {
	if err := wantPlain(r); err != nil {
		return nil, err
	}
	kind, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/form-data" || params["boundary"] == "" {
		return nil, fault.New(fault.WrongType, "FORM_REQUIRED",
			"This endpoint takes a file: send multipart/form-data with a boundary.")
	}
	if r.ContentLength > limit {
		return nil, strict.BodyTooLarge(limit)
	}
	if err := admitBody(r, limit); err != nil {
		return nil, err
	}
	return strict.ParseForm(http.MaxBytesReader(w, r.Body, limit), params["boundary"])
}
