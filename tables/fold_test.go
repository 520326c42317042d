package tables

import (
	"testing"

	"golang.org/x/text/cases"
)

func TestFoldingIsFullFoldingWhateverTheText(t *testing.T) {
	texts := []string{"", "Accepted", "STRASSE", "Straße", "ΣΊΣΥΦΟΣ", "İstanbul", "ñandú Ñ", "\x00\x7f"}
	for c := range rune(0x250) {
		texts = append(texts, "a"+string(c)+"Z")
	}
	for _, s := range texts {
		if got, want := Fold(s), cases.Fold().String(s); got != want {
			t.Errorf("%q became %q, want %q", s, got, want)
		}
	}
}
