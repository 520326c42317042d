package httpapi

import (
	"net/http/httptest"
	"strings"
	"testing"

	"folio/fault"
)

const (
	formType = `multipart/form-data; boundary=XX`
	goodForm = "--XX\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nx\r\n--XX--\r\n"
)

func TestOnlyFormsAreReadAndNeverTooMuch(t *testing.T) {
	for _, c := range []struct {
		name, contentType, body string
		length                  int64
		want                    fault.Code
	}{
		{"JSON", "application/json", "{}", -1, fault.WrongType},
		{"another multipart", "multipart/mixed; boundary=XX", goodForm, -1, fault.WrongType},
		{"no boundary", "multipart/form-data", goodForm, -1, fault.WrongType},
		{"no content type", "", goodForm, -1, fault.WrongType},
		{"another boundary", "multipart/form-data; boundary=YY", goodForm, -1, fault.Unparsable},
		{"too large in headers", formType, "--XX\r\n" + strings.Repeat("A: b\r\n", 400), -1, fault.TooLarge},
		{"a length over the limit", formType, goodForm, 1001, fault.TooLarge},
	} {
		r := httptest.NewRequest("POST", "/", strings.NewReader(c.body))
		r.ContentLength = c.length
		r.Header.Set("Content-Type", c.contentType)
		if _, err := ReadForm(httptest.NewRecorder(), r, 1000); fault.As(err) == nil || fault.As(err).Code != c.want {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
	r := httptest.NewRequest("POST", "/", &endless{})
	r.ContentLength = -1
	r.Header.Set("Content-Type", formType)
	if _, err := ReadForm(httptest.NewRecorder(), r, 1000); fault.As(err) == nil || fault.As(err).Code != fault.TooLarge {
		t.Errorf("an endless form: %v", err)
	}
}
