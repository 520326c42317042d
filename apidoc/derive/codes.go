package derive

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"maps"
	"regexp"
	"slices"
	"strings"

	"folio/apidoc"
)

// Codes is the catalogue of error codes: each that the program can write, with what it says.
// The Spanish beside a text is that of the present catalogue, empty for a new text.
func (p *Program) Codes() ([]apidoc.Code, error) {
	faults, err := p.arriving("folio/fault", "Error", "Constant")
	if err != nil {
		return nil, err
	}
	violations, err := p.arriving("folio/fault", "Violation", "Code")
	if err != nil {
		return nil, err
	}
	refusals, err := p.arriving("folio/outbound", "Refusal", "Code") // of callback URLs: the program wires them in
	if err != nil {
		return nil, err
	}
	violations = append(violations, refusals...)
	byName, says, fills := map[string]*apidoc.Code{}, map[string][]string{}, map[string][]string{}
	holes := map[string]*apidoc.Holes{}
	for _, o := range append(faults, violations...) {
		if !plainCode.MatchString(o.value) {
			continue
		}
		c := byName[o.value]
		if c == nil {
			c = &apidoc.Code{Code: o.value}
			byName[o.value] = c
		}
		c.Kinds, says[o.value] = addText(c.Kinds, cmp.Or(o.kind, kindless[o.value])), addText(says[o.value], o.says)
		fills[o.value] = addText(fills[o.value], o.fills)
		keepHoles(holes, o)
	}
	for _, o := range faults {
		if c := byName[o.value]; c != nil {
			c.Fault = true
		}
	}
	for name, said := range explained {
		if c := byName[name]; c == nil || len(says[name]) > 0 {
			return nil, fmt.Errorf("codes.go explains %s, which needs it no more", name)
		} else {
			says[name] = []string{said}
		}
	}
	for _, code := range slices.Sorted(maps.Keys(holes)) {
		if h := holes[code]; len(h.Fields) > 0 || len(h.Names) > 0 {
			slices.Sort(h.Fields)
			p.Holes = append(p.Holes, *h)
		}
	}
	spanish := written()
	out := make([]apidoc.Code, 0, len(byName))
	for _, c := range byName {
		slices.Sort(c.Kinds)
		c.Says, c.Fills = inBoth(says[c.Code], spanish), inBoth(fills[c.Code], spanish)
		out = append(out, *c)
	}
	slices.SortFunc(out, func(a, b apidoc.Code) int { return strings.Compare(a.Code, b.Code) })
	return out, nil
}

// written is the Spanish that people have written, by its English.
func written() map[string]string {
	spanish := map[string]string{}
	keep := func(all []apidoc.Text) {
		for _, t := range all {
			spanish[t.English] = cmp.Or(t.Spanish, spanish[t.English])
		}
	}
	keep(apidoc.Reasons())
	keep(apidoc.Stories())
	for _, c := range apidoc.Codes() {
		keep(c.Says)
		keep(c.Fills)
	}
	return spanish
}

func inBoth(texts []string, spanish map[string]string) (out []apidoc.Text) {
	slices.Sort(texts)
	for _, said := range texts {
		out = append(out, apidoc.Text{English: said, Spanish: spanish[said]})
	}
	return out
}

// explained are codes whose text is made elsewhere than where they are written.
var explained = map[string]string{
	"AR-PURCHASE-02": "The supplier's CUIT is none: eleven digits, the last of which checks the others.",
	"AR-PURCHASE-10": "The text is no code of an Argentine voucher: send all that the QR code says, the address of " +
		"ARCA included.",
	"BAD_TAX_IDENTIFIER": "The tax identifier is none of the country's: its length or its check digit is wrong. The " +
		"message says which.",
	"BAD_VALUE":       "The member does not have the form that the country wants. The message says which.",
	"CL-PURCHASE-02":  "The supplier's RUT is none: its check digit is wrong.",
	"CL-PURCHASE-11":  "The XML is no DTE that can be taken in. The message says what is wrong with it.",
	"CL-RECIPIENT-06": "The recipient's RUT is none: its check digit is wrong.",
	"UY-PURCHASE-02":  "The supplier's RUT is none: twelve digits, the last of which checks the others.",
	"UY-PURCHASE-10": "The text is no code of a Uruguayan CFE: send all that the QR code says, the address of DGI " +
		"included.",
	"UY-PURCHASE-11":  "The XML is no CFE that can be taken in. The message says what is wrong with it.",
	"UY-REFERENCE-09": "The document that is named cannot be corrected by this one. The message says why.",
	"UY-TAX-06":       "The tax of the line does not fit this document. The message says why.",
}

// kindless are faults whose kind is chosen where they are made.
var kindless = map[string]string{"BUSY": "unavailable", "TOO_MANY_AT_ONCE": "too_many"}

var plainCode = regexp.MustCompile(`^[A-Z][A-Za-z0-9_-]+$`)

// arriving is every constant that can come to a field.
func (p *Program) arriving(pkg, typeName, field string) ([]origin, error) {
	f := *p.flow
	f.seen, f.found, f.lost = map[step]bool{}, nil, nil
	t := p.named(pkg, typeName)
	if t == nil {
		return nil, fmt.Errorf("package %s has no %s", pkg, typeName)
	}
	s := t.Underlying().(*types.Struct)
	for i := range s.NumFields() {
		if s.Field(i).Name() == field {
			f.field(s.Field(i), origin{})
		}
	}
	for _, o := range f.lost {
		p.Lost = append(p.Lost, o.pkg.PkgPath+": "+types.ExprString(o.expr))
	}
	return f.found, nil
}

// kindOf is the fault's kind that stands beside its constant.
func kindOf(o origin) string {
	info := o.pkg.TypesInfo
	kind := ""
	look := func(e ast.Expr) {
		if tv := info.Types[e]; tv.Value != nil && tv.Value.Kind() == constant.String &&
			tv.Type.String() == "folio/fault.Code" {
			kind = constant.StringVal(tv.Value)
		}
	}
	for _, e := range beside(o) {
		look(e)
	}
	return kind
}

// beside are the expressions in the same call or literal.
func beside(o origin) (all []ast.Expr) {
	switch n := o.around.(type) {
	case *ast.CallExpr:
		return n.Args
	case *ast.CompositeLit:
		for _, e := range n.Elts {
			if kv, ok := e.(*ast.KeyValueExpr); ok {
				e = kv.Value
			}
			all = append(all, e)
		}
	case *ast.ReturnStmt:
		return n.Results
	}
	return all
}

// saidBeside is what is said right of a code, with … for what is filled in.
func saidBeside(o origin) string {
	after := false
	for _, e := range beside(o) {
		if e == o.expr {
			after = true
		} else if after {
			if said := spoken(o, e); said != "" {
				return said
			}
		}
	}
	return ""
}

var verbs = regexp.MustCompile(`%%|%[-+# 0]*[0-9]*(\.[0-9]+)?[a-zA-Z]`)

// spoken words an expression: its constant parts, with … between them.
func spoken(o origin, e ast.Expr) string {
	info := o.pkg.TypesInfo
	var words func(e ast.Expr) string
	words = func(e ast.Expr) string {
		if tv := info.Types[e]; tv.Value != nil && tv.Value.Kind() == constant.String {
			if tv.Type.String() == "folio/fault.Code" {
				return ""
			}
			return constant.StringVal(tv.Value)
		}
		switch x := ast.Unparen(e).(type) {
		case *ast.BinaryExpr:
			left, right := words(x.X), words(x.Y)
			if left == "" && right == "" {
				return ""
			}
			return orGap(left) + orGap(right)
		case *ast.CallExpr:
			if name := fullName(callee(info, x)); name == "fmt.Sprintf" || name == "fmt.Errorf" {
				return words(x.Args[0])
			}
		}
		return ""
	}
	said := verbs.ReplaceAllStringFunc(words(e), func(verb string) string {
		if verb == "%%" {
			return "%"
		}
		return "…"
	})
	if !strings.Contains(said, " ") {
		return ""
	}
	return strings.TrimSpace(said)
}

func orGap(s string) string {
	if s == "" {
		return "…"
	}
	return s
}
