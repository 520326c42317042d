package strict

import (
	"bytes"
	"encoding/json"
	"testing"

	"folio/fault"

	"github.com/gowebpki/jcs"
)

// readAnything asks for every kind of member, so that the fuzzer meets each reader.
func readAnything(o Object, depth int) {
	o.String("s", Required, MaxLen(5), Multiline)
	o.Date("d")
	o.DateTime("t", DateAlone)
	o.Decimal("n", Required)
	o.Int("i", Between(-5, 5))
	o.Bool("b")
	o.StringOrInt("id")
	o.Strings("ss", MinItems(1))
	o.Raw("raw")
	o.MustBeEmpty("e")
	if depth > 0 {
		readAnything(o.Object("o"), depth-1)
		o.Array("a", func(_ int, item Object) { readAnything(item, depth-1) })
	}
}

func FuzzDecode(f *testing.F) {
	for _, s := range []string{invoiceBody, `{"s":"x","n":1e400,"i":1.0,"a":[{"n":0.1}],"o":{"s":null}}`,
		`{"a":1,"\u0061":2}`, `[]`, "\xff", `{"n":1e-999999999999}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		b, err := Parse(raw)
		if err != nil {
			if g := fault.As(err); g == nil || g.Code != fault.Unparsable || g.Text == "" {
				t.Fatalf("refusal is %v", err)
			}
			return
		}
		if !json.Valid(raw) {
			t.Fatalf("encoding/json refuses %q", raw)
		}
		o := b.Object()
		readAnything(o, 2)
		err = o.Done()
		if g := fault.As(err); err != nil && (g == nil || g.Code != fault.Invalid || len(g.Violations) == 0) {
			t.Fatalf("violations are %v", err)
		}
		if err != nil {
			for _, v := range fault.As(err).Violations {
				if v.Path == "" || v.Code == "" || v.Message == "" {
					t.Fatalf("a violation lacks a part: %+v", v)
				}
			}
		}
		checkCanonical(t, b, raw)
	})
}

func checkCanonical(t *testing.T, b *Body, raw []byte) {
	t.Helper()
	canonical, err := b.Canonical()
	if err != nil {
		if fault.As(err) == nil {
			t.Fatalf("canonical form: %v", err)
		}
		return
	}
	again, err := Parse(canonical)
	if err != nil {
		t.Fatalf("canonical form %q does not parse: %v", canonical, err)
	}
	if twice, err := again.Canonical(); err != nil || !bytes.Equal(twice, canonical) {
		t.Fatalf("canonical form of %q is not stable: %q, %q (%v)", raw, canonical, twice, err)
	}
	if other, err := jcs.Transform(raw); err == nil && !bytes.Equal(other, canonical) {
		t.Fatalf("another implementation of RFC 8785 makes %q of %q, we %q", other, raw, canonical)
	}
}
