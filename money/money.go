// Package money has exact decimal amounts. Nothing here ever passes through a float.
package money

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/govalues/decimal"
	"golang.org/x/text/currency"
)

// Decimal is an exact decimal number of at most 19 digits. It keeps the scale it
// was given, so "121.00" is written back as "121.00". The zero value is 0.
type Decimal struct{ d decimal.Decimal }

// Zero is 0.
var Zero Decimal

// maxText bounds what Parse reads: longer text is never an amount.
const maxText = 64

// Parse reads plain ("12.50") or exponent ("1e2") decimal text. It refuses what
// does not fit 19 digits instead of rounding it.
func Parse(s string) (Decimal, error) {
	if len(s) == 0 || len(s) > maxText {
		return Zero, fmt.Errorf("%.20q is not a decimal number of at most 19 digits", s)
	}
	d, err := decimal.Parse(s)
	if err != nil || lossy(s, d) {
		return Zero, fmt.Errorf("%.20q is not a decimal number of at most 19 digits", s)
	}
	return Decimal{d}, nil
}

// lossy says whether reading s lost digits: the library rounds silently what has
// more than 19 of them. Exact text needs no more decimals than d has.
func lossy(s string, d decimal.Decimal) bool {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(s), "e")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	shift := 0
	if exponent != "" { // rarely: the error of an empty number would cost more than all the rest
		shift, _ = strconv.Atoi(exponent) // the library has accepted it
	}
	digits := strings.TrimLeft(whole+fraction, "+-0")
	zeros := len(digits) - len(strings.TrimRight(digits, "0"))
	return digits != "" && len(fraction)-zeros-shift > d.Scale()
}

// MustParse is Parse for constants; it panics on bad text.
func MustParse(s string) Decimal {
	d, err := Parse(s)
	if err != nil {
		panic(err)
	}
	return d
}

// FromInt is the whole number n.
func FromInt(n int64) Decimal { return Decimal{decimal.MustNew(n, 0)} }

// String is the plain decimal text with the scale the number has.
func (a Decimal) String() string { return a.d.String() }

// In is the amount as people read it in a currency (ISO 4217): with all of its decimals, 242.00
// ARS and 1190 CLP; with two where the currency is not known. What it has beyond them stays.
func (a Decimal) In(code string) string {
	places := 2
	if unit, err := currency.ParseISO(code); err == nil {
		places, _ = currency.Standard.Rounding(unit)
	}
	return Decimal{a.d.Trim(places).Pad(places)}.String()
}

// MarshalText writes plain decimal text, so that JSON of events holds a string.
func (a Decimal) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// UnmarshalText reads what MarshalText wrote.
func (a *Decimal) UnmarshalText(b []byte) error {
	d, err := Parse(string(b))
	if err != nil {
		return err
	}
	*a = d
	return nil
}

// Add is a + b.
func (a Decimal) Add(b Decimal) Decimal { return must(a.d.Add(b.d)) }

// Sub is a - b.
func (a Decimal) Sub(b Decimal) Decimal { return must(a.d.Sub(b.d)) }

// Mul is a × b, rounded (half to even) only beyond 19 digits.
func (a Decimal) Mul(b Decimal) Decimal { return must(a.d.Mul(b.d)) }

// Percent is a × rate / 100.
func (a Decimal) Percent(rate Decimal) Decimal {
	return must(must(a.d.Mul(rate.d)).d.Quo(decimal.MustNew(100, 0)))
}

// Neg is -a.
func (a Decimal) Neg() Decimal { return Decimal{a.d.Neg()} }

// Abs is |a|.
func (a Decimal) Abs() Decimal { return Decimal{a.d.Abs()} }

// Cmp is -1, 0 or 1; 1.0 and 1.00 are equal.
func (a Decimal) Cmp(b Decimal) int { return a.d.Cmp(b.d) }

// Equal ignores scale.
func (a Decimal) Equal(b Decimal) bool { return a.d.Cmp(b.d) == 0 }

// Less is a < b.
func (a Decimal) Less(b Decimal) bool { return a.d.Cmp(b.d) < 0 }

// Sign is -1, 0 or 1.
func (a Decimal) Sign() int { return a.d.Sign() }

// IsZero is a == 0.
func (a Decimal) IsZero() bool { return a.d.IsZero() }

// Scale is the number of decimals that a is written with.
func (a Decimal) Scale() int { return a.d.Scale() }

// Decimals is the number of decimals that matter: 2 for 1.2500.
func (a Decimal) Decimals() int { return a.d.Trim(0).Scale() }

// WholeDigits is the number of digits before the point, 0 for 0.5.
func (a Decimal) WholeDigits() int { return max(a.d.Prec()-a.d.Scale(), 0) }

// Trim drops zeros at the end of the fraction: 5.2500 becomes 5.25, 122.00 becomes 122.
func (a Decimal) Trim() Decimal { return Decimal{a.d.Trim(0)} }

// Round gives exactly n decimals, half away from zero, as on paper.
func (a Decimal) Round(n int) Decimal {
	r := a.d.Trunc(n)
	rest := must(a.d.Sub(r)).d.Abs()
	half := decimal.MustNew(5, n+1)
	if rest.Cmp(half) >= 0 {
		unit := decimal.MustNew(1, n)
		if a.d.IsNeg() {
			unit = unit.Neg()
		}
		r = must(r.Add(unit)).d
	}
	return Decimal{r.Pad(n)}
}

// RoundEven gives exactly n decimals, half to even, as ARCA's server does.
func (a Decimal) RoundEven(n int) Decimal { return Decimal{a.d.Round(n).Pad(n)} }

// Quo is a / b to 19 digits. It panics for b = 0: check before.
func (a Decimal) Quo(b Decimal) Decimal { return must(a.d.Quo(b.d)) }

// Sum adds up.
func Sum(all ...Decimal) Decimal {
	var s Decimal
	for _, a := range all {
		s = s.Add(a)
	}
	return s
}

// must turns an overflow (beyond 10^19) into a panic: callers bound what comes in
// from outside, see country.Bounds.
func must(d decimal.Decimal, err error) Decimal {
	if err != nil {
		panic(fmt.Sprintf("money: %v: amounts must be bounded where they enter", err))
	}
	return Decimal{d}
}
