package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Whoever adds a country learns from the guide what rules and a driver may do besides what all must.
func TestTheGuideNamesEveryCapability(t *testing.T) {
	guide, err := os.ReadFile("../docs/adding-a-country.md")
	if err != nil {
		t.Fatal(err)
	}
	for name, file := range optional(t) {
		if !strings.Contains(string(guide), "`"+name+"`") {
			t.Errorf("docs/adding-a-country.md does not name %s of %s", name, file)
		}
	}
}

// optional are the interfaces that "is implemented by the rules of" some countries, and the
// capabilities of drivers, with the file of each.
func optional(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	for _, room := range []string{"country", "authority"} {
		files, err := filepath.Glob("../" + room + "/*.go")
		if err != nil || len(files) == 0 {
			t.Fatalf("no files of %s: %v", room, err)
		}
		for _, file := range files {
			f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(f, func(n ast.Node) bool {
				switch d, ok := n.(*ast.GenDecl); {
				case !ok:
				case d.Tok == token.TYPE && room == "country" &&
					strings.Contains(strings.ReplaceAll(d.Doc.Text(), "\n", " "), "is implemented by the rules of"):
					found["country."+d.Specs[0].(*ast.TypeSpec).Name.Name] = file
				case d.Tok == token.TYPE && d.Specs[0].(*ast.TypeSpec).Name.Name == "Capabilities":
					for _, field := range d.Specs[0].(*ast.TypeSpec).Type.(*ast.StructType).Fields.List {
						found[field.Names[0].Name] = file
					}
				}
				return true
			})
		}
	}
	if len(found) < 10 {
		t.Fatalf("only %v were found", found)
	}
	return found
}
