package cl

import (
	"errors"
	"fmt"

	"golang.org/x/text/encoding/charmap"
)

// SII's files are ISO-8859-1: a character above U+00FF cannot be written.

// ErrNotLatin1 is wrapped when a text has a character that ISO-8859-1 lacks.
var ErrNotLatin1 = errors.New("a character is not in ISO-8859-1")

// ToLatin1 encodes UTF-8 text as ISO-8859-1. It refuses what that has no place for
// and names the first such character.
func ToLatin1(text string) ([]byte, error) {
	if r, foreign := foreignTo(text); foreign {
		return nil, fmt.Errorf("%w: %q", ErrNotLatin1, r)
	}
	return charmap.ISO8859_1.NewEncoder().Bytes([]byte(text))
}

// FromLatin1 decodes ISO-8859-1.
func FromLatin1(raw []byte) string {
	text, _ := charmap.ISO8859_1.NewDecoder().Bytes(raw) // every byte is a character there
	return string(text)
}

// foreignTo names the first character of a text that ISO-8859-1 lacks.
func foreignTo(text string) (rune, bool) {
	for _, r := range text {
		if _, ok := charmap.ISO8859_1.EncodeRune(r); !ok {
			return r, true
		}
	}
	return 0, false
}
