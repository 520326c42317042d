package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// pure are the packages that decide: what they return depends on the arguments alone.
var pure = []string{"money", "fault", "events", "country", "country/", "commands/", "resource", "summary"}

// impureImports bring clocks, randomness, I/O or a log with them.
var impureImports = []string{"context", "os", "io/fs", "net", "net/http", "math/rand", "math/rand/v2", "crypto/rand",
	"log", "log/slog", "database/sql"}

// clocks are the functions of package time that read one or wait.
var clocks = []string{"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker",
	"LoadLocation"}

func TestWhatDecidesIsPure(t *testing.T) {
	noneHas(t, impurities, pure, "commands/commandtest", "country/countrytest")
}

// noneHas wants no file of rooms, but for those excepted, to have a fault.
func noneHas(t *testing.T, faults func(t *testing.T, file string, src any) []string, rooms []string,
	excepted ...string) {
	t.Helper()
	for _, p := range packages(t) {
		if !anyFits(rooms, p.ImportPath) || slices.Contains(excepted, p.ImportPath) {
			continue
		}
		for _, name := range p.GoFiles {
			for _, fault := range faults(t, filepath.Join(p.Dir, name), nil) {
				t.Errorf("%s: %s", p.ImportPath, fault)
			}
		}
	}
}

// parsed is a file; src, when given, is its text.
func parsed(t *testing.T, file string, src any) (*token.FileSet, *ast.File) {
	t.Helper()
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, file, src, 0)
	if err != nil {
		t.Fatal(err)
	}
	return set, f
}

// impurities lists what makes a file impure; src, when given, is its text.
func impurities(t *testing.T, file string, src any) []string {
	t.Helper()
	set, f := parsed(t, file, src)
	var out []string
	for _, i := range f.Imports {
		if path := strings.Trim(i.Path.Value, `"`); slices.Contains(impureImports, path) {
			out = append(out, filepath.Base(file)+" imports "+path)
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		s, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if x, ok := s.X.(*ast.Ident); ok && x.Name == "time" && slices.Contains(clocks, s.Sel.Name) {
			out = append(out, set.Position(s.Pos()).String()+" calls time."+s.Sel.Name)
		}
		return true
	})
	return out
}

func TestImpurityIsFound(t *testing.T) {
	for name, src := range map[string]string{
		"a clock":     "package x\nimport \"time\"\nvar _ = time.Now()",
		"a wait":      "package x\nimport \"time\"\nfunc f() { time.Sleep(1) }",
		"randomness":  "package x\nimport _ \"math/rand/v2\"",
		"the network": "package x\nimport _ \"net/http\"",
	} {
		if len(impurities(t, "x.go", src)) != 1 {
			t.Errorf("%s was not found", name)
		}
	}
	if got := impurities(t, "x.go", "package x\nimport \"time\"\nvar Day = 24 * time.Hour"); len(got) != 0 {
		t.Errorf("a duration is no clock: %v", got)
	}
}
