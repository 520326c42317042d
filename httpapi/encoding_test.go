package httpapi_test

import (
	"net/http/httptest"
	"testing"

	"folio/httpapi"
)

func TestGzipIsForWhoTakesIt(t *testing.T) {
	for header, want := range map[string]bool{
		"": false, "gzip": true, "br, gzip": true, "GZIP": true, "x-gzip": true, "gzip;q=0": false, "gzip; Q=0.000": false,
		"gzip ; q=0.001": true, "deflate, gzip;q=1.0, *;q=0.5": true, "*": true, "*;q=0": false, "*;q=0, gzip": true,
		"gzip;q=0, *": false, "identity": false, "identity, gzip;q=0.5": false, "identity;q=0.5, gzip": true,
		"gzip;q=x": false, "gzip;q=2": false, "gzip;q=NaN": false, "notgzip": false, "gzip2, br": false, ",, ;": false,
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.Header.Set("Accept-Encoding", header)
		if got := httpapi.TakesGzip(r); got != want {
			t.Errorf("%q: %v", header, got)
		}
	}
	r := httptest.NewRequest("GET", "/", nil)
	r.Header["Accept-Encoding"] = []string{"br", "gzip;q=0.8"}
	if !httpapi.TakesGzip(r) {
		t.Error("the second line of the header is not read")
	}
}
