package writeapi

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"

	"folio/fault"
)

func TestABodyThatNobodyReads(t *testing.T) {
	for _, c := range []struct {
		name     string
		body     io.Reader
		want     string
		constant string
	}{
		{"none", http.NoBody, "", ""},
		{"an empty object", strings.NewReader(" {}\n"), "", ""},
		{"something", strings.NewReader(` {"a":1} `), `{"a":1}`, ""},
		{"cut", io.MultiReader(strings.NewReader(`{"a"`), iotest.ErrReader(io.ErrUnexpectedEOF)), "", "BODY_INCOMPLETE"},
		{"broken chunks", iotest.ErrReader(errors.New("invalid byte in chunk length")), "", "BODY_UNREADABLE"},
	} {
		got, err := unread{httptest.NewRequest(http.MethodPost, "/", c.body)}.Canonical()
		var told *fault.Error
		if errors.As(err, &told); told == nil {
			told = &fault.Error{}
		}
		if string(got) != c.want || told.Constant != c.constant {
			t.Errorf("%s: %q, %v", c.name, got, err)
		}
	}
}
