package country

import (
	"cmp"
	"slices"

	"folio/events"
	"folio/money"
)

// OneOf wants a code of a list and writes its canonical form over the text; what is the
// list's noun in the message: "payment method".
func (v *Violations) OneOf(path, code, what string, list []Catalogued, text *string) (Catalogued, bool) {
	found, ok := Find(list, *text)
	if !ok {
		v.Add(path, code, "%.20q is no %s: use one of %s", *text, what, Codes(list))
		return Catalogued{}, false
	}
	*text = found.Code
	return found, true
}

// Kind refuses an invoice_type that is none of the nation's; example is one that is.
func (v *Violations) Kind(code, text string, known bool, nation, example string) {
	switch {
	case text == "":
		v.Add("invoice_type", code, "an invoice_type is required, such as %s", example)
	case !known:
		v.Add("invoice_type", code, "%.20q is no document type of %s: see GET /api/document-types", text, nation)
	}
}

// NoPointOfSale brings branch_office to 0, for a country that numbers a type of document
// and no point of sale. 1 is taken too: it is what callers write who have one office.
func (v *Violations) NoPointOfSale(code, nation, authority string, office *int) {
	if *office < 0 || *office > 1 {
		v.Add("branch_office", code, "%s has no points of sale, and this company has no branch %d: leave branch_office "+
			"out, or set the branch by %s's number of it with PUT /api/companies/{id_company}/branches/%d", nation, *office,
			authority, *office)
	}
	*office = 0
}

// Concept brings a concept that is given to its canonical form.
func (v *Violations) Concept(code string, concept *string) {
	if *concept == "" {
		return
	}
	found, ok := Find(Concepts, *concept)
	if !ok {
		v.Add("concept", code, "the concept is 1 (products), 2 (services) or 3 (both), or left out")
		return
	}
	*concept = found.Code
}

// Currency fills the local currency in where none is given, at rate 1, and wants one that
// the authority knows.
func (v *Violations) Currency(code, authority, local string, list []Catalogued, c *events.Currency) bool {
	c.Code = cmp.Or(c.Code, local)
	if _, ok := v.OneOf("currency.code", code, "currency that "+authority+" knows", list, &c.Code); !ok {
		return false
	}
	if c.Rate.IsZero() && c.Code == local {
		c.Rate = money.FromInt(1)
	}
	return true
}

// NoReferenceCurrency refuses the currency of the document that the i-th reference names,
// where the authority is told none.
func (v *Violations) NoReferenceCurrency(code, authority string, i int, r events.Reference) {
	if r.Currency != "" {
		v.Add(ReferencePath(i, "currency"), code, "%s is told no currency of what is named: leave it out", authority)
	}
}

// ExchangeRate wants pesos for one unit of the currency, in at most so many digits before
// and after the point, and 1 for the local currency.
func (v *Violations) ExchangeRate(code, local string, c events.Currency, whole, decimals int) {
	switch {
	case c.Code == local && !c.Rate.Equal(money.FromInt(1)):
		v.Add("currency.exchange_rate", code, "the exchange rate of %s is 1, not %s", local, c.Rate)
	case c.Rate.Sign() <= 0 || c.Rate.WholeDigits() > whole || c.Rate.Decimals() > decimals:
		v.Add("currency.exchange_rate", code, "the exchange rate must be above 0, with at most %d digits before and %d "+
			"after the point: pesos for one %s", whole, decimals, c.Code)
	}
}

// DigitLimits are how many digits an amount may have before the point and after it.
type DigitLimits struct{ Whole, Decimals int }

// Digits refuses an amount with more digits before the point than fit (the first code) or
// after it (the second). What it lets pass, with digits up to MaxWholeDigits and decimals
// up to MaxDecimals, is Bounded.
func (v *Violations) Digits(wholeCode, decimalsCode, path string, a money.Decimal, most DigitLimits) bool {
	switch {
	case a.WholeDigits() > most.Whole:
		v.Add(path, wholeCode, "it has %d digits before the point, at most %d are allowed", a.WholeDigits(), most.Whole)
	case a.Decimals() > most.Decimals && most.Decimals == 0:
		v.Add(path, decimalsCode, "%s must be whole: no decimals are taken here", a)
	case a.Decimals() > most.Decimals:
		v.Add(path, decimalsCode, "%s has more than %d decimals", a, most.Decimals)
	default:
		return true
	}
	return false
}

// Fitting says which amounts of the totals keep their bounds and can be compared. What does
// not fit is told once, and silences only comparisons that it takes part in.
type Fitting struct {
	SubTotal, Discount, Total bool
	Rows                      []bool // of taxes
}

// AllRows says that every row of the taxes fits.
func (f Fitting) AllRows() bool { return !slices.Contains(f.Rows, false) }

// FittingTotals asks fits about every amount of the totals.
func FittingTotals(t events.Totals, fits func(path string, a money.Decimal) bool) Fitting {
	f := Fitting{fits("totals.sub_total", t.SubTotal), fits("totals.discount", t.Discount), fits("totals.total", t.Total),
		nil}
	for i, row := range t.Taxes {
		amount := fits(RowPath(i, "amount"), row.Amount)
		f.Rows = append(f.Rows, fits(RowPath(i, "base_amount"), row.BaseAmount) && amount)
	}
	return f
}

// Share is the part of net that a discount on the whole takes off, above 0 and at most 1;
// false when there is none or it exceeds the net.
func Share(whole, net money.Decimal) (money.Decimal, bool) {
	if whole.Sign() <= 0 || net.Less(whole) {
		return money.Zero, false
	}
	return whole.Quo(net), true
}

// Spread divides a discount on the whole in proportion to lines that come to something.
// The parts are differences of the rounded running sum, so that they come to the whole;
// nil when there is nothing to divide or nothing to take it off.
func Spread(whole money.Decimal, lines []money.Decimal, places int) []money.Decimal {
	net := money.Sum(lines...)
	if whole.Sign() <= 0 || net.Sign() <= 0 {
		return nil
	}
	parts := make([]money.Decimal, len(lines))
	running, taken := money.Zero, money.Zero
	for i, line := range lines {
		running = running.Add(line)
		upTo := running.Mul(whole.Quo(net)).Round(places)
		if i == len(lines)-1 {
			upTo = whole
		}
		parts[i], taken = upTo.Sub(taken), upTo
	}
	return parts
}

// ExemptUnsaid gives the lines that say nothing of taxes one of this type: those of a
// kind of document that carries no IVA need not say so. It writes into items.
func ExemptUnsaid(items []events.Item, exempt string) {
	for i := range items {
		if len(items[i].Taxes) == 0 {
			items[i].Taxes = []events.ItemTax{{Type: exempt}}
		}
	}
}
