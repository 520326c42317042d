package derive

import (
	"go/ast"
	"slices"

	"folio/apidoc"
)

// tellers are given the constant formats of what a fact's story says, and of the reasons of the program's own within
// it, and of the words within a refusal.
var tellers = []string{"folio/past.say", "folio/events.Because", "folio/fault.Words"}

// Stories are the sentences of package past, and their parts, the reasons that the program records in facts, and
// words that stand within other texts: what is handed to tellers.
func (p *Program) Stories() []apidoc.Text {
	var all []string
	for _, pkg := range p.packages {
		for _, file := range pkg.Syntax {
			ast.Inspect(file, func(n ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok && slices.Contains(tellers, fullName(callee(pkg.TypesInfo, call))) {
					all = addText(all, spoken(origin{pkg: pkg}, call.Args[0]))
				}
				return true
			})
		}
	}
	return inBoth(all, written())
}
