package arch

import (
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"testing"
)

// worded are the rooms whose faults callers read.
var worded = []string{"country", "country/ar", "country/cl", "country/uy", "writeapi", "readapi", "certificate", "pdf",
	"access",
	"commands", "commands/company", "commands/invoice", "commands/purchase", "commands/numbering", "commands/webhook",
	"commands/taxpayer"}

// tellers are the functions that word a fault for a caller.
var tellers = []string{"Add", "Fail", "FailElement", "Field", "New", "wrong", "unsupported"}

// inner is what prints a value as Go has it: [1 2 3], map[a:b], main.kind.
var inner = regexp.MustCompile(`%[-+# 0-9.]*[vTU]`)

func TestNoFaultIsWordedInFormsOfGo(t *testing.T) {
	noneHas(t, innerForms, worded)
}

// innerForms lists the texts of faults that print a value as Go has it.
func innerForms(t *testing.T, file string, src any) []string {
	t.Helper()
	set, f := parsed(t, file, src)
	var out []string
	ast.Inspect(f, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || !slices.Contains(tellers, called(call)) {
			return true
		}
		for _, argument := range call.Args {
			ast.Inspect(argument, func(n ast.Node) bool {
				if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING && inner.MatchString(l.Value) {
					out = append(out, set.Position(l.Pos()).String()+" has "+l.Value)
				}
				return true
			})
		}
		return true
	})
	return out
}

func called(call *ast.CallExpr) string {
	switch f := call.Fun.(type) {
	case *ast.SelectorExpr:
		return f.Sel.Name
	case *ast.Ident:
		return f.Name
	}
	return ""
}

func TestAnInnerFormIsFound(t *testing.T) {
	src := "package x\nfunc f() { v.Add(p, c, \"one of %v\", list); o.Fail(a, b, fmt.Sprintf(\"it is %T\", x)); " +
		"v.Add(p, c, \"%d of 100%\", 1) }"
	if got := innerForms(t, "x.go", src); len(got) != 2 {
		t.Errorf("found %v", got)
	}
}
