package waiting_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// declared are the reasons that the source declares.
func declared(t *testing.T) (codes []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "waiting.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if kind, ok := spec.Type.(*ast.Ident); !ok || kind.Name != "Code" {
			return true
		}
		for _, v := range spec.Values {
			code, err := strconv.Unquote(v.(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			codes = append(codes, code)
		}
		return true
	})
	slices.Sort(codes)
	return codes
}

// documented are the codes in the first column of the table of reasons.
func documented(t *testing.T) (codes []string) {
	t.Helper()
	page, err := os.ReadFile("../docs/api.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(page), "| `pending_reason.code` | what helps |\n|---|---|\n")
	if !found {
		t.Fatal("docs/api.md has no table of pending_reason.code")
	}
	table, _, _ := strings.Cut(rest, "\n\n")
	for row := range strings.Lines(table) {
		for _, m := range regexp.MustCompile("`([A-Z_]+)`").FindAllStringSubmatch(strings.Split(row, "|")[1], -1) {
			codes = append(codes, m[1])
		}
	}
	slices.Sort(codes)
	return codes
}

func TestEveryReasonIsInTheDocumentationOnce(t *testing.T) {
	code, page := declared(t), documented(t)
	if len(code) < 10 || !slices.Equal(code, page) {
		t.Errorf("waiting.go declares\n%v\ndocs/api.md explains\n%v", code, page)
	}
}
