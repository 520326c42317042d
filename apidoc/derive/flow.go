package derive

import (
	"cmp"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"
	"unicode"

	"golang.org/x/tools/go/packages"
)

// flow follows texts backwards: from the fields that hold a code to every constant that can
// come there, through parameters, results and variables.
type flow struct {
	p      *Program
	sites  map[types.Object][]site // calls by what is called
	fields map[*types.Var][]origin // what is written into a field
	seen   map[step]bool
	found  []origin
	lost   []origin // nobody knows what comes from there
}

type site struct {
	pkg  *packages.Package
	call *ast.CallExpr
	in   *body
}

// origin is an expression whose text arrives, with what is written behind it.
type origin struct {
	pkg    *packages.Package
	expr   ast.Expr
	in     *body
	suffix string
	around ast.Node // the call or literal that it stands in
	value  string   // of a constant, with the suffix
	says   string   // what stands beside it, here or on its way
	fills  string   // what stands beside it further on its way, and fills a gap of says
	kind   string   // of the fault
	holes  []string // what fills the gaps of says
	fields []string // which the path beside it names
}

type step struct {
	expr                ast.Expr
	suffix, says, fills string
}

func newFlow(p *Program) *flow {
	f := &flow{p: p, sites: map[types.Object][]site{}, fields: map[*types.Var][]origin{}, seen: map[step]bool{}}
	for _, pkg := range p.packages {
		for _, file := range pkg.Syntax {
			f.collect(pkg, file, nil)
		}
	}
	return f
}

// collect notes calls and what is written into fields; in is the declared function around.
func (f *flow) collect(pkg *packages.Package, root ast.Node, in *body) {
	ast.Inspect(root, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n != root && n.Body != nil {
				f.collect(pkg, n.Body, f.p.bodies[pkg.TypesInfo.Defs[n.Name]])
				return false
			}
		case *ast.CallExpr:
			if o := callee(pkg.TypesInfo, n); o != nil {
				f.sites[o] = append(f.sites[o], site{pkg, n, in})
			}
		case *ast.CompositeLit:
			f.literal(pkg, n, in)
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				if s, ok := left.(*ast.SelectorExpr); ok && len(n.Lhs) == len(n.Rhs) {
					if v, ok := pkg.TypesInfo.Uses[s.Sel].(*types.Var); ok && v.IsField() {
						f.fields[v] = append(f.fields[v], origin{pkg: pkg, expr: n.Rhs[i], in: in, around: n})
					}
				}
			}
		}
		return true
	})
}

func (f *flow) literal(pkg *packages.Package, lit *ast.CompositeLit, in *body) {
	t := pkg.TypesInfo.TypeOf(lit)
	if t == nil {
		return
	}
	if at, ok := t.Underlying().(*types.Pointer); ok {
		t = at.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return
	}
	for i, e := range lit.Elts {
		var v *types.Var
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			name, _ := kv.Key.(*ast.Ident)
			v, _ = pkg.TypesInfo.Uses[name].(*types.Var)
			e = kv.Value
		} else if i < s.NumFields() {
			v = s.Field(i)
		}
		if v != nil {
			f.fields[v] = append(f.fields[v], origin{pkg: pkg, expr: e, in: in, around: lit})
		}
	}
}

// field follows everything that is written into a field.
func (f *flow) field(v *types.Var, from origin) {
	if v.Name() == "Constant" { // who hands a fault on does not say what it says
		from.says, from.fills, from.holes = "", "", nil
	}
	for _, o := range f.fields[v] {
		o.suffix, o.says, o.fills, o.kind = from.suffix, from.says, from.fills, from.kind
		o.holes, o.fields = from.holes, from.fields
		f.follow(o)
	}
}

// moved is the origin of which o comes.
func (o origin) moved(pkg *packages.Package, e ast.Expr, in *body, around ast.Node) origin {
	o.pkg, o.expr, o.in, o.around = pkg, e, in, around
	return o
}

func (f *flow) follow(o origin) {
	if o.fields == nil {
		o.fields = fieldsBeside(o)
	}
	if said := saidBeside(o); o.says == "" {
		o.says, o.holes = said, holesBeside(o, said)
	} else if said != o.says && strings.ContainsFunc(said, unicode.IsLetter) {
		o.fills = said
	}
	o.kind = cmp.Or(kindOf(o), o.kind)
	at := step{o.expr, o.suffix, o.says, o.fills}
	if f.seen[at] {
		return
	}
	f.seen[at] = true
	info := o.pkg.TypesInfo
	if v := info.Types[o.expr].Value; v != nil && v.Kind() == constant.String {
		o.value = constant.StringVal(v) + o.suffix
		f.found = append(f.found, o)
		return
	}
	switch e := ast.Unparen(o.expr).(type) {
	case *ast.BinaryExpr:
		if v := info.Types[e.Y].Value; e.Op == token.ADD && v != nil {
			o.expr, o.suffix = e.X, constant.StringVal(v)+o.suffix
			f.follow(o)
			return
		}
	case *ast.Ident:
		if v, ok := info.Uses[e].(*types.Var); ok {
			f.variable(o, v)
			return
		}
	case *ast.SelectorExpr:
		if v, ok := info.Uses[e.Sel].(*types.Var); ok && v.IsField() {
			if !f.again(o, e) {
				f.field(v, o)
			}
			return
		}
	case *ast.CallExpr:
		if t := info.Types[e.Fun]; t.IsType() { // a conversion
			o.expr = e.Args[0]
			f.follow(o)
			return
		}
		f.result(o, e, 0)
		return
	}
	f.lost = append(f.lost, o)
}

// again takes the constant of a fault that a variable holds, and that is made again with
// another text.
func (f *flow) again(o origin, e *ast.SelectorExpr) bool {
	name, ok := ast.Unparen(e.X).(*ast.Ident)
	if !ok || e.Sel.Name != "Constant" {
		return false
	}
	of, ok := o.pkg.TypesInfo.Uses[name].(*types.Var)
	if !ok || f.p.faults[of].constant == "" {
		return false
	}
	o.value, o.kind = f.p.faults[of].constant, f.p.faults[of].kind
	f.found = append(f.found, o)
	return true
}

// variable follows what a parameter is given, or a variable is set to.
func (f *flow) variable(o origin, v *types.Var) {
	if q, ok := f.p.params[v]; ok {
		for _, s := range f.sites[q.of] {
			if q.at < len(s.call.Args) {
				f.follow(o.moved(s.pkg, s.call.Args[q.at], s.in, s.call))
			}
		}
		return
	}
	known := false
	for _, file := range o.pkg.Syntax {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for i, left := range n.Lhs {
					name, ok := left.(*ast.Ident)
					if !ok || o.pkg.TypesInfo.ObjectOf(name) != v {
						continue
					}
					known = true
					if len(n.Lhs) == len(n.Rhs) {
						f.follow(o.moved(o.pkg, n.Rhs[i], o.in, n))
					} else if call, ok := n.Rhs[0].(*ast.CallExpr); ok {
						f.result(o, call, i)
					}
				}
			case *ast.ValueSpec:
				for i, name := range n.Names {
					if o.pkg.TypesInfo.Defs[name] == v {
						known = true
						if i < len(n.Values) {
							f.follow(o.moved(o.pkg, n.Values[i], o.in, n))
						}
					}
				}
			case *ast.RangeStmt:
				for _, at := range []ast.Expr{n.Key, n.Value} {
					if name, ok := at.(*ast.Ident); ok && o.pkg.TypesInfo.Defs[name] == v {
						known = true
						f.elements(o, n.X, at == n.Key)
					}
				}
			}
			return true
		})
	}
	if !known {
		f.lost = append(f.lost, o)
	}
}

// elements follows the keys or values of a literal that is walked.
func (f *flow) elements(o origin, over ast.Expr, keys bool) {
	lit, ok := ast.Unparen(over).(*ast.CompositeLit)
	if !ok {
		f.lost = append(f.lost, o)
		return
	}
	for _, e := range lit.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			if e = kv.Value; keys {
				e = kv.Key
			}
		}
		f.follow(o.moved(o.pkg, e, o.in, lit))
	}
}

// result follows what a call returns in one place.
func (f *flow) result(o origin, call *ast.CallExpr, i int) {
	b := f.p.bodies[callee(o.pkg.TypesInfo, call)]
	if b == nil {
		f.lost = append(f.lost, o)
		return
	}
	ast.Inspect(b.block, func(n ast.Node) bool {
		if _, inner := n.(*ast.FuncLit); inner {
			return false
		}
		if r, ok := n.(*ast.ReturnStmt); ok && i < len(r.Results) {
			f.follow(o.moved(b.pkg, r.Results[i], b, r))
		}
		return true
	})
}
