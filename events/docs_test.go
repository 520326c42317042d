package events_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"folio/events"
)

const eventsPage = "../docs/events.md"

const pageHead = `# Events

Every fact that the log can hold, by stream. This page is made from the package
` + "`events`" + `: change the structs there and run ` + "`go test ./events -update`" + `.

Amounts are decimal text, instants RFC 3339 in UTC, dates local to the company's
country. Members marked * may be absent. What each event travels with (schema,
correlation, causation, actor, request, time) is in its metadata: see ` + "`events.Meta`" + `.
An example of each stored form is in [events/testdata](../events/testdata).

`

func TestTheEventsPageIsThatOfTheCatalogue(t *testing.T) {
	want := page(t)
	if *update {
		if err := os.MkdirAll(filepath.Dir(eventsPage), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(eventsPage, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(eventsPage)
	if err != nil {
		t.Fatalf("%v: run go test ./events -update", err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("docs/events.md is not that of the catalogue: run go test ./events -update\n%s", diff)
	}
}

// declared is a struct type of the package as its source has it.
type declared struct {
	doc    string
	fields *ast.FieldList
}

func page(t *testing.T) string {
	t.Helper()
	types := source(t)
	byStream, parts := map[string][]events.Entry{}, map[string]bool{}
	for _, e := range events.Catalog() {
		s := exampleOf(t, e.Zero).stream
		byStream[s] = append(byStream[s], e)
		collect(types, reflect.TypeOf(e.Zero).Name(), parts)
	}
	var b strings.Builder
	b.WriteString(pageHead)
	for _, stream := range slices.Sorted(maps.Keys(byStream)) {
		fmt.Fprintf(&b, "## Stream `%s`\n\n", stream)
		for _, e := range byStream[stream] {
			name := reflect.TypeOf(e.Zero).Name()
			fmt.Fprintf(&b, "### %s (schema %d)\n\n", e.Name, e.Schema)
			d := types[name]
			if said, ok := strings.CutPrefix(d.doc, name+": "); ok {
				d.doc = strings.ToUpper(said[:1]) + said[1:]
			}
			describe(&b, d)
		}
	}
	b.WriteString("## Parts\n\nWhat several events hold.\n\n")
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		fmt.Fprintf(&b, "### %s\n\n", name)
		describe(&b, types[name])
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// source reads the structs of the package with their comments.
func source(t *testing.T) map[string]declared {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	types := map[string]declared{}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.TYPE {
				continue
			}
			for _, s := range g.Specs {
				if spec := s.(*ast.TypeSpec); spec.Name.IsExported() {
					var fields *ast.FieldList
					if s, ok := spec.Type.(*ast.StructType); ok {
						fields = s.Fields
					}
					types[spec.Name.Name] = declared{strings.TrimSpace(g.Doc.Text()), fields}
				}
			}
		}
	}
	return types
}

// collect notes the struct types that the members of one are made of.
func collect(types map[string]declared, name string, into map[string]bool) {
	if types[name].fields == nil {
		return
	}
	for _, f := range types[name].fields.List {
		part := strings.TrimLeft(spelled(f.Type), "[]*")
		if types[part].fields != nil && part != "Fact" && !into[part] {
			into[part] = true
			collect(types, part, into)
		}
	}
}

func describe(b *strings.Builder, d declared) {
	fmt.Fprintf(b, "%s\n\n", d.doc)
	rows := 0
	for _, f := range d.fields.List {
		if f.Tag == nil {
			continue
		}
		name, options, _ := strings.Cut(reflect.StructTag(strings.Trim(f.Tag.Value, "`")).Get("json"), ",")
		if name == "-" {
			continue
		}
		if rows++; rows == 1 {
			b.WriteString("| member | type | |\n|---|---|---|\n")
		}
		if strings.Contains(options, "omit") {
			name += " *"
		}
		// What a field means stands behind it, or above it where it is long.
		meaning := strings.Join(strings.Fields(f.Doc.Text()+" "+f.Comment.Text()), " ")
		fmt.Fprintf(b, "| %s | %s | %s |\n", name, said(spelled(f.Type)), strings.ReplaceAll(meaning, "|", "\\|"))
	}
	if rows > 0 {
		b.WriteString("\n")
	}
}

// spelled is a type as its source has it.
func spelled(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.StarExpr:
		return spelled(e.X)
	case *ast.ArrayType:
		return "[]" + spelled(e.Elt)
	case *ast.SelectorExpr:
		return spelled(e.X) + "." + e.Sel.Name
	case *ast.MapType:
		return "map of " + said(spelled(e.Value)) + " by " + said(spelled(e.Key))
	}
	return fmt.Sprintf("%T", e)
}

// said is a type in words.
func said(typ string) string {
	if element, ok := strings.CutPrefix(typ, "[]"); ok {
		return "list of " + said(element)
	}
	switch typ {
	case "string", "Result":
		return "text"
	case "int", "int64":
		return "integer"
	case "bool":
		return "boolean"
	case "money.Decimal":
		return "decimal text"
	case "time.Time":
		return "instant"
	case "json.RawMessage":
		return "JSON"
	}
	return typ
}
