package readapi

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"folio/country"
	"folio/projections"
	"folio/projections/engine"
	"folio/resource"
	"folio/strict"
)

// plainFilters refuses an invoice_type that no invoice can have, and brings number and
// recipient's document into the form that invoices keep.
func (a api) plainFilters(ctx context.Context, q *strict.Query, query *projections.InvoiceQuery) error {
	if query.InvoiceType == "" && query.RecipientDocument == "" && query.Number == "" {
		return nil
	}
	rules, known, err := a.knownRules(ctx, query.Company)
	if err != nil || !known {
		return err
	}
	query.RecipientDocument, query.Number = plainDocument(rules, query.RecipientDocument), plainNumber(rules, query.Number)
	if query.InvoiceType != "" {
		kind, found := rules.DocumentType(query.InvoiceType)
		if found {
			query.InvoiceType = kind.InvoiceType
		} else {
			q.Fail("invoice_type", strict.CodeNotAllowed, "Use one of "+kindNames(rules)+".")
		}
	}
	return nil
}

// knownRules are those of the company's country; not known where this service does not serve it.
func (a api) knownRules(ctx context.Context, company string) (country.Rules, bool, error) {
	c, err := a.Documents.GetCompany(ctx, company)
	if err != nil && !errors.Is(err, engine.ErrNotFound) {
		return nil, false, err
	}
	rules, known := a.Countries.ByCode(c.Country)
	return rules, known, nil
}

func kindNames(rules country.Rules) string {
	names := country.Collect(rules.DocumentTypes(), func(k country.DocumentType) string { return k.InvoiceType })
	return strings.Join(names, ", ")
}

// plainNumber is a number as it is shown, "0001-00000007", also when it was written without
// its zeros; where there are no points of sale, "7" is enough.
func plainNumber(rules country.Rules, text string) string {
	point, number, cut := strings.Cut(text, "-")
	if !cut {
		if !country.NumbersFromFiles(rules) {
			return text
		}
		point, number = "0", text
	}
	p, err1 := strconv.ParseUint(point, 10, 31)
	n, err2 := strconv.ParseUint(number, 10, 62)
	if err1 != nil || err2 != nil {
		return text
	}
	return resource.Number(int(p), int64(n))
}

// plainDocument is a number as the country keeps it, however it was punctuated: a tax
// identifier in its canonical form, digits without dots, dashes and spaces otherwise.
// What is neither stays as it is.
func plainDocument(rules country.Rules, text string) string {
	if canonical, err := rules.Identifier(text); err == nil {
		return canonical
	}
	digits := strings.NewReplacer(".", "", "-", "", " ", "").Replace(text)
	if digits != "" && strings.Trim(digits, "0123456789") == "" {
		return digits
	}
	return text
}
