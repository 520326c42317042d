package country

import (
	"slices"

	"folio/events"
	"folio/money"
)

// TaxSum is what the lines of a document with one tax come to.
type TaxSum struct {
	Tax string
	Sum money.Decimal
}

// RowRules say what the rows of totals.taxes must be, beside their amounts.
type RowRules struct {
	MissingCode, TypeCode string
	// Find is the canonical name of a tax; false when there is none.
	Find func(text string) (name string, ok bool)
	// Names are the taxes that a caller may write.
	Names []Catalogued
	// Sums are the taxes of the lines, in order of first appearance.
	Sums []TaxSum
	// Required says whether the lines with a tax need a row of it.
	Required func(TaxSum) bool
	// Typed says that every line has its tax. Otherwise no row is refused for having no line.
	Typed bool
	// Check compares the amounts of the i-th row and adds what is wrong with them.
	Check func(i int, row events.TotalTax) bool
}

// Rows wants one row of every tax that the lines have, and no other. It writes the canonical
// names of taxes into the given rows and returns those that count: a row of nothing, of a tax
// that no line has, is left out. False: something is wrong with a row, or one is missing.
func (v *Violations) Rows(given []events.TotalTax, r RowRules) (rows []events.TotalTax, ok bool) {
	ok = true
	for i := range given {
		row := &given[i]
		name, found := r.Find(row.Type)
		listed := slices.ContainsFunc(r.Sums, func(s TaxSum) bool { return s.Tax == name })
		switch {
		case !found:
			v.Add(RowPath(i, "type"), r.TypeCode, "%.20q is no tax: use one of %s", row.Type, Codes(r.Names))
		case hasRow(rows, name):
			v.Add(RowPath(i, "type"), r.TypeCode, "%s has a row already", name)
		case !listed && row.Amount.IsZero() && row.BaseAmount.IsZero():
			row.Type = name
			continue
		case !listed && r.Typed:
			v.Add(RowPath(i, "type"), r.TypeCode, "no line has %s", name)
		default:
			row.Type = name
			rows = append(rows, *row)
			ok = r.Check(i, *row) && ok
			continue
		}
		ok = false
	}
	for _, s := range r.Sums {
		if r.Typed && r.Required(s) && !hasRow(rows, s.Tax) {
			v.Add("totals.taxes", r.MissingCode, "the row of %s is missing: its lines come to %s", s.Tax, s.Sum)
			ok = false
		}
	}
	return rows, ok
}

func hasRow(rows []events.TotalTax, tax string) bool {
	return slices.ContainsFunc(rows, func(r events.TotalTax) bool { return r.Type == tax })
}
