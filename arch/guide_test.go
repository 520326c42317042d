package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
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

// A reader finds from a name where a thing is: each folder has its place in the map, and the map names no
// folder that is gone.
func TestTheMapHasEveryFolder(t *testing.T) {
	text, err := os.ReadFile("../docs/repository.md")
	if err != nil {
		t.Fatal(err)
	}
	table, _, _ := strings.Cut(string(text), "## How to add")
	folders, err := os.ReadDir("..")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range folders {
		if f.IsDir() && hasFiles(t, f.Name()) && !strings.Contains(table, "`"+f.Name()+"/") {
			t.Errorf("docs/repository.md has no place for %s/", f.Name())
		}
	}
	for _, row := range strings.Split(table, "\n") {
		cells := strings.Split(row, "|")
		if len(cells) < 3 || !strings.Contains(cells[1], "`") {
			continue
		}
		for i, name := range strings.Split(cells[1], "`") {
			if _, err := os.Stat("../" + name); i%2 == 1 && err != nil {
				t.Errorf("docs/repository.md names %s: %v", name, err)
			}
		}
	}
}

// hasFiles says that a folder belongs to the repository: git knows something in it. Where there is no git, all do.
func hasFiles(t *testing.T, folder string) bool {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "git", "-C", "..", "ls-files", "--", folder).Output()
	return (len(out) > 0 || err != nil) && !strings.HasPrefix(folder, ".")
}

// Every kind of stream is told with what it makes certain.
func TestTheArchitectureHasEveryStream(t *testing.T) {
	text, err := os.ReadFile("../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("../commands/*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range category.FindAllStringSubmatch(string(src), -1) {
			found++
			if !strings.Contains(string(text), "`"+m[1]+"-<") {
				t.Errorf("docs/architecture.md does not tell of the streams %s-… of %s", m[1], file)
			}
		}
	}
	if found < 10 {
		t.Fatalf("only %d kinds of streams were found", found)
	}
}

var category = regexp.MustCompile(`\bCategory: +"([a-z]+)"`)

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
