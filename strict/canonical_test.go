package strict

import (
	"testing"

	"folio/fault"

	"github.com/gowebpki/jcs"
)

func TestCanonicalFormIsRFC8785(t *testing.T) {
	for body, want := range map[string]string{
		`{"b":121.00,"a":[1e2,-0,0.10],"c":{"z":null,"y":true}}`: `{"a":[100,0,0.1],"b":121,"c":{"y":true,"z":null}}`,
		" [ 1 , \"\\u00f1\\/\\u000a\" ] ":                        `[1,"ñ/\n"]`,
		`[1e21,0.0000001,12345678901234567890,4.50]`:             `[1e+21,1e-7,12345678901234567000,4.5]`,
		`{"\ud83d\ude00":1,"\ufb33":2,"\u20ac":3,"1":4}`:         `{"1":4,"€":3,"😀":1,"` + "\ufb33" + `":2}`,
	} {
		b, err := Parse([]byte(body))
		if err != nil {
			t.Fatal(err)
		}
		got, err := b.Canonical()
		if err != nil || string(got) != want {
			t.Errorf("%s becomes %s (%v), want %s", body, got, err, want)
		}
		if other, err := jcs.Transform([]byte(body)); err != nil || string(other) != string(got) {
			t.Errorf("another implementation of RFC 8785 gives %s (%v), we %s", other, err, got)
		}
		if string(b.src) != body {
			t.Errorf("the body received is changed to %s", b.src)
		}
	}
}

func TestNumbersBeyondDoublesAreAFaultWithAPath(t *testing.T) {
	for _, body := range []string{`{"a":[0,1e400]}`, `{"a":[0,-1e99999999999999999999]}`} {
		b, err := Parse([]byte(body))
		if err != nil {
			t.Fatal(err)
		}
		_, err = b.Canonical()
		if f := fault.As(err); f == nil || !same(codes(err), []string{"a[1] TOO_MANY_DIGITS"}) {
			t.Errorf("%s: %v", body, err)
		}
	}
}
