package arch

import (
	"go/scanner"
	"go/token"
	"strings"
	"testing"
	"unicode/utf8"
)

// maxColumns is how long a line may be, a tab counting as one.
const maxColumns = 120

// longLines are the lines of a file that are too long. One in which a literal stands across
// the last column is not: a text is not broken for the sake of a line.
func longLines(src []byte) (long []int) {
	set := token.NewFileSet()
	file := set.AddFile("", set.Base(), len(src))
	across := map[int]bool{}
	var s scanner.Scanner
	s.Init(file, src, nil, 0)
	for {
		pos, kind, text := s.Scan()
		if kind == token.EOF {
			break
		}
		if kind != token.STRING {
			continue
		}
		at := set.Position(pos)
		parts := strings.Split(text, "\n")
		for i := range parts {
			// A raw literal of several lines has all of them to itself.
			across[at.Line+i] = across[at.Line+i] || len(parts) > 1 || at.Column <= maxColumns &&
				at.Column+utf8.RuneCountInString(text) > maxColumns
		}
	}
	for i, line := range strings.Split(string(src), "\n") {
		if utf8.RuneCountInString(line) > maxColumns && !across[i+1] {
			long = append(long, i+1)
		}
	}
	return long
}

func TestTheRuleAboutLinesBites(t *testing.T) {
	pad := strings.Repeat("x", maxColumns)
	for line, want := range map[string]int{
		"var " + pad + " = 1":             1,
		"// " + pad:                       1,
		"var a, " + pad + ` = "b", "c"`:   1,
		`var a = "` + pad + `"`:           0,
		"var a = `\n" + pad + "b\n" + "`": 0,
	} {
		if got := longLines([]byte("package p\n\n" + line + "\n")); len(got) != want {
			t.Errorf("%.20s… has the long lines %v, want %d", line, got, want)
		}
	}
}
