package derive

import (
	"go/ast"
	"go/constant"
	"go/types"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"folio/apidoc"
)

// holesBeside names what fills the gaps of a text that stands beside a code, by the arguments of its format; nil where
// not every gap has an argument.
func holesBeside(o origin, said string) []string {
	args := beside(o)
	for i, e := range args {
		if spoken(o, e) != said {
			continue
		}
		names := gapNames(o.pkg.TypesInfo, e, args[i+1:])
		if len(names) == strings.Count(said, "…") {
			return names
		}
		return nil
	}
	return nil
}

// gapNames are the names of what a text is filled with; rest are the arguments behind a text that is a format.
func gapNames(info *types.Info, e ast.Expr, rest []ast.Expr) (all []string) {
	if v := info.Types[e].Value; v != nil && v.Kind() == constant.String {
		n := 0
		for _, verb := range verbs.FindAllString(constant.StringVal(v), -1) {
			switch {
			case verb == "%%":
			case n < len(rest):
				all = append(all, nameIn(rest[n]))
				n++
			default:
				all = append(all, "")
			}
		}
		return all
	}
	switch x := ast.Unparen(e).(type) {
	case *ast.BinaryExpr:
		return append(gapNames(info, x.X, nil), gapNames(info, x.Y, nil)...)
	case *ast.CallExpr:
		if name := fullName(callee(info, x)); name == "fmt.Sprintf" || name == "fmt.Errorf" {
			return gapNames(info, x.Args[0], x.Args[1:])
		}
	}
	return []string{nameIn(e)}
}

// nameIn is the last name in an expression that says what its value is, in words; "" for none.
func nameIn(e ast.Expr) string {
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		return inWords(x.Name)
	case *ast.SelectorExpr:
		return inWords(x.Sel.Name)
	case *ast.IndexExpr:
		return nameIn(x.X)
	case *ast.SliceExpr:
		return nameIn(x.X)
	case *ast.StarExpr:
		return nameIn(x.X)
	case *ast.BinaryExpr:
		return nameIn(x.X)
	case *ast.CallExpr:
		for _, arg := range x.Args {
			if name := nameIn(arg); name != "" {
				return name
			}
		}
		if s, ok := x.Fun.(*ast.SelectorExpr); ok {
			return nameIn(s.X)
		}
	}
	return ""
}

// inWords is a name of the program as words; "" for one that says nothing.
func inWords(name string) string {
	if len(name) < 3 || name == "err" || name == "nil" {
		return ""
	}
	var b strings.Builder
	runes := []rune(name)
	for i, r := range runes {
		if unicode.IsUpper(r) && i > 0 && unicode.IsLower(runes[i-1]) {
			b.WriteByte(' ')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// memberForm is the name of a field of a request, or a path.
var memberForm = regexp.MustCompile(`^[a-z][a-z0-9_]*([.\[\]a-z0-9_%])*$`)

// fieldsBeside are the members that the path left of a code names.
func fieldsBeside(o origin) (all []string) {
	args := beside(o)
	at := slices.Index(args, o.expr)
	if at < 1 {
		return nil
	}
	info := o.pkg.TypesInfo
	if t := info.TypeOf(args[at-1]); t == nil || t.String() != "string" {
		return nil
	}
	ast.Inspect(args[at-1], func(n ast.Node) bool {
		e, ok := n.(ast.Expr)
		if !ok {
			return true
		}
		v := info.Types[e].Value
		if v == nil || v.Kind() != constant.String {
			return true
		}
		name := strings.Trim(strings.ReplaceAll(constant.StringVal(v), "[%d]", "[]"), ".")
		if memberForm.MatchString(name) && !strings.Contains(name, "%") && !slices.Contains(all, name) {
			all = append(all, name)
		}
		return false
	})
	return all
}

// keepHoles adds what an origin says of its code.
func keepHoles(to map[string]*apidoc.Holes, o origin) {
	h := to[o.value]
	if h == nil {
		h = &apidoc.Holes{Code: o.value}
		to[o.value] = h
	}
	for _, f := range o.fields {
		h.Fields = addText(h.Fields, f)
	}
	if len(o.holes) > 0 && slices.ContainsFunc(o.holes, func(s string) bool { return s != "" }) {
		if h.Names == nil {
			h.Names = map[string][]string{}
		}
		if h.Names[o.says] == nil {
			h.Names[o.says] = o.holes
		}
	}
}
