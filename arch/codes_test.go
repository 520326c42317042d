package arch

import (
	"go/ast"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// neutral are the packages that know no authority's codes: a driver says what its
// authority's code means.
var neutral = append([]string{"authority", "authority/circuit", "authority/wire", "authority/schema", "country",
	"resource", "verification"},
	nowhere...)

func TestNoCodeOfAnAuthorityIsKnownOutsideItsDriver(t *testing.T) {
	codes := codesOfDrivers(t)
	for _, known := range []string{"10016", "501", "109"} {
		if !slices.Contains(codes, known) {
			t.Fatalf("%s is not among the codes %v that drivers name", known, codes)
		}
	}
	noneHas(t, func(t *testing.T, file string, src any) []string { return literalsIn(t, file, src, codes) }, neutral)
}

// leastCode is how long a code must be to tell it from other texts.
const leastCode = 3

// codesOfDrivers are the values of the constants that drivers name as codes.
func codesOfDrivers(t *testing.T) (codes []string) {
	t.Helper()
	for _, p := range packages(t) {
		if !slices.Contains([]string{"authority/arca", "authority/sii", "authority/dgi"}, p.ImportPath) {
			continue
		}
		for _, name := range p.GoFiles {
			_, f := parsed(t, filepath.Join(p.Dir, name), nil)
			ast.Inspect(f, func(n ast.Node) bool {
				if v, ok := n.(*ast.ValueSpec); ok && strings.HasPrefix(strings.ToLower(v.Names[0].Name), "code") &&
					len(v.Values) == 1 {
					if l, ok := v.Values[0].(*ast.BasicLit); ok && len(strings.Trim(l.Value, `"`)) >= leastCode {
						codes = append(codes, strings.Trim(l.Value, `"`))
					}
				}
				return true
			})
		}
	}
	return codes
}

// literalsIn lists the texts of a file that are one of codes. Numbers do not count: the
// contract has codes as texts.
func literalsIn(t *testing.T, file string, src any, codes []string) []string {
	t.Helper()
	set, f := parsed(t, file, src)
	var out []string
	ast.Inspect(f, func(n ast.Node) bool {
		l, ok := n.(*ast.BasicLit)
		if !ok || l.Kind != token.STRING {
			return true
		}
		if text, err := strconv.Unquote(l.Value); err == nil && slices.Contains(codes, text) {
			out = append(out, set.Position(l.Pos()).String()+" has "+l.Value)
		}
		return true
	})
	return out
}

func TestACodeIsFound(t *testing.T) {
	src := "package x\nvar a, b, c = \"10016\", 10016, \"100160\""
	if got := literalsIn(t, "x.go", src, []string{"10016"}); len(got) != 1 {
		t.Errorf("found %v", got)
	}
}
