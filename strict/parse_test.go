package strict

import (
	"strings"
	"testing"

	"folio/fault"
)

func TestBodiesThatCannotBeParsed(t *testing.T) {
	for _, c := range []struct{ name, body, constant, text string }{
		{"nothing", "", "BODY_NOT_JSON", "empty"},
		{"only spaces", " \n ", "BODY_NOT_JSON", "empty"},
		{"no JSON at all", "hello", "BODY_NOT_JSON", "line 1, column 1"},
		{"cut off", `{"a": 1`, "BODY_NOT_JSON", ""},
		{"cut off in a string", `{"a": "b`, "BODY_NOT_JSON", ""},
		{"cut off after a name", `{"a"`, "BODY_NOT_JSON", ""},
		{"a comma at the end", `{"a": 1,}`, "BODY_NOT_JSON", "line 1, column 8"},
		{"single quotes", `{'a': 1}`, "BODY_NOT_JSON", "column 2"},
		{"a comment", "{\n// x\n\"a\":1}", "BODY_NOT_JSON", "line 2"},
		{"NaN", `{"a": NaN}`, "BODY_NOT_JSON", ""},
		{"a leading zero", `{"a": 01}`, "BODY_NOT_JSON", ""},
		{"a plus sign", `{"a": +1}`, "BODY_NOT_JSON", ""},
		{"a point without digits", `{"a": 1.}`, "BODY_NOT_JSON", ""},
		{"a raw control character", "{\"a\": \"x\x01\"}", "BODY_NOT_JSON", ""},
		{"a raw line end in a string", "{\"a\": \"x\n\"}", "BODY_NOT_JSON", ""},
		{"a bad escape", `{"a": "\q"}`, "BODY_NOT_JSON", ""},
		{"a byte order mark", "\ufeff{}", "BODY_NOT_JSON", ""},
		{"bytes after it", `{} x`, "BODY_NOT_JSON", "after its JSON value"},
		{"a second value", `{}{}`, "BODY_NOT_JSON", "after its JSON value"},
		{"a stray bracket", `{}]`, "BODY_NOT_JSON", "after its JSON value"},
		{"the wrong bracket", `[}`, "BODY_NOT_JSON", ""},
		{"bad UTF-8 in a value", "{\"a\": \"\xff\"}", "BODY_NOT_UTF8", "column"},
		{"bad UTF-8 in a name", "{\"\xc3\x28\": 1}", "BODY_NOT_UTF8", "column"},
		{"a letter cut in two", "{\"a\": \"\xc3\"}", "BODY_NOT_UTF8", "column"},
		{"Latin-1", "{\"a\": \"Mu\xf1oz\"}", "BODY_NOT_UTF8", "column"},
		{"an encoded surrogate", "{\"a\": \"\xed\xa0\x80\"}", "BODY_NOT_UTF8", ""},
		{"a lone surrogate", `{"a": "\ud800"}`, "BODY_NOT_JSON", ""},
		{"surrogates in the wrong order", `{"a": "\udc00\ud800"}`, "BODY_NOT_JSON", ""},
		{"a duplicate member", `{"total": 1, "total": 2}`, "DUPLICATE_MEMBER", "total"},
		{"a duplicate member by escape", `{"total": 1, "t\u006ftal": 2}`, "DUPLICATE_MEMBER", "total"},
		{"a duplicate member deep inside", `{"items": [{}, {"taxes": [{"a": 1, "a": 1}]}]}`, "DUPLICATE_MEMBER",
			"items[1].taxes[0].a"},
		{"nested too deep", strings.Repeat("[", 33) + strings.Repeat("]", 33), "BODY_NOT_JSON", "deeper than 32"},
		{"nested 100,000 deep", strings.Repeat(`{"a":[`, 50_000), "BODY_NOT_JSON", "deeper than 32"},
	} {
		b, err := Parse([]byte(c.body))
		f := fault.As(err)
		if b != nil || f == nil || f.Code != fault.Unparsable || f.Constant != c.constant ||
			!strings.Contains(f.Text, c.text) {
			t.Errorf("%s: %+v, want %s with %q", c.name, err, c.constant, c.text)
		}
		if f != nil && len(f.Text) > 400 {
			t.Errorf("%s: text of %d bytes", c.name, len(f.Text))
		}
	}
}

func TestDuplicateMemberHasItsPath(t *testing.T) {
	_, err := Parse([]byte(`{"totals": {"total": 1, "total": 2}}`))
	if got := codes(err); !same(got, []string{"totals.total DUPLICATE_MEMBER"}) {
		t.Errorf("violations are %v", got)
	}
}

func TestBodiesThatParse(t *testing.T) {
	for _, body := range []string{`{}`, `[]`, ` {"a" : [ 1 , {} , [] , null , true , "x" ] } `, `1e400`, `"\ud83d\ude00"`,
		strings.Repeat("[", 32) + strings.Repeat("]", 32), `{"":{"":{}}}`, `{"a":"\u0000"}`} {
		if _, err := Parse([]byte(body)); err != nil {
			t.Errorf("%s: %v", body, err)
		}
	}
}
