package cl

import (
	"bytes"
	"errors"
	"fmt"
	"unicode/utf8"
)

// SII's files are ISO-8859-1: a character above U+00FF cannot be written.

// ErrNotLatin1 is wrapped when a text has a character that ISO-8859-1 lacks.
var ErrNotLatin1 = errors.New("a character is not in ISO-8859-1")

// ToLatin1 encodes UTF-8 text as ISO-8859-1. It refuses what that has no place for
// and names the first such character.
func ToLatin1(text string) ([]byte, error) {
	out := make([]byte, 0, len(text))
	for _, r := range text {
		if r > 0xff {
			return nil, fmt.Errorf("%w: %q", ErrNotLatin1, r)
		}
		out = append(out, byte(r))
	}
	return out, nil
}

// FromLatin1 decodes ISO-8859-1; every byte is a character there.
func FromLatin1(raw []byte) string {
	out := make([]rune, len(raw))
	for i, b := range raw {
		out[i] = rune(b)
	}
	return string(out)
}

// foreignTo names the first character of a text that ISO-8859-1 lacks.
func foreignTo(text string) (rune, bool) {
	for _, r := range text {
		if r > 0xff {
			return r, true
		}
	}
	return 0, false
}

// cut is the first n characters of a text, never half of one.
func cut(text string, n int) string {
	for i := range text {
		if n == 0 {
			return text[:i]
		}
		n--
	}
	return text
}

var utf8BOM = []byte("\xef\xbb\xbf")

// decode is the text of a numbering file. SII writes ISO-8859-1 and often says
// nothing; people save it again as UTF-8 and leave any declaration as it was. So the
// bytes decide: what is UTF-8 by chance would not verify.
func decode(file []byte) string {
	bare := bytes.TrimPrefix(file, utf8BOM)
	if utf8.Valid(bare) {
		return string(bare)
	}
	return FromLatin1(bare)
}
