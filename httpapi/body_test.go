package httpapi

import (
	"fmt"
	"io"
	"net/http/httptest"
	"strings"
	"testing"

	"folio/fault"
)

// endless counts what is read of it.
type endless struct{ read int }

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	e.read += len(p)
	return len(p), nil
}

func TestOnlyJSONIsReadAndNeverTooMuch(t *testing.T) {
	for _, c := range []struct {
		name, contentType, encoding string
		length                      int64
		want                        fault.Code
		reads                       bool
	}{
		{"no content type", "", "", -1, fault.WrongType, false},
		{"a form to a JSON endpoint", "multipart/form-data; boundary=x", "", -1, fault.WrongType, false},
		{"an HTML form", "application/x-www-form-urlencoded", "", -1, fault.WrongType, false},
		{"text", "text/plain", "", -1, fault.WrongType, false},
		{"another charset", "application/json; charset=iso-8859-1", "", -1, fault.WrongType, false},
		{"another parameter", "application/json; version=2", "", -1, fault.WrongType, false},
		{"no media type", "application/json;;;=", "", -1, fault.WrongType, false},
		{"compressed", "application/json", "gzip", -1, fault.WrongType, false},
		{"endless, without a length", "application/json", "", -1, fault.TooLarge, true},
		{"endless, with a length that lies", "application/json; charset=UTF-8", "", 10, fault.TooLarge, true},
		{"a length over the limit", "application/json", "identity", MaxJSON + 1, fault.TooLarge, false},
	} {
		body := &endless{}
		r := httptest.NewRequest("POST", "/", io.NopCloser(body))
		r.ContentLength = c.length
		if c.contentType != "" {
			r.Header.Set("Content-Type", c.contentType)
		}
		if c.encoding != "" {
			r.Header.Set("Content-Encoding", c.encoding)
		}
		_, err := ReadJSON(httptest.NewRecorder(), r)
		if f := fault.As(err); f == nil || f.Code != c.want {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
		if (body.read > 0) != c.reads || body.read > 2*MaxJSON {
			t.Errorf("%s: read %d bytes", c.name, body.read)
		}
	}
}

func TestBodyOfExactlyTheLimitIsRead(t *testing.T) {
	for extra, want := range map[int]bool{0: true, 1: false} {
		body := `"` + strings.Repeat("x", MaxJSON-2+extra) + `"`
		r := httptest.NewRequest("POST", "/", strings.NewReader(body))
		r.ContentLength = -1
		r.Header.Set("Content-Type", "application/json; charset=utf-8")
		if _, err := ReadJSON(httptest.NewRecorder(), r); (err == nil) != want {
			t.Errorf("%d bytes: %v", len(body), err)
		}
	}
}

func TestBodyThatBreaksOffIsUnparsable(t *testing.T) {
	r := httptest.NewRequest("POST", "/", io.MultiReader(strings.NewReader(`{"a"`), broken{}))
	r.Header.Set("Content-Type", "application/json")
	_, err := ReadJSON(httptest.NewRecorder(), r)
	if f := fault.As(err); f == nil || f.Code != fault.Unparsable || strings.Contains(f.Text, "tcp") {
		t.Errorf("got %v", err)
	}
}

type broken struct{}

func (broken) Read([]byte) (int, error) {
	return 0, fmt.Errorf("read tcp 10.0.0.1: %w", io.ErrUnexpectedEOF)
}
