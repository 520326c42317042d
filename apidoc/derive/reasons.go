package derive

import (
	"go/ast"
	"go/constant"
	"go/types"
	"maps"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"folio/apidoc"
)

// reasonRooms are the packages whose errors tell callers why a text cannot be taken:
// identifiers, fields of a profile, files and codes of the authorities.
var reasonRooms = []string{"folio/country", "folio/country/ar", "folio/country/cl", "folio/country/uy",
	"folio/country/xmlsig"}

// worded is an English text of a function that also words what is printed, which begins with
// a capital letter.
var worded = regexp.MustCompile(`^(… )?[a-z]`)

// inner are the beginnings of errors that no caller sees.
var inner = []string{"stamp the document: ", "write the CFE: ", "daily report: "}

// Reasons are why invoices wait, of what uploads warn, what a company lacks, and what errors of the countries say,
// which stands within texts of the catalogue.
func (p *Program) Reasons() []apidoc.Text {
	var all []string
	for _, pkg := range p.packages {
		room := slices.Contains(reasonRooms, pkg.PkgPath)
		for _, file := range pkg.Syntax {
			ast.Inspect(file, func(n ast.Node) bool {
				for _, said := range []string{waitIn(pkg, n), warnedIn(pkg, n), stepIn(pkg, n)} {
					if len(strings.Trim(said, "… .:")) > 3 {
						all = addText(all, said)
					}
				}
				if !room {
					return true
				}
				texts, shown := reasonsIn(pkg, n)
				for _, e := range texts {
					said := spoken(origin{pkg: pkg}, e)
					if shown || worded.MatchString(said) {
						all = addText(all, said)
					}
				}
				return true
			})
		}
	}
	return inBoth(all, written())
}

// saidByAuthority begins a sentence that stands within why an invoice waits.
const saidByAuthority = "It said "

// waitIn is the text of a call that says with a code why an invoice waits, or a sentence within it.
func waitIn(pkg *packages.Package, n ast.Node) string {
	call, ok := n.(*ast.CallExpr)
	if !ok || len(call.Args) < 2 {
		return ""
	}
	if fullName(callee(pkg.TypesInfo, call)) == "fmt.Sprintf" {
		if said := spoken(origin{pkg: pkg}, call); strings.HasPrefix(said, saidByAuthority) {
			return said
		}
	}
	if !explainsWait(pkg, call) {
		return ""
	}
	said := spoken(origin{pkg: pkg}, call.Args[1])
	if fullName(callee(pkg.TypesInfo, call)) == "(*folio/waiting.Reason).Add" {
		return "… " + said // it follows another sentence
	}
	return said
}

// explainsWait says whether a call is given the code of a wait, and then its text.
func explainsWait(pkg *packages.Package, call *ast.CallExpr) bool {
	f, ok := pkg.TypesInfo.TypeOf(call.Fun).(*types.Signature)
	return ok && len(call.Args) >= 2 && f.Params().Len() >= 2 && f.Params().At(1).Type().String() == "string" &&
		f.Params().At(0).Type().String() == waitCode
}

// waitCode is the type of the codes of pending_reason.
const waitCode = "folio/waiting.Code"

// Waits are the codes of pending_reason, each with what it says. A code that says nothing is one that no call has.
func (p *Program) Waits() []apidoc.Code {
	says := map[string][]string{}
	for _, pkg := range p.packages {
		for _, of := range pkg.TypesInfo.Defs {
			if c, ok := of.(*types.Const); ok && c.Type().String() == waitCode && c.Exported() {
				says[constant.StringVal(c.Val())] = nil
			}
		}
	}
	for _, pkg := range p.packages {
		for _, file := range pkg.Syntax {
			ast.Inspect(file, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok || !explainsWait(pkg, call) || pkg.TypesInfo.Types[call.Args[0]].Value == nil {
					return true
				}
				code := constant.StringVal(pkg.TypesInfo.Types[call.Args[0]].Value)
				says[code] = addText(says[code], waitIn(pkg, call))
				return true
			})
		}
	}
	spanish, out := written(), []apidoc.Code{}
	for _, code := range slices.Sorted(maps.Keys(says)) {
		out = append(out, apidoc.Code{Code: code, Says: inBoth(says[code], spanish)})
	}
	return out
}

// warnedIn is the text that a call appends to warnings.
func warnedIn(pkg *packages.Package, n ast.Node) string {
	call, ok := n.(*ast.CallExpr)
	if !ok || len(call.Args) != 2 || types.ExprString(call.Fun) != "append" ||
		types.ExprString(call.Args[0]) != "warnings" {
		return ""
	}
	return spoken(origin{pkg: pkg}, call.Args[1])
}

// stepIn is the text of a step that a company lacks.
func stepIn(pkg *packages.Package, n ast.Node) string {
	made, ok := n.(*ast.CompositeLit)
	if !ok || len(made.Elts) != 2 || pkg.TypesInfo.TypeOf(made).String() != "folio/resource.Step" {
		return ""
	}
	return spoken(origin{pkg: pkg}, made.Elts[1])
}

// reasonsIn are the texts of errors, which are shown; and those that a function gives, or
// that are handed to a function which a variable holds.
func reasonsIn(pkg *packages.Package, n ast.Node) (texts []ast.Expr, shown bool) {
	switch n := n.(type) {
	case *ast.CallExpr:
		switch o := callee(pkg.TypesInfo, n).(type) {
		case *types.Var:
			return n.Args, false
		case *types.Func:
			if name := fullName(o); name == "errors.New" || name == "fmt.Errorf" {
				said := spoken(origin{pkg: pkg}, n.Args[0])
				if slices.ContainsFunc(inner, func(s string) bool { return strings.HasPrefix(said, s) }) {
					return nil, false
				}
				return n.Args[:1], true
			}
		}
	case *ast.ReturnStmt:
		return slices.DeleteFunc(slices.Clone(n.Results), func(e ast.Expr) bool {
			call, ok := e.(*ast.CallExpr)
			return !ok || fullName(callee(pkg.TypesInfo, call)) != "fmt.Sprintf"
		}), false
	}
	return nil, false
}
