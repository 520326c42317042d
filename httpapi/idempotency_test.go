package httpapi

import (
	"net/http/httptest"
	"testing"

	"folio/fault"
	"folio/strict"
)

func TestIdempotencyKeys(t *testing.T) {
	long := string(make([]byte, 256))
	for _, c := range []struct {
		values []string
		want   string
		ok     bool
	}{
		{nil, "", true}, {[]string{"abc-1"}, "abc-1", true}, {[]string{`"abc"`}, `"abc"`, true},
		{[]string{""}, "", false}, {[]string{"a", "b"}, "", false},
		{[]string{"ñ"}, "", false}, {[]string{"a\tb"}, "", false},
		{[]string{long}, "", false},
	} {
		r := httptest.NewRequest("POST", "/", nil)
		for _, v := range c.values {
			r.Header.Add("Idempotency-Key", v)
		}
		got, err := IdempotencyKey(r)
		if got != c.want || (err == nil) != c.ok {
			t.Errorf("%q: %q %v", c.values, got, err)
		}
		if c.ok {
			continue
		}
		if v := fault.As(err).Violations; len(v) != 1 || v[0].Path != "Idempotency-Key" || v[0].Code != strict.CodeFormat {
			t.Errorf("%q: %v", c.values, v)
		}
	}
}
