// Package derive makes the OpenAPI document and the catalogue of error codes from the
// program itself: routes from the router, answers from the types that handlers encode,
// bodies from the readers that read them, codes from where they are written. Only tests
// run it; what it makes is kept in package apidoc.
package derive

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/packages"

	"folio/apidoc"
)

// Program is the source of the service with its types.
type Program struct {
	packages  []*packages.Package
	bodies    map[types.Object]*body // of functions, and of variables that hold one
	params    map[*types.Var]place
	functions map[string]types.Object // by full name
	faults    map[*types.Var]made     // the package-level faults
	flow      *flow
	comments  map[token.Pos]string // of fields and types, by the position of their names

	// Lost are the places from which a code may come that nobody can know.
	Lost  []string
	Holes []apidoc.Holes // of the codes, once these were made
}

// made is a fault by its kind and its constant.
type made struct{ kind, constant string }

// place is a parameter's.
type place struct {
	of types.Object
	at int
}

// body is a function's parameters and statements.
type body struct {
	pkg    *packages.Package
	params []*types.Var
	block  *ast.BlockStmt
}

// Load reads the packages of the module, without their tests.
func Load(dir string) (*Program, error) {
	found, err := packages.Load(&packages.Config{Dir: dir,
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedSyntax |
			packages.NeedTypes | packages.NeedTypesInfo | packages.NeedImports}, "folio/...")
	if err != nil {
		return nil, fmt.Errorf("load the packages: %w", err)
	}
	p := &Program{packages: found, bodies: map[types.Object]*body{}, params: map[*types.Var]place{},
		functions: map[string]types.Object{}, faults: map[*types.Var]made{}, comments: map[token.Pos]string{}}
	for _, pkg := range found {
		for _, e := range pkg.Errors {
			return nil, errors.New(e.Error())
		}
		for _, f := range pkg.Syntax {
			p.index(pkg, f)
		}
	}
	p.flow = newFlow(p)
	return p, nil
}

func (p *Program) index(pkg *packages.Package, file *ast.File) {
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			p.keep(pkg, pkg.TypesInfo.Defs[n.Name], n.Type, n.Body)
		case *ast.AssignStmt:
			for i, right := range n.Rhs {
				if lit, ok := right.(*ast.FuncLit); ok && len(n.Lhs) == len(n.Rhs) {
					if name, ok := n.Lhs[i].(*ast.Ident); ok {
						p.keep(pkg, pkg.TypesInfo.ObjectOf(name), lit.Type, lit.Body)
					}
				}
			}
		case *ast.Field:
			for _, name := range n.Names {
				p.comments[name.Pos()] = text(n.Doc, n.Comment)
			}
		case *ast.ValueSpec:
			p.fault(pkg, n)
		case *ast.GenDecl:
			for _, s := range n.Specs {
				if t, ok := s.(*ast.TypeSpec); ok {
					p.comments[t.Name.Pos()] = text(t.Doc, n.Doc)
				}
			}
		}
		return true
	})
}

// fault notes the kind of a fault that a variable holds.
func (p *Program) fault(pkg *packages.Package, s *ast.ValueSpec) {
	for i, name := range s.Names {
		v, ok := pkg.TypesInfo.Defs[name].(*types.Var)
		if !ok || i >= len(s.Values) {
			continue
		}
		if call, ok := s.Values[i].(*ast.CallExpr); ok && fullName(callee(pkg.TypesInfo, call)) == "folio/fault.New" {
			p.faults[v] = made{textOf(pkg, call.Args[0], nil), textOf(pkg, call.Args[1], nil)}
		}
	}
}

func (p *Program) keep(pkg *packages.Package, of types.Object, t *ast.FuncType, block *ast.BlockStmt) {
	if of == nil || block == nil {
		return
	}
	b := &body{pkg: pkg, block: block}
	for _, f := range t.Params.List {
		for _, name := range f.Names {
			v, _ := pkg.TypesInfo.Defs[name].(*types.Var)
			b.params = append(b.params, v)
		}
		if len(f.Names) == 0 {
			b.params = append(b.params, nil)
		}
	}
	p.bodies[of] = b
	p.functions[fullName(of)] = of
	for i, v := range b.params {
		if v != nil {
			p.params[v] = place{of, i}
		}
	}
}

// text is the first comment that says something, on one line.
func text(groups ...*ast.CommentGroup) string {
	for _, g := range groups {
		if s := strings.Join(strings.Fields(g.Text()), " "); s != "" {
			return s
		}
	}
	return ""
}

// callee is the function, method or variable that a call names; nil for any other.
func callee(info *types.Info, call *ast.CallExpr) types.Object {
	fun := ast.Unparen(call.Fun)
	switch x := fun.(type) {
	case *ast.IndexExpr:
		fun = x.X
	case *ast.IndexListExpr:
		fun = x.X
	}
	var o types.Object
	switch x := fun.(type) {
	case *ast.Ident:
		o = info.Uses[x]
	case *ast.SelectorExpr:
		o = info.Uses[x.Sel]
	}
	if f, ok := o.(*types.Func); ok {
		return f.Origin()
	}
	return o
}

// fullName is a function's name as go/types writes it, empty for none.
func fullName(o types.Object) string {
	if f, ok := o.(*types.Func); ok {
		return f.FullName()
	}
	return ""
}

func (p *Program) named(pkg, name string) types.Type {
	for _, x := range p.packages {
		if x.PkgPath == pkg {
			if o := x.Types.Scope().Lookup(name); o != nil {
				return o.Type()
			}
		}
	}
	return nil
}
