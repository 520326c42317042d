package strict

import (
	"strconv"
	"strings"

	"folio/money"
)

// maxWholeDigits is the most digits before the point that an amount may have.
const maxWholeDigits = 15

// numeral is a JSON number taken apart without computing it, so that 1e999999999
// costs nothing.
type numeral struct {
	negative bool
	zero     bool
	whole    int // digits before the point, 0 for 0.5
	decimals int // digits after the point that matter: 2 for 1.250
}

// takeApart reads a literal that JSON's grammar has already accepted.
func takeApart(s string) numeral {
	var n numeral
	s, n.negative = strings.CutPrefix(s, "-")
	mantissa, power := s, 0
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		mantissa = s[:i]
		power = exponent(s[i+1:])
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	// The number is 0.DDD × 10^point once zeros are cut at both ends of its digits.
	point := len(whole) + power
	lead := len(whole) - len(strings.TrimLeft(whole, "0"))
	if lead == len(whole) {
		lead += len(fraction) - len(strings.TrimLeft(fraction, "0"))
	}
	all := len(whole) + len(fraction)
	if lead == all {
		n.zero = true
		return n
	}
	tail := len(fraction) - len(strings.TrimRight(fraction, "0"))
	if tail == len(fraction) {
		tail += len(whole) - len(strings.TrimRight(whole, "0"))
	}
	n.whole = max(point-lead, 0)
	n.decimals = max(all-tail-point, 0)
	return n
}

// exponent reads "+2", capped far beyond any bound so that sums cannot overflow.
func exponent(s string) int {
	e, err := strconv.Atoi(s)
	if err != nil || e > 1e6 || e < -1e6 {
		if strings.HasPrefix(s, "-") {
			return -1e6
		}
		return 1e6
	}
	return e
}

// decimal reads the literal exactly or says why it cannot be an amount.
func (r *rules) decimal(s string) (money.Decimal, trouble) {
	n := takeApart(s)
	switch {
	case n.whole > r.whole:
		return money.Zero, trouble{CodeDigits, "must have at most " + strconv.Itoa(r.whole) + " digits before the point"}
	case n.decimals > r.decimals:
		return money.Zero, trouble{CodeDecimals, "must have at most " + strconv.Itoa(r.decimals) + " decimals"}
	case n.negative && !n.zero && (r.notNegative || r.positive):
		return money.Zero, trouble{CodeOutOfRange, "must not be negative"}
	case n.zero && r.positive:
		return money.Zero, trouble{CodeOutOfRange, "must be greater than zero"}
	}
	if n.zero && strings.ContainsAny(s, "eE") {
		return money.Zero, trouble{}
	}
	d, err := money.Parse(s)
	if err != nil {
		return money.Zero, trouble{CodeDigits, "must have at most 19 digits in all"}
	}
	return d, trouble{}
}

// integer reads a whole number; 5.0 and 1e2 are whole too, as in JSON Schema.
func (r *rules) integer(s string) (int64, trouble) {
	v, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		n := takeApart(s)
		if n.decimals > 0 {
			return 0, trouble{CodeInteger, "must be a whole number"}
		}
		if n.whole > 18 {
			return 0, r.rangeTrouble()
		}
		if v, err = plainInteger(s, n); err != nil {
			return 0, r.rangeTrouble()
		}
	}
	switch {
	case r.between && (v < r.low || v > r.high), r.positive && v <= 0, r.notNegative && v < 0:
		return 0, r.rangeTrouble()
	}
	return v, trouble{}
}

func plainInteger(s string, n numeral) (int64, error) {
	if n.zero {
		return 0, nil
	}
	d, err := money.Parse(s)
	if err != nil {
		return 0, err
	}
	return strconv.ParseInt(d.Trim().String(), 10, 64)
}

func (r *rules) rangeTrouble() trouble {
	switch {
	case r.between:
		return trouble{CodeOutOfRange, "must be from " + strconv.FormatInt(r.low, 10) + " to " +
			strconv.FormatInt(r.high, 10)}
	case r.positive:
		return trouble{CodeOutOfRange, "must be greater than zero and have at most 18 digits"}
	}
	return trouble{CodeOutOfRange, "must be a whole number of at most 18 digits"}
}
