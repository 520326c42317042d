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
// about the same element depend. Rules are named by their paths, or by their codes where
// others of the same path look elsewhere. Alone: what is said of an array or object as a
// whole is not said of its members, which have lines of their own.
var dependences = []struct {
	alone         bool
	broken, rules []string
}{
	// One that is missing from an array moves those behind it.
	{true, []string{"items", "items[]"}, []string{"items", "totals", "CL-TOTAL-10", "UY-RECIPIENT-07"}},
	{false, []string{"items[].quantity", "items[].unit_price"},
		[]string{"items[].discount_amount", "items[].taxes[].amount", "totals"}},
	{false, []string{"items[].discount_amount"}, []string{"items[].taxes[].amount", "totals"}},
	{true, []string{"items[].taxes", "items[].taxes[]", "items[].taxes[].type"},
		[]string{"items[].taxes", "items[].unit_price", "totals", "CL-TOTAL-10"}},
	{false, []string{"items[].taxes[].rate"}, []string{"items[].taxes[].amount"}},
	{false, []string{"items[].taxes[].amount"}, []string{"totals.taxes[].amount", "totals.total"}},
	{false, []string{"items[].code"}, []string{"items[].code"}},

	{true, []string{"global_taxes", "global_taxes[]"}, []string{"global_taxes", "totals.taxes", "totals.total"}},
	{false, []string{"global_taxes[].type"}, []string{"global_taxes[].description", "totals.taxes", "totals.total"}},
	{false, []string{"global_taxes[].amount"}, []string{"totals.taxes", "totals.total"}},
	{false, []string{"global_taxes[].base_amount", "global_taxes[].rate"}, []string{"global_taxes[].amount"}},
	{true, []string{"totals"}, []string{"items[].taxes[].amount", "CL-TOTAL-10", "UY-RECIPIENT-07"}},
	{false, []string{"totals.sub_total"}, []string{"totals.taxes", "totals.total"}},
	{false, []string{"totals.discount"}, []string{"items[].taxes[].amount", "totals.taxes", "totals.total"}},
	{false, []string{"totals.taxes"}, []string{"totals.taxes", "totals.total", "CL-TOTAL-10", "UY-RECIPIENT-07"}},

	{true, []string{"currency", "currency.code"}, []string{"currency.exchange_rate", "totals", "items[].quantity",
		"items[].unit_price", "items[].discount_amount", "items[].taxes[].amount",
		"additional_header_info.same_currency_payment"}},
	{false, []string{"currency.exchange_rate"}, []string{"additional_header_info.same_currency_payment"}},

	{false, []string{"concept"}, []string{"service_start_date", "service_end_date", "payment_due_date",
		"AR-DATE-03", "AR-HEADER-12", "AR-EXPORT-05"}},
	{false, []string{"service_start_date", "service_end_date"}, []string{"service_start_date", "service_end_date"}},
	{true, []string{"payment_method", "payment_method.code"}, []string{"payment_method", "payment_due_date"}},

	{true, []string{"recipient", "recipient.address", "recipient.address.region"},
		[]string{"additional_header_info.recipient.department"}},
	{true, []string{"recipient", "recipient.address", "recipient.address.country"}, []string{"AR-EXPORT-04"}},
	{false, []string{"recipient.document_type", "recipient.document_number", "recipient.tax_condition"},
		[]string{"recipient.document_type", "recipient.document_number", "recipient.tax_condition",
			"recipient.legal_name"}},
	{false, []string{"recipient.address.country"}, []string{"recipient.address", "additional_header_info.recipient"}},

	{false, []string{"additional_header_info.gross_prices"}, []string{"items[].taxes[].amount", "totals"}},
	{false, []string{"additional_header_info.same_currency_payment"}, []string{"currency.exchange_rate"}},
	{true, []string{"additional_header_info"},
		[]string{"items[].taxes[].amount", "totals", "service_end_date", "payment_due_date"}},
	{false, []string{"billing_reference[].type", "billing_reference[].invoice_id", "billing_reference[].period_from",
		"billing_reference[].period_to"}, []string{"billing_reference"}},
	{false, []string{"billing_reference[].number"}, []string{"billing_reference[].branch_office"}},
	{false, []string{"billing_reference[].amount"}, []string{"REASON_CANCELS_WHOLE"}},
	{true, []string{"billing_reference[]"}, []string{"billing_reference"}},
	{true, []string{"billing_reference", "billing_reference[]", "billing_reference[].reason_code"},
		[]string{"CL-TOTAL-09"}},
	{true, []string{"billing_reference", "billing_reference[]", "billing_reference[].type"},
		[]string{"CL-TRANSIT-01", "CL-TRANSIT-03"}},
	{false, []string{"invoice_type"}, []string{"items[].taxes", "totals", "global_taxes", "billing_reference",
		"payment_due_date", "additional_header_info", "additional_export_info"}},
}

// wholeBody is the path of a body that is no object.
const wholeBody = "$"

var indices = regexp.MustCompile(`\[\d+\]`)

// place is a path with its parts at hand, since many are compared with many, and the code of
// what is said there.
type place struct{ path, plain, index, code string }

func placeOf(v fault.Violation) place {
	return place{v.Path, indices.ReplaceAllString(v.Path, "[]"), indices.FindString(v.Path), v.Code}
}

// maxFaults bounds an answer, and the work of comparing shapes with rules.
const maxFaults = 1000

// isShape says that a rule is about the shape of what only the countries read: in each of them the first rule about the
// members of the header, and the first about those of an export.
func isShape(v fault.Violation) bool {
	return strings.HasSuffix(v.Code, "-HEADER-01") || strings.HasSuffix(v.Code, "-EXPORT-01")
}

// together is what is wrong with the shape of a body, an error of httpapi or nil, and what of
// the country's rules does not depend on it, as one fault; nil when nothing is wrong.
func together(shapes error, rules []fault.Violation) error {
	own := slices.DeleteFunc(slices.Clone(rules), func(v fault.Violation) bool { return !isShape(v) })
	rules = append(own, independent(slices.DeleteFunc(slices.Clone(rules), isShape), own)...)
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
			broken = append(broken, placeOf(fault.Violation{Path: meant}))
		} else if shape.Code != strict.CodeUnknown && shape.Code != strict.CodeReadOnly {
			broken = append(broken, placeOf(shape))
		}
	}
	return slices.DeleteFunc(slices.Clone(rules), func(rule fault.Violation) bool {
		at := placeOf(rule)
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
		if inside(b.plain, d.broken) && (inside(r.plain, d.rules) || slices.Contains(d.rules, r.code)) {
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
