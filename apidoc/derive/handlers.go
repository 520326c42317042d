package derive

import (
	"go/ast"
	"go/constant"
	"go/types"
	"slices"
	"strings"

	"folio/fault"

	"golang.org/x/tools/go/packages"
)

// handling is what the statements that a handler can come to say about its operation.
type handling struct {
	answers    map[string][]types.Type // by status; none: no body
	files      []string                // content types
	list       types.Type              // of a page's records
	facts, csv bool
	query      []parameter
	form       []parameter
	headers    []string   // read of the request
	sets       []string   // of the answer
	json, key  bool       // reads a JSON body; Idempotency-Key
	line       types.Type // that answers each line of a body of JSON lines; nil for any other
	optional   bool       // its body may be left out
	kinds      []string   // of faults
	writes     bool       // runs a command
	asks       bool       // reads the query to its end
}

// parameter is one of a query or a form.
type parameter struct {
	name, kind string // kind is the reader: String, Int, Date, Text, File
	required   bool
	low, high  string
	max        string
}

// handling walks everything of the two sides that the handler calls.
func (p *Program) handling(handler string) *handling {
	h := &handling{answers: map[string][]types.Type{}}
	seen := map[types.Object]bool{}
	var walk func(o types.Object, args map[*types.Var]string)
	walk = func(o types.Object, args map[*types.Var]string) {
		b := p.bodies[o]
		if b == nil || seen[o] && len(args) == 0 || !side(b.pkg.PkgPath) {
			return
		}
		first := !seen[o]
		seen[o] = true
		ast.Inspect(b.block, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				h.call(b, n, args, first)
				to := callee(b.pkg.TypesInfo, n)
				h.wired(p, to)
				if inner := p.bodies[to]; inner != nil {
					walk(to, constants(b.pkg, inner, n))
				}
			case *ast.AssignStmt:
				h.assigned(b, n)
			case *ast.CompositeLit:
				h.literal(b, n)
			case *ast.SelectorExpr: // a method that is handed on
				if f, ok := b.pkg.TypesInfo.Uses[n.Sel].(*types.Func); ok {
					walk(f.Origin(), nil)
				}
			case *ast.Ident:
				h.uses(p, b, n)
			}
			return true
		})
	}
	walk(p.functions[handler], nil)
	return h
}

// wired notes the faults of what the program gives a side behind an interface.
func (h *handling) wired(p *Program, o types.Object) {
	f, ok := o.(*types.Func)
	if !ok || f.Pkg() == nil || !side(f.Pkg().Path()) || f.Signature().Recv() == nil {
		return
	}
	of, ok := f.Signature().Recv().Type().Underlying().(*types.Interface)
	if !ok {
		return
	}
	for own, b := range p.bodies {
		m, ok := own.(*types.Func)
		if !ok || b.pkg.PkgPath != "folio/cmd/folio" || m.Name() != f.Name() || m.Signature().Recv() == nil ||
			!types.Implements(m.Signature().Recv().Type(), of) {
			continue
		}
		ast.Inspect(b.block, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				if fullName(callee(b.pkg.TypesInfo, n)) == "folio/fault.New" {
					h.kinds = addText(h.kinds, textOf(b.pkg, n.Args[0], nil))
				}
			case *ast.Ident:
				h.uses(p, b, n)
			}
			return true
		})
	}
}

func side(path string) bool {
	return path == "folio/writeapi" || path == "folio/readapi"
}

// constants are the texts that a call gives to parameters.
func constants(pkg *packages.Package, to *body, call *ast.CallExpr) map[*types.Var]string {
	out := map[*types.Var]string{}
	for i, arg := range call.Args {
		if v := pkg.TypesInfo.Types[arg].Value; v != nil && v.Kind() == constant.String && i < len(to.params) &&
			to.params[i] != nil {
			out[to.params[i]] = constant.StringVal(v)
		}
	}
	return out
}

// assigned notes headers that are set in the map itself.
func (h *handling) assigned(b *body, to *ast.AssignStmt) {
	for _, e := range to.Lhs {
		at, ok := e.(*ast.IndexExpr)
		if !ok || b.pkg.TypesInfo.TypeOf(at.X).String() != "net/http.Header" {
			continue
		}
		switch name := textOf(b.pkg, at.Index, nil); name {
		case "Content-Type":
		case "Etag":
			h.sets = addText(h.sets, "ETag")
		default:
			h.sets = addText(h.sets, name)
		}
	}
}

func (h *handling) call(b *body, call *ast.CallExpr, args map[*types.Var]string, first bool) {
	name := fullName(callee(b.pkg.TypesInfo, call))
	text := func(i int) string { return textOf(b.pkg, call.Args[i], args) }
	switch method := name[strings.LastIndexByte(name, '.')+1:]; {
	case strings.HasPrefix(name, "(*folio/strict.Query).") && slices.Contains([]string{"String", "Int", "Date"}, method):
		h.query = add(h.query, parameterOf(b, call, text(0), method, b.pkg))
	case strings.HasPrefix(name, "(*folio/strict.Form).") && slices.Contains([]string{"Text", "File", "Date"}, method):
		h.form = add(h.form, parameterOf(b, call, text(0), method, b.pkg))
	case !first:
	case name == "folio/httpapi.JSON", name == "folio/httpapi.RawJSON":
		for _, status := range statuses(b, call.Args[1]) {
			if name == "folio/httpapi.JSON" {
				h.answer(status, b.pkg.TypesInfo.TypeOf(call.Args[2]))
			}
		}
	case name == "folio/httpapi.ServeContent":
		h.kinds = addText(h.kinds, string(fault.NoRange))
	case name == "folio/httpapi.NoContent":
		h.answers["204"] = nil
	case name == "(net/http.ResponseWriter).WriteHeader":
		h.answers[statuses(b, call.Args[0])[0]] = nil
	case name == "folio/httpapi.ReadJSON", name == "folio/httpapi.ReadShortJSON":
		h.json = true
	case name == "folio/httpapi.ReadOptionalJSON":
		h.json, h.optional = true, true
	case name == "(*folio/httpapi.Lines).Answer":
		h.json, h.line = true, b.pkg.TypesInfo.TypeOf(call.Args[0])
	case name == "(*folio/strict.Query).Done":
		h.asks = true
	case name == "folio/httpapi.IdempotencyKey":
		h.key = true
	case name == "(net/http.Header).Get":
		if x := text(0); strings.HasPrefix(x, "Folio-") || x == "If-None-Match" {
			h.headers = addText(h.headers, x)
		}
	case name == "(net/http.Header).Set" && text(0) == "Content-Type":
		kind, _, _ := strings.Cut(text(1), ";")
		h.files = addText(h.files, kind)
	case name == "(net/http.Header).Set":
		h.sets = addText(h.sets, text(0))
	case name == "folio/readapi.answerList":
		h.listOf(b, call)
	case strings.HasSuffix(name, ".answerFacts"):
		h.facts = true
	case strings.HasSuffix(name, "readapi.formatOf"):
		h.csv = true
	case name == "folio/fault.New":
		h.kinds = addText(h.kinds, text(0))
	case strings.Contains(name, "folio/commands") && strings.HasPrefix(method, "Execute"):
		h.writes = true
	}
}

func (h *handling) answer(status string, t types.Type) {
	if !slices.ContainsFunc(h.answers[status], func(x types.Type) bool { return types.Identical(x, t) }) {
		h.answers[status] = append(h.answers[status], t)
	}
}

// uses notes the faults that are named.
func (h *handling) uses(p *Program, b *body, n *ast.Ident) {
	if v, ok := b.pkg.TypesInfo.Uses[n].(*types.Var); ok {
		h.kinds = addText(h.kinds, p.faults[v].kind)
	}
}

func (h *handling) literal(b *body, lit *ast.CompositeLit) {
	n, ok := types.Unalias(b.pkg.TypesInfo.TypeOf(lit)).(*types.Named)
	if !ok {
		return
	}
	switch n.Obj().Name() {
	case "listing":
		if h.list == nil && n.TypeArgs().Len() == 2 {
			if _, open := n.TypeArgs().At(1).(*types.TypeParam); !open {
				h.list = n.TypeArgs().At(1)
			}
		}
	case "file":
		if len(lit.Elts) > 1 {
			kind := textOf(b.pkg, lit.Elts[1], nil)
			if x, ok := lit.Elts[1].(*ast.BinaryExpr); ok && kind == "" {
				kind = textOf(b.pkg, x.X, nil)
			}
			kind, _, _ = strings.Cut(kind, ";")
			h.files = addText(h.files, kind)
		}
	}
}

func (h *handling) listOf(b *body, call *ast.CallExpr) {
	name, _ := call.Fun.(*ast.Ident)
	if in, ok := b.pkg.TypesInfo.Instances[name]; ok && in.TypeArgs.Len() == 2 {
		h.list = in.TypeArgs.At(1)
	}
}

// textOf is a constant text, also of a parameter that was given one.
func textOf(pkg *packages.Package, e ast.Expr, args map[*types.Var]string) string {
	if v := pkg.TypesInfo.Types[e].Value; v != nil && v.Kind() == constant.String {
		return constant.StringVal(v)
	}
	if name, ok := e.(*ast.Ident); ok {
		if v, ok := pkg.TypesInfo.Uses[name].(*types.Var); ok {
			return args[v]
		}
	}
	return ""
}

// statuses are the values of an expression: a constant, or what a variable is set to.
func statuses(b *body, e ast.Expr) (out []string) {
	info := b.pkg.TypesInfo
	if v := info.Types[e].Value; v != nil {
		return []string{v.String()}
	}
	name, ok := e.(*ast.Ident)
	if !ok {
		return nil
	}
	ast.Inspect(b.block, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok {
			for i, left := range a.Lhs {
				if x, ok := left.(*ast.Ident); ok && info.ObjectOf(x) == info.ObjectOf(name) && i < len(a.Rhs) {
					if v := info.Types[a.Rhs[i]].Value; v != nil {
						out = append(out, v.String())
					}
				}
			}
		}
		return true
	})
	return out
}

func parameterOf(b *body, call *ast.CallExpr, name, kind string, pkg *packages.Package) parameter {
	p := parameter{name: name, kind: kind}
	for _, arg := range call.Args[1:] {
		if s, ok := arg.(*ast.SelectorExpr); ok && s.Sel.Name == "Required" {
			p.required = true
		}
		rule, ok := arg.(*ast.CallExpr)
		if !ok {
			continue
		}
		value := func(i int) string {
			if v := pkg.TypesInfo.Types[rule.Args[i]].Value; v != nil {
				return v.ExactString()
			}
			return ""
		}
		switch fullName(callee(b.pkg.TypesInfo, rule)) {
		case "folio/strict.Between":
			p.low, p.high = value(0), value(1)
		case "folio/strict.MaxLen":
			p.max = value(0)
		}
	}
	return p
}

func add(all []parameter, p parameter) []parameter {
	if p.name == "" || slices.ContainsFunc(all, func(x parameter) bool { return x.name == p.name }) {
		return all
	}
	return append(all, p)
}

func addText(all []string, x string) []string {
	if x == "" || slices.Contains(all, x) {
		return all
	}
	return append(all, x)
}
