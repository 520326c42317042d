package writeapi

import (
	"regexp"
	"slices"
	"strings"

	"folio/fault"
	"folio/strict"
)

// dependences say which rules look at a member besides its own. Paths are without indices;
// one stands for itself and all that is in it. Where both sides are of one array, only rules
// about the same element depend. Alone: what is said of an array or object as a whole is not
// said of its members, which have lines of their own.
var dependences = []struct {
	alone         bool
	broken, rules []string
}{
	{true, []string{"items", "items[]"}, []string{"items", "totals", "global_taxes"}},
	{true, []string{"recipient"}, []string{"additional_header_info.recipient", "invoice_type"}},
	{true, []string{"additional_header_info"},
		[]string{"items[].taxes[].amount", "totals", "global_taxes", "service_end_date", "payment_due_date"}},
	{false, []string{"items[].quantity", "items[].unit_price", "items[].discount_amount"},
		[]string{"items[].quantity", "items[].unit_price", "items[].discount_amount", "items[].taxes[].amount", "totals",
			"global_taxes"}},
	{false, []string{"items[].taxes[].type"}, []string{"items[].taxes"}},
	{false, []string{"items[].taxes"}, []string{"items[].taxes[].rate", "items[].taxes[].amount", "items[].unit_price",
		"totals", "global_taxes"}},
	{false, []string{"items[].code"}, []string{"items[].code"}},
	{false, []string{"global_taxes[].type"}, []string{"global_taxes"}},
	{false, []string{"totals", "global_taxes"}, []string{"totals", "global_taxes[].rate", "global_taxes[].base_amount",
		"global_taxes[].amount", "items[].taxes[].amount"}},
	{false, []string{"currency"}, []string{"currency.exchange_rate", "totals", "global_taxes", "items[].quantity",
		"items[].unit_price", "items[].discount_amount", "items[].taxes[].amount",
		"additional_header_info.same_currency_payment"}},
	{false, []string{"service_start_date", "service_end_date", "payment_due_date", "concept"},
		[]string{"service_start_date", "service_end_date", "payment_due_date"}},
	{false, []string{"recipient.document_type", "recipient.document_number", "recipient.tax_condition",
		"recipient.address.country"},
		[]string{"recipient.document_type", "recipient.document_number", "recipient.tax_condition", "recipient.address",
			"recipient.legal_name", "invoice_type"}},
	{false, []string{"recipient.address.region"}, []string{"recipient.address"}},
	{false, []string{"recipient.address"}, []string{"additional_header_info.recipient"}},
	{false, []string{"payment_method.code"}, []string{"payment_method"}},
	{false, []string{"payment_method"}, []string{"payment_due_date"}},
	{false, []string{"billing_reference[].type", "billing_reference[].number", "billing_reference[].series",
		"billing_reference[].branch_office", "billing_reference[].invoice_id", "billing_reference[].document_number",
		"billing_reference[].period_from", "billing_reference[].period_to", "billing_reference[].reason_code",
		"billing_reference[].currency"}, []string{"billing_reference"}},
	{false, []string{"invoice_type"}, []string{"items[].taxes", "totals", "global_taxes", "billing_reference",
		"additional_header_info", "additional_export_info"}},
}

// wholeBody is the path of a body that is no object.
const wholeBody = "$"

var indices = regexp.MustCompile(`\[\d+\]`)

// place is a path with its parts at hand, since many are compared with many.
type place struct{ path, plain, index string }

func placeOf(path string) place {
	return place{path, indices.ReplaceAllString(path, "[]"), indices.FindString(path)}
}

// maxFaults bounds an answer, and the work of comparing shapes with rules.
const maxFaults = 1000

// together is what is wrong with the shape of a body, an error of httpapi or nil, and what of
// the country's rules does not depend on it, as one fault; nil when nothing is wrong.
func together(shapes error, rules []fault.Violation) error {
	f := fault.As(shapes)
	if f == nil || f.Code != fault.Invalid {
		if shapes != nil {
			return shapes
		}
		return fault.Violated(rules)
	}
	rules = rules[:min(len(rules), max(maxFaults-len(f.Violations), 0))]
	f.Violations = append(slices.Clip(f.Violations), independent(rules, f.Violations)...)
	return f
}

// independent are the violations of the country's rules that do not depend on a member whose
// shape is wrong: such a member was read as nothing, which says nothing of the rest. An
// unknown member counts as the one that it was probably meant to be.
func independent(rules, shapes []fault.Violation) []fault.Violation {
	var broken []place
	for _, shape := range shapes {
		if meant, ok := strict.Meant(shape); ok {
			broken = append(broken, placeOf(meant))
		} else if shape.Code != strict.CodeUnknown && shape.Code != strict.CodeReadOnly {
			broken = append(broken, placeOf(shape.Path))
		}
	}
	return slices.DeleteFunc(slices.Clone(rules), func(rule fault.Violation) bool {
		at := placeOf(rule.Path)
		return slices.ContainsFunc(broken, func(b place) bool { return at.depends(b) })
	})
}

// depends says whether a rule about this place looks at the other.
func (r place) depends(b place) bool {
	if within(r.path, b.path) || within(b.path, r.path) || b.path == wholeBody {
		return true
	}
	array, _, _ := strings.Cut(b.plain, "[]")
	if strings.HasPrefix(b.plain, array+"[].") && strings.HasPrefix(r.plain, array+"[]") && r.index != b.index {
		return false // of another element
	}
	for _, d := range dependences {
		if d.alone && !slices.Contains(d.broken, b.plain) {
			continue
		}
		if inside(b.plain, d.broken) && inside(r.plain, d.rules) {
			return true
		}
	}
	return false
}

func inside(path string, outer []string) bool {
	return slices.ContainsFunc(outer, func(o string) bool { return within(path, o) })
}

// within says that a path is another one or lies in it.
func within(path, outer string) bool {
	rest, ok := strings.CutPrefix(path, outer)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}
