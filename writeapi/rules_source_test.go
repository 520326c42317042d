package writeapi

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// otherRequests are families of rules about what is no invoice.
var otherRequests = regexp.MustCompile(`-(PURCHASE|RANGE)-`)

// rulesOf are the codes of a country's rules about invoices, read from its source: written
// out, or begun there and ended by a function that the countries share.
func rulesOf(t *testing.T, cc string) []string {
	t.Helper()
	ends := map[string][]string{}
	each(t, "../country", func(n ast.Node, within string) {
		if b, ok := n.(*ast.BinaryExpr); ok && b.Op == token.ADD {
			if end, ok := b.Y.(*ast.BasicLit); ok && strings.HasPrefix(end.Value, `"-0`) {
				ends[within] = append(ends[within], unquoted(t, end))
			}
		}
	})
	codes := map[string]bool{}
	whole := regexp.MustCompile(`^` + strings.ToUpper(cc) + `-[A-Z]+-\d\d$`)
	each(t, "../country/"+strings.ToLower(cc), func(n ast.Node, _ string) {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING && whole.MatchString(unquoted(t, lit)) {
			codes[unquoted(t, lit)] = true
		}
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) == 0 {
			return
		}
		selector, named := call.Fun.(*ast.SelectorExpr)
		first, text := call.Args[0].(*ast.BasicLit)
		if !named || !text {
			return
		}
		for _, end := range ends[selector.Sel.Name] {
			codes[unquoted(t, first)+end] = true
		}
	})
	maps.DeleteFunc(codes, func(code string, _ bool) bool { return otherRequests.MatchString(code) })
	return slices.Sorted(maps.Keys(codes))
}

func unquoted(t *testing.T, lit *ast.BasicLit) string {
	t.Helper()
	text, err := strconv.Unquote(lit.Value)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// each visits the source of a package without its tests, and says in which function.
func each(t *testing.T, dir string, visit func(n ast.Node, within string)) {
	t.Helper()
	files, err := filepath.Glob(dir + "/*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("no source in %s: %v", dir, err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range parsed.Decls {
			within := ""
			if f, ok := d.(*ast.FuncDecl); ok {
				within = f.Name.Name
			}
			ast.Inspect(d, func(n ast.Node) bool {
				visit(n, within)
				return true
			})
		}
	}
}
