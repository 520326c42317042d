package ar

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"folio/country"
	"folio/money"
)

// bad says that an amount is negative or has more than 13 and 2 digits.
func bad(a money.Decimal) bool { return a.Sign() < 0 || a.WholeDigits() > 13 || a.Decimals() > 2 }

// checkAmounts: none is negative (717 to 719, 723, 1407, 1409), class C has a subtotal and
// tributos only (1434 to 1438), and they come to the total (1439; 724, as FECAESolicitar has it).
func (c *contingent) checkAmounts() {
	a := c.t.Amounts
	all := []money.Decimal{a.Untaxed, a.Exempt, a.Net, a.Other, a.Tax, a.Total}
	if slices.ContainsFunc(all, bad) {
		c.Add("totals", "AR-CAEA-07", "an amount is negative or has more than 13 digits before or 2 after the point")
		return
	}
	if !c.kind.carriesVAT() && (!a.Untaxed.IsZero() || !a.Exempt.IsZero() || !a.Tax.IsZero()) {
		c.Add("totals.taxes", "AR-CAEA-07", "class %c has no VAT and no exempt or untaxed part", c.kind.letter)
	}
	if sum := money.Sum(a.Untaxed, a.Exempt, a.Net, a.Other, a.Tax); !within(sum, a.Total, cent) {
		c.Add("totals.total", "AR-CAEA-07", "its parts come to %s, not %s", sum, a.Total)
	}
}

// checkRates: the rows of IVA (715, 1443, 1000 to 1009; 1427, 725 and 1408 as FECAESolicitar
// has them).
func (c *contingent) checkRates() {
	const path, code = "totals.taxes", "AR-CAEA-08"
	a, rates := c.t.Amounts, c.t.Rates
	if !c.kind.carriesVAT() {
		if len(rates) > 0 {
			c.Add(path, code, "class %c has no VAT", c.kind.letter)
		}
		return
	}
	if (a.Net.Sign() > 0 || a.Tax.Sign() > 0) && len(rates) == 0 {
		c.Add(path, code, "a taxed amount needs its rates")
	}
	var base, tax money.Decimal
	seen := map[string]bool{}
	for _, r := range rates {
		known := slices.ContainsFunc(lineTaxes, func(t lineTax) bool { return t.code != "" && t.code == r.Code })
		if !known || seen[r.Code] || bad(r.Base) || r.Base.IsZero() || bad(r.Amount) {
			c.Add(path, code, "%.20q is no rate, is there twice, or has a base or an amount that cannot be", r.Type)
			return
		}
		if a.Tax.IsZero() && r.Rate.Sign() > 0 {
			c.Add(path, code, "with VAT 0 only the rate of 0 %% may be there")
		}
		seen[r.Code] = true
		base, tax = base.Add(r.Base), tax.Add(r.Amount)
	}
	if margin := cent.Mul(money.FromInt(int64(len(rates)))); len(rates) > 0 &&
		(!within(tax, a.Tax, margin) || !c.kind.IsNote() && !within(base, a.Net, margin)) {
		c.Add(path, code, "the rates come to %s on %s, not %s on %s", tax, base, a.Tax, a.Net)
	}
}

// checkTributes: the rows of tributos (1423, 900 to 908; 1406 and 1425 as FECAESolicitar has them).
func (c *contingent) checkTributes() {
	const code = "AR-CAEA-09"
	var sum money.Decimal
	named := false
	for i, t := range c.d.GlobalTaxes {
		_, known := GlobalTaxID(t.Type)
		switch {
		case !known:
			c.Add(globalPath(i, "type"), code, "%.20q is no tributo", t.Type)
		case t.Type == otherTax && t.Description == "":
			c.Add(globalPath(i, "description"), code, "ARCA requires a description for %s", otherTax)
		case bad(t.BaseAmount):
			c.Add(globalPath(i, "base_amount"), code, "it may not be negative")
		case t.Rate.Sign() < 0 || t.Rate.WholeDigits() > 3 || t.Rate.Decimals() > 2:
			c.Add(globalPath(i, "rate"), code, "it must be from 0 to 999.99")
		case bad(t.Amount):
			c.Add(globalPath(i, "amount"), code, "it may not be negative")
		default:
			sum = sum.Add(t.Amount)
		}
		named = named || t.Type == uncategorizedIV
	}
	other := c.t.Amounts.Other
	if c.None() && (!within(sum, other, cent) || other.IsZero() != (len(c.d.GlobalTaxes) == 0)) {
		c.Add("global_taxes", code, "the tributos come to %s, not %s", sum, other)
	}
	if c.kind.letter == 'B' && c.d.Recipient.DocumentNumber == uncategorizedCUIT && !named {
		c.Add("global_taxes", code, "a recipient that is no_categorizado needs the tributo %s", uncategorizedIV)
	}
}

var elevenDigits = regexp.MustCompile(`^[0-9]{11}$`)

// checkReferences: a note names documents or a period, an invoice no period (1491 to 1499), and
// what is named can be written (800 to 808, 1504).
func (c *contingent) checkReferences() {
	const code = "AR-CAEA-04"
	refs := c.d.BillingReference
	if c.kind.IsNote() && len(refs) == 0 {
		c.Add("billing_reference", code, "a note must name the documents or the period that it corrects")
	}
	seen := map[string]bool{}
	for i, r := range refs {
		if r.PeriodFrom != "" || r.PeriodTo != "" {
			c.checkPeriod(i, r.PeriodFrom, r.PeriodTo)
			continue
		}
		key := fmt.Sprint(r.OfficialCode, " ", r.BranchOffice, " ", r.Number)
		switch {
		case !slices.Contains(referable[c.kind.Code], r.OfficialCode):
			c.Add(country.ReferencePath(i, "type"), code, "%s cannot refer to %.20q", c.kind.InvoiceType, r.Type)
		case r.BranchOffice < 1 || r.BranchOffice > 99998:
			c.Add(country.ReferencePath(i, "branch_office"), code, "the point of sale must be from 1 to 99998")
		case r.Number < 1 || r.Number >= 99_999_999:
			c.Add(country.ReferencePath(i, "number"), code, "the document that it names has no number yet")
		case r.DocumentNumber != "" && !elevenDigits.MatchString(r.DocumentNumber):
			c.Add(country.ReferencePath(i, "document_number"), code, "it is a CUIT of 11 digits")
		case r.Date != "" && !isDay(r.Date):
			c.Add(country.ReferencePath(i, "date"), code, "%.20q is no day", r.Date)
		case seen[key]:
			c.Add(country.ReferencePath(i, "number"), code, "this document is named twice")
		}
		seen[key] = true
	}
}

func isDay(text string) bool {
	_, err := time.Parse(time.DateOnly, text)
	return err == nil
}

func (c *contingent) checkPeriod(i int, from, to string) {
	const code = "AR-CAEA-04"
	switch {
	case !c.kind.IsNote():
		c.Add(country.ReferencePath(i, "period_from"), code, "only a note corrects a period")
	case !isDay(from) || from <= "2006-01-01":
		c.Add(country.ReferencePath(i, "period_from"), code, "it is a day after 2006-01-01")
	case !isDay(to) || to < from || to > c.d.Date[:min(len(time.DateOnly), len(c.d.Date))]:
		c.Add(country.ReferencePath(i, "period_to"), code, "it is a day from period_from to the document's date")
	}
}

// contingencyOptionals are the Opcionales for which FECAEARegInformativo has rules of its own,
// by the kinds that may carry them (1426, 1482, 1505, 1517). Its 1100, which knows no id but 2,
// contradicts these: unverified, so that no other id is offered.
var contingencyOptionals = map[byte][]string{
	'A': {"5", "61", "62", "7", "23"},
	'B': {"17", "1801", "1802", "23"},
}

// withOptionals are the kinds that may carry any (1426).
var withOptionals = []int{1, 2, 3, 4, 6, 7, 8}

// checkMembers: buyers are not taken (1432), optional data only of some kinds (1426, 1100 to
// 1105, 1482, 1483), activities once (16003).
func (c *contingent) checkMembers() {
	const code = "AR-CAEA-10"
	if len(c.header.Buyers) > 0 {
		c.Add(country.HeaderPath("buyers"), code, "several buyers are not taken by CAEA")
	}
	allowed := contingencyOptionals[c.kind.letter]
	if !slices.Contains(withOptionals, c.kind.Code) {
		allowed = nil
	}
	seen := map[string]bool{}
	for i, o := range Optionals(c.d) {
		path, key := fmt.Sprintf("%s[%d].", country.HeaderPath("optionals"), i), o.ID
		if slices.Contains(repeatable, o.ID) {
			key += " " + o.Value
		}
		switch {
		case !slices.Contains(allowed, o.ID):
			c.Add(path+"id", code, "%.10q is not taken of %s by CAEA (it takes %s)", o.ID, c.kind.InvoiceType,
				orNone(allowed))
		case o.Value == "" || o.ID == commercialReference && len([]rune(o.Value)) > 50:
			c.Add(path+"value", code, "a value is required, of at most 50 letters for 23")
		case seen[key]:
			c.Add(path+"id", code, "it is given twice")
		}
		seen[key] = true
	}
	once := map[int64]bool{}
	for i, a := range c.header.Activities {
		if a < 1 || once[a] {
			c.Add(country.HeaderPath("activities")+"["+strconv.Itoa(i)+"]", code, "an activity is a code, given once")
		}
		once[a] = true
	}
}

// orNone lists texts for a caller.
func orNone(list []string) string {
	if len(list) == 0 {
		return "none"
	}
	return strings.Join(list, ", ")
}
