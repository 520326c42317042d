package derive

import (
	"go/ast"

	"folio/apidoc"
)

// Stories are the sentences of package past, and their parts: what it hands to say.
func (p *Program) Stories() []apidoc.Text {
	var all []string
	for _, pkg := range p.packages {
		if pkg.PkgPath != "folio/past" {
			continue
		}
		for _, file := range pkg.Syntax {
			ast.Inspect(file, func(n ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok && fullName(callee(pkg.TypesInfo, call)) == "folio/past.say" {
					all = addText(all, spoken(origin{pkg: pkg}, call.Args[0]))
				}
				return true
			})
		}
	}
	return inBoth(all, written())
}
