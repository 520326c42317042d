package arch

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The most lines that a file and a function may have, and the most parameters of a function: what
// more of them belong together have a name.
const (
	maxFile       = 350
	maxFunction   = 60
	maxParameters = 5
)

func TestFilesAndFunctionsAreSmall(t *testing.T) {
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (strings.HasPrefix(d.Name(), ".") && d.Name() != ".." || d.Name() == "node_modules" ||
			d.Name() == "folio-data") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") {
			return nil
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if n := bytes.Count(src, []byte("\n")); n > maxFile {
			t.Errorf("%s has %d lines, %d are the most: it is a room that wants dividing", path, n, maxFile)
		}
		if !strings.Contains(path, "testdata") {
			for _, line := range longLines(src) {
				t.Errorf("%s:%d: the line has more than %d columns", path, line, maxColumns)
			}
		}
		largeFunctions(t, path, src)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// largeFunctions looks at declared functions; those of tests and of conformance suites
// (storetest, tabletest, ...) may be larger, since a table is one.
func largeFunctions(t *testing.T, path string, src []byte) {
	t.Helper()
	if strings.HasSuffix(path, "_test.go") || strings.HasSuffix(filepath.Dir(path), "test") {
		return
	}
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, path, src, 0)
	if err != nil {
		t.Error(err)
		return
	}
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		if n := set.Position(fn.End()).Line - set.Position(fn.Pos()).Line - 1; n > maxFunction {
			t.Errorf("%s: function %s has %d lines, %d are the most", path, fn.Name.Name, n, maxFunction)
		}
		if n := fn.Type.Params.NumFields(); n > maxParameters {
			t.Errorf("%s: function %s has %d parameters, %d are the most", path, fn.Name.Name, n, maxParameters)
		}
	}
}
